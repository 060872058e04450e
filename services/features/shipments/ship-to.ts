// The address a consignor sends goods to: the store's, with the consignor's short id.
import type { RouteDeps } from "#http/deps.ts";
import type { StoreDetails } from "#http/store-facts.ts";
import type { ShipTo } from "#features/shipments/contract.ts";
import { shortIdOf } from "#features/users/streams.ts";

/** Line by line; null until the store enters a street. */
function linesOf({ storeName, shippingAddress }: StoreDetails): string[] | null {
  const { name, street, city, state, zip, country } = shippingAddress;
  const region = [state, zip].filter((part) => part !== "").join(" ");
  const place = [city, region].filter((part) => part !== "").join(", ");
  const lines = [name === "" ? storeName : name, street, place, country];
  return street === "" ? null : lines.filter((line) => line !== "");
}

export async function shipToOf(deps: Pick<RouteDeps, "store">, uid: string): Promise<ShipTo> {
  return { lines: linesOf(await deps.store.details()), shortId: shortIdOf(uid) };
}
