// The address a consignor sends goods to: the store's, with the consignor's short id.
import type { RouteDeps } from "#http/deps.ts";
import type { ShipTo } from "#features/shipments/contract.ts";

/** The last eight characters of the uid, in capitals. */
function shortUid(uid: string): string {
  return uid.slice(-8).toUpperCase();
}

export async function shipToOf(deps: RouteDeps, uid: string): Promise<ShipTo> {
  return { lines: await readStoreAddress(deps), shortId: shortUid(uid) };
}

function readStoreAddress(_deps: RouteDeps): Promise<string[] | null> {
  return Promise.resolve(null);
}
