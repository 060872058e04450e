// The store's list of fulfillment orders: what waits for a label or for fulfillment, and what was fulfilled, until it is completed.
import { sql } from "kysely";
import type { Expression, SqlBool } from "kysely";
import { CSV_MAX_LINES, tooManyLines } from "#http/csv.ts";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import type { ShippingAddress } from "#features/trades/contract.ts";
import type {
  FulfillmentOrder,
  FulfillmentsResponse,
  OrderTab,
} from "#features/trades/contract-orders.ts";
import { balancesTable } from "#features/accounts/projection.ts";
import { availableAccount } from "#features/accounts/streams.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import { tradeOffersTable, tradesTable } from "#features/trades/projection.ts";
import type { TradePeople } from "#features/trades/queries.ts";
import { tradeViews } from "#features/trades/queries.ts";
import type { TradeRow } from "#features/trades/views.ts";
import { shortIdOf } from "#features/users/streams.ts";
import { columnsOf } from "#ledger/projection/columns.ts";

const inOrders = withTables(tradesTable, tradeOffersTable, balancesTable, inventoryItemsTable);

/** Most orders of each part of the list on screen. */
const MAX_WAITING = 500;
const MAX_REPORTED = 200;
const MAX_FULFILLED = 200;

const waits = sql<boolean>`status in ('awaiting_shipping', 'shipping_uploaded')`;

function selectTrades(reads: Reads) {
  return inOrders(reads).selectFrom("read.trades").select(columnsOf(tradesTable));
}

async function addressesOf(
  reads: Reads,
  rows: readonly TradeRow[],
): Promise<ReadonlyMap<string, ShippingAddress>> {
  const ids = `{${rows.map(({ address_id: id }) => id).join(",")}}`;
  const found = await reads
    .selectFrom("identity.trade_addresses")
    .select(["id", "name", "street", "city", "state", "zip", "country"])
    .where("id", "=", sql<string>`any (${ids}::text::uuid[])`)
    .execute();
  return new Map(found.map(({ id, ...address }) => [id, address]));
}

async function balancesOf(
  reads: Reads,
  uids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const accounts = [...uids].map((uid) => availableAccount.of(uid));
  const found = await inOrders(reads)
    .selectFrom("read.balances")
    .select(["account", "balance_cents"])
    .where("account", "in", accounts)
    .execute();
  return new Map(
    found.map((row) => [availableAccount.idOf(row.account), row.balance_cents] as const),
  );
}

type PickRow = {
  readonly trade_id: string;
  readonly offer_id: string;
  readonly seller_uid: string;
  readonly item_id: string;
  readonly units: number;
  readonly location: string;
};

/** Where the accepted units are, in the order of the locations. */
async function picksOf(reads: Reads, rows: readonly TradeRow[]): Promise<readonly PickRow[]> {
  const ids = `{${rows.map(({ trade_id: id }) => id).join(",")}}`;
  const found = await sql<PickRow>`
    select o.trade_id, o.offer_id, o.seller_uid, p.item_id, p.units::int, coalesce(i.location, '') as location
    from read.trade_offers o
    cross join lateral (
      select r ->> 'itemId' as item_id, (r ->> 'units')::bigint as units
      from jsonb_array_elements(o.accepted_rows) r) p
    left join read.inventory_items i on i.id = p.item_id::uuid
    where o.trade_id = any (${ids}::text::uuid[])
    order by i.location, o.nth, p.item_id`.execute(reads);
  return found.rows;
}

