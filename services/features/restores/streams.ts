// The stream of restores: which one was the last, and whether its payouts were checked.
import type { Rejection, States, StreamDefinition } from "#ledger/decider.ts";
import { reject } from "#ledger/decider.ts";
import { is } from "#ledger/event.ts";
import { restoredMessages } from "#features/restores/contract.ts";
import { RestoredPayoutsChecked, StoreRestored } from "#features/restores/events.ts";

/** A restore, as its event says. */
export type Restore = {
  readonly restoreId: string;
  readonly backedUpAt: string;
  /** ISO 8601. */
  readonly restoredAt: string;
  readonly position: number;
  readonly lostThrough: number | null;
  readonly isChecked: boolean;
};

/** Null in a store that never was restored. */
export type RestoresState = { readonly last: Restore | null };

/** There is one. */
export const RESTORES = "restores";

export const restoresStream: StreamDefinition<RestoresState> = {
  category: RESTORES,
  onlyId: RESTORES,
  extendedBy: [StoreRestored.type, RestoredPayoutsChecked.type],
  stateVersion: 1,
  initial: { last: null },
  evolve: (state, event) => {
    if (is(StoreRestored, event)) {
      return { last: { ...event.data, restoredAt: event.happenedAt, isChecked: false } };
    }
    if (is(RestoredPayoutsChecked, event) && state.last?.restoreId === event.data.restoreId) {
      return { last: { ...state.last, isChecked: true } };
    }
    return state;
  },
};

/**
 * Rejects 409 `payouts_unchecked` after a restore, until an admin has checked payouts: one that is open here may have
 * been paid. The command must have declared `RESTORES`.
 */
export function refuseAfterRestore(
  states: States,
  step: keyof typeof restoredMessages,
): Rejection | null {
  const { last } = states.get(restoresStream, RESTORES).state;
  return last === null || last.isChecked
    ? null
    : reject(409, "payouts_unchecked", restoredMessages[step]);
}
