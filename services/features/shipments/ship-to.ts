// Where a consignor sends goods to: the store's address, with the consignor's short id in it.
import type { ShipTo } from "#features/shipments/contract.ts";

/** The last eight characters of the uid, in capitals. */
export function shortUid(uid: string): string {
  return uid.slice(-8).toUpperCase();
}

export function shipToOf(lines: readonly string[] | null, uid: string): ShipTo {
  return { lines: lines === null ? null : [...lines], shortId: shortUid(uid) };
}
