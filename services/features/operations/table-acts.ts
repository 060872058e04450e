// What an event orders about a projection's tables, for the stream's state and for the list of past orders.
import type { AnyEvent } from "#ledger/event.ts";
import { is } from "#ledger/event.ts";
import type { TableOrder } from "#features/operations/contract.ts";
import {
  FlipReverted,
  ProjectionFlipped,
  RebuildCanceled,
  RebuildPaused,
  RebuildResumed,
  RebuildStarted,
} from "#features/operations/events.ts";

/** `rebuildId` is the id of the act itself where older tables are shown again. */
export type TableAct = Pick<
  TableOrder,
  "projection" | "act" | "rebuildId" | "version" | "acceptHeld"
> & { readonly noteId: string };

/** Null for other acts. */
export function tableActIn(event: AnyEvent): TableAct | null {
  if (is(FlipReverted, event)) {
    const { takeBackId: rebuildId, ...data } = event.data;
    return { ...data, rebuildId, act: "take-back", version: null, acceptHeld: false };
  }
  if (is(RebuildStarted, event)) {
    return { ...event.data, act: "rebuild", acceptHeld: false };
  }
  if (is(ProjectionFlipped, event)) {
    return { ...event.data, act: "flip", version: null };
  }
  const plain = { version: null, acceptHeld: false };
  if (is(RebuildPaused, event)) {
    return { ...event.data, ...plain, act: "pause" };
  }
  if (is(RebuildResumed, event)) {
    return { ...event.data, ...plain, act: "resume" };
  }
  return is(RebuildCanceled, event) ? { ...event.data, ...plain, act: "cancel" } : null;
}
