// Where a dialog that marks payouts as paid says that the money went, and that a consignor changed it while it was open.
import type { PendingPayout } from "#features/payouts/contract.ts";
import { methodWords } from "./method-words.ts";

/** "CashApp to $avery" */
export function routeOf({ method, handle }: Pick<PendingPayout, "method" | "handle">): string {
  return handle === null || handle === ""
    ? methodWords[method]
    : `${methodWords[method]} to ${handle}`;
}

type Handled = Pick<PendingPayout, "id" | "handleId" | "handle" | "displayName">;

/**
 * "Blake Rivers changed the handle just now to @blake.": the dialog still records the handle that it shows. Undefined
 * if the request is listed with that handle, or no longer listed.
 */
export function handleChange(shown: Handled, listed: readonly Handled[]): string | undefined {
  const now = listed.find(({ id }) => id === shown.id);
  if (now === undefined || now.handleId === shown.handleId) {
    return undefined;
  }
  const changed = `${shown.displayName} changed the handle just now`;
  return now.handle === null || now.handle === "" ? `${changed}.` : `${changed} to ${now.handle}.`;
}

export const SETTLED_MEANWHILE = "This request was paid, withdrawn or deleted in the meantime.";

type Listed = readonly Pick<PendingPayout, "id">[];

/**
 * Whether the request is no longer pending. The list behind may only have lost it to a filter or a further page, and
 * the consignor's own requests may be those of an earlier dialog until they are read again: both must lack it.
 */
export function isSettled(
  { id }: Pick<PendingPayout, "id">,
  listed: Listed,
  own: Listed | undefined,
): boolean {
  return own !== undefined && ![...listed, ...own].some((payout) => payout.id === id);
}
