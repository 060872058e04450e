// Decides what follows a restore: the restore itself, and an admin's word that the payouts were checked.
import type { Decider } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import { consignorStream, consignorStreamId } from "#features/accounts/streams.ts";
import { RestoredPayoutsChecked, StoreRestored } from "#features/restores/events.ts";
import type { Restore } from "#features/restores/streams.ts";
import { RESTORES, restoresStream } from "#features/restores/streams.ts";
import { UserDeactivated } from "#features/users/events.ts";
import { ADMINS, usernameStreamId, userStream, userStreamId } from "#features/users/streams.ts";

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

export type EraseUserAgain = { readonly uid: string; readonly happenedAt: string };

/** What the restored log still owes to the person, or is owed. */
export type ErasedAgain = { readonly uid: string; readonly leftCents: Cents };

/**
 * Deletes somebody who was deleted after the back-up. What is left in the account is no reason to refuse: the person
 * was settled then, and what settled them is lost. Nothing happens if the user is deleted.
 */
export const eraseUserAgain: Decider<EraseUserAgain, ErasedAgain> = {
  type: "EraseUserAgain",
  streams: ({ uid }) => [userStreamId(uid), ADMINS, consignorStreamId(uid)],
  more: ({ uid }, states) => {
    const { username } = states.get(userStream, userStreamId(uid)).state;
    return username === null ? [] : [usernameStreamId(username)];
  },
  decide: ({ uid, happenedAt }, states) => {
    const { state } = states.get(userStream, userStreamId(uid));
    const money = states.get(consignorStream, consignorStreamId(uid)).state;
    const answer = { uid, leftCents: money.availableCents + money.inTransitCents };
    if (state.deactivatedAt !== null) {
      return accept([], answer);
    }
    const roleBefore = state.role ?? "user";
    const event = emit(
      UserDeactivated,
      { uid, roleBefore, frees: state.username, noteId: null },
      {
        streams: [
          userStreamId(uid),
          ...(roleBefore === "admin" ? [ADMINS] : []),
          ...(state.username === null ? [] : [usernameStreamId(state.username)]),
        ],
        happenedAt,
      },
    );
    return accept([event], answer);
  },
};
