// Decides what follows a restore: the restore itself, and an admin's word that the payouts were checked.
import type { Decider } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { RestoredPayoutsChecked, StoreRestored } from "#features/restores/events.ts";
import type { Restore } from "#features/restores/streams.ts";
import { RESTORES, restoresStream } from "#features/restores/streams.ts";

export type RecordRestore = Omit<Restore, "restoredAt" | "isChecked"> & {
  readonly happenedAt: string;
};

export type CheckRestoredPayouts = {
  readonly restoreId: string;
  readonly noteId: string;
  readonly happenedAt: string;
};

type RestoreAnswer = { readonly restoreId: string };

const streams = (): readonly string[] => [RESTORES];

/** Only `npm run restore` sends it, before the store is opened. */
export const recordRestore: Decider<RecordRestore, RestoreAnswer> = {
  type: "RecordRestore",
  streams,
  decide: ({ happenedAt, ...restore }) =>
    accept([emit(StoreRestored, restore, { streams: streams(), happenedAt })], {
      restoreId: restore.restoreId,
    }),
};

/** Rejects 404 `restore_not_found` and 409 `payouts_checked`. */
export const checkRestoredPayouts: Decider<CheckRestoredPayouts, RestoreAnswer> = {
  type: "CheckRestoredPayouts",
  streams,
  decide: ({ restoreId, noteId, happenedAt }, states) => {
    const { last } = states.get(restoresStream, RESTORES).state;
    if (last === null || last.restoreId !== restoreId) {
      return reject(
        404,
        "restore_not_found",
        "The store was not restored, or restored again since",
      );
    }
    if (last.isChecked) {
      return reject(409, "payouts_checked", "The payouts were confirmed as checked already");
    }
    const event = emit(
      RestoredPayoutsChecked,
      { restoreId, noteId },
      { streams: streams(), happenedAt },
    );
    return accept([event], { restoreId });
  },
};