async function ordersOf(
  reads: Reads,
  people: TradePeople,
  rows: readonly TradeRow[],
): Promise<FulfillmentOrder[]> {
  if (rows.length === 0) {
    return [];
  }
  const buyers = new Set(rows.map(({ buyer_uid: uid }) => uid));
  const [trades, addresses, balances, picks] = await Promise.all([
    tradeViews(reads, people, rows, true),
    addressesOf(reads, rows),
    balancesOf(reads, buyers),
    picksOf(reads, rows),
  ]);
  const sellers = picks.map(({ seller_uid: uid }) => uid);
  const names = await people.profiles.displayNames(new Set([...buyers, ...sellers]));
  const person = (uid: string) => ({ uid, displayName: names.get(uid) ?? uid });
  const picksByTrade = Map.groupBy(picks, ({ trade_id: id }) => id);
  return trades.flatMap((trade, index) => {
    const row = rows[index];
    if (row === undefined) {
      return [];
    }
    const { buyer_uid: buyerUid } = row;
    return {
      ...trade,
      buyer: person(buyerUid),
      buyerShortId: shortIdOf(buyerUid),
      buyerAvailableCents: balances.get(buyerUid) ?? 0,
      shippingAddress: addresses.get(row.address_id) ?? null,
      labelOwedBy: row.provides_own_shipping ? "buyer" : "store",
      picks: (picksByTrade.get(row.trade_id) ?? []).map((pick) => ({
        offerId: pick.offer_id,
        itemId: pick.item_id,
        seller: person(pick.seller_uid),
        location: pick.location,
        units: pick.units,
      })),
    };
  });
}

const ordersInTab: Readonly<Record<OrderTab, Expression<SqlBool>>> = {
  open: waits,
  label: sql`status = 'awaiting_shipping'`,
  ready: sql`status = 'shipping_uploaded'`,
  reported: sql`reported_at is not null`,
  fulfilled: sql`not ${waits} and (status = 'fulfilled' or reported_at is not null)`,
};

/** All orders of a part of the list, in its order and of one moment; at most a file's lines and one more. */
async function ordersInFile(reads: Reads, tab: OrderTab): Promise<readonly TradeRow[]> {
  const isReported = sql`reported_at is not null`;
  return selectTrades(reads)
    .where(ordersInTab[tab])
    .orderBy(sql`case when ${waits} then 0 when ${isReported} then 1 else 2 end`)
    .orderBy(sql`case when ${waits} then status_since else reported_at end`)
    .orderBy(sql`case when ${waits} or ${isReported} then position end`)
    .orderBy("fulfilled_at", "desc")
    .orderBy("position", "desc")
    .limit(CSV_MAX_LINES + 1)
    .execute();
}

const FILE_BATCH = 1000;

/** The same in batches. Throws HttpError 400 `too_many_lines`, because a file that was cut off would look complete. */
export async function* readAllOrders(
  reads: Reads,
  people: TradePeople,
  tab: OrderTab,
): AsyncGenerator<readonly FulfillmentOrder[]> {
  const rows = await ordersInFile(reads, tab);
  if (rows.length > CSV_MAX_LINES) {
    throw tooManyLines(CSV_MAX_LINES);
  }
  for (let begin = 0; begin < rows.length; begin += FILE_BATCH) {
    yield await ordersOf(reads, people, rows.slice(begin, begin + FILE_BATCH));
  }
}

/** How many orders wait for a label or for fulfillment. */
export async function countWaiting(reads: Reads): Promise<number> {
  const found = await inOrders(reads)
    .selectFrom("read.trades")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where(waits)
    .executeTakeFirst();
  return found?.count ?? 0;
}

/**
 * Longest waiting first, then those with an open report, which may be completed, then the fulfilled ones, newest first:
 * trades are completed a week after.
 */
export async function readOrders(reads: Reads, people: TradePeople): Promise<FulfillmentsResponse> {
  const [waiting, reported, fulfilled, count] = await Promise.all([
    selectTrades(reads)
      .where(waits)
      .orderBy("status_since")
      .orderBy("position")
      .limit(MAX_WAITING)
      .execute(),
    selectTrades(reads)
      .where("reported_at", "is not", null)
      .orderBy("reported_at")
      .orderBy("position")
      .limit(MAX_REPORTED)
      .execute(),
    selectTrades(reads)
      .where("status", "=", sql.lit("fulfilled" as const))
      .where("reported_at", "is", null)
      .orderBy("fulfilled_at", "desc")
      .orderBy("position", "desc")
      .limit(MAX_FULFILLED)
      .execute(),
    countWaiting(reads),
  ]);
  const orders = await ordersOf(reads, people, [...waiting, ...reported, ...fulfilled]);
  return { orders, waiting: count };
}
