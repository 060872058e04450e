// Which acceptances hold units of an item, and what its buyers would get back.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import type { Profiles } from "#identity/profiles.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import type { TradeStatus } from "#features/trades/contract.ts";
import type { HeldItemResponse } from "#features/trades/contract-held.ts";

const inInventory = withTables(inventoryItemsTable);

type HoldingRow = {
  readonly trade_id: string;
  readonly offer_id: string;
  readonly buyer_uid: string;
  readonly status: TradeStatus;
  readonly units: number;
  readonly price: number;
  readonly trade_units: number;
  readonly held_cents: number;
};

/** Undefined for an unknown item. */
export async function readHeldItem(
  reads: Reads,
  profiles: Profiles,
  itemId: string,
): Promise<HeldItemResponse | undefined> {
  const item = await inInventory(reads)
    .selectFrom("read.inventory_items")
    .select(["quantity", "owner_uid"])
    .where("id", "=", itemId)
    .executeTakeFirst();
  if (item === undefined) {
    return undefined;
  }
  // Few acceptances of one seller have units. Those of fulfilled trades keep their rows, but hold no money any more.
  const { rows } = await sql<HoldingRow>`
    select t.trade_id, o.offer_id, t.buyer_uid, t.status, (r.row ->> 'units')::int as units,
      o.accepted_price_cents::int as price, t.accepted_units::int as trade_units, t.held_cents
    from read.trade_offers o
    join read.trades t on t.trade_id = o.trade_id and t.held_cents > 0
    cross join lateral jsonb_array_elements(o.accepted_rows) r(row)
    where o.seller_uid = ${item.owner_uid} and o.accepted_units > 0 and r.row ->> 'itemId' = ${itemId}
    order by t.position desc`.execute(reads);
  const names = await profiles.displayNames(new Set(rows.map(({ buyer_uid: uid }) => uid)));
  return {
    quantity: item.quantity,
    acceptances: rows.map((row) => ({
      tradeId: row.trade_id,
      offerId: row.offer_id,
      buyer: { uid: row.buyer_uid, displayName: names.get(row.buyer_uid) ?? row.buyer_uid },
      status: row.status,
      units: row.units,
      price: row.price,
      tradeUnits: row.trade_units,
      heldCents: row.held_cents,
    })),
  };
}
