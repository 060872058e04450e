// The ledger's view of the till's sales, queried without the till.
import type { TillStore } from "#testing/till/till-store.ts";

/** The number of events for each of the till's keys. */
export async function bookedKeys(shop: TillStore): Promise<Map<string, number>> {
  const rows = await shop.store.sql<{ key: string; count: number }[]>`
    select command_key as key, count(*)::int as count from log.events
    where command_key like 'posSale:%' group by 1`;
  return new Map(rows.map(({ key, count }) => [key, count]));
}

/** Units of an item, from the API. */
export async function quantityOf(shop: TillStore, itemId: string): Promise<unknown> {
  const { body } = await shop.call("GET", `/inventory/items/${itemId}`);
  return Reflect.get(Object(body["item"]), "quantity");
}
