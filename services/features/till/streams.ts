// The stream of one day of the till: how often its drawer was counted.
import type { StreamDefinition } from "#ledger/decider.ts";
import { is } from "#ledger/event.ts";
import { defineName } from "#ledger/names.ts";
import { TillDayClosed } from "#features/till/events.ts";

/** 0 while nobody has counted the drawer. */
export type TillDayState = { readonly counts: number };

const tillStreamName = defineName("till_stream", "till-");

/** `day` is "2026-11-22". */
export function tillStreamId(day: string): string {
  return tillStreamName.of(day);
}

export const tillNames = [tillStreamName] as const;

export const tillStream: StreamDefinition<TillDayState> = {
  category: "till",
  stateVersion: 1,
  initial: { counts: 0 },
  evolve: (state, event) => (is(TillDayClosed, event) ? { counts: state.counts + 1 } : state),
};
