// What people read of trades: a buyer's trades with their offers, one trade, and the offers that wait for a seller.
import { sql } from "kysely";
import type { Expression, RawBuilder, SqlBool } from "kysely";
import * as z from "zod/mini";
import { cursorOf, placeIn } from "#http/list-place.ts";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import type { Notes } from "#identity/notes.ts";
import type { Profiles } from "#identity/profiles.ts";
import type { TradeStatus } from "#features/trades/contract.ts";
import type {
  MyOffersCountResponse,
  MyOffersResponse,
  MyTradesResponse,
  OfferTab,
  Trade,
} from "#features/trades/contract-reads.ts";
import type { WaitingAnswersResponse } from "#features/trades/contract-badge.ts";
import { tradeOffersTable, tradesTable } from "#features/trades/projection.ts";
import type { OfferRow, TradeRow } from "#features/trades/views.ts";
import { sellerOfferView, tradeView } from "#features/trades/views.ts";
import { asSearched, containing } from "#db/like.ts";
import { columnsOf } from "#ledger/projection/columns.ts";

const inTrades = withTables(tradesTable, tradeOffersTable);
const tradeColumns = columnsOf(tradesTable);
const offerColumns = columnsOf(tradeOffersTable);

/** Names and reasons are joined when they are read: personal data is never copied. */
export type TradePeople = { readonly profiles: Profiles; readonly notes: Notes };

/** `{a,b}` as an array parameter. Ids of trades and labels have no commas. */
function list(ids: readonly string[]): RawBuilder<string> {
  return sql`any (${`{${ids.join(",")}}`}::text::uuid[])`;
}

/** The offers of these trades, in the order in which their sellers were found. */
export async function offersOf(
  reads: Reads,
  tradeIds: readonly string[],
): Promise<ReadonlyMap<string, readonly OfferRow[]>> {
  const rows = await inTrades(reads)
    .selectFrom("read.trade_offers")
    .select(offerColumns)
    .where("trade_id", "=", list(tradeIds))
    .orderBy("trade_id")
    .orderBy("nth")
    .execute();
  return Map.groupBy(rows, (row) => row.trade_id);
}

type LabelRow = { readonly id: string; readonly trackingNumber: string | null };

/** The labels that can still be read, with the tracking numbers that were not erased. */
async function labelsOf(reads: Reads, ids: readonly string[]): Promise<Map<string, LabelRow>> {
  const { rows } = await sql<LabelRow>`
    select k.id, l.tracking_number as "trackingNumber"
    from identity.label_keys k left join identity.trade_labels l on l.id = k.id
    where k.id = ${list(ids)}`.execute(reads);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Trades with all their offers, which are read unless they are known. Only admins see the sellers' names. */
export async function tradeViews(
  reads: Reads,
  { profiles, notes }: TradePeople,
  rows: readonly TradeRow[],
  isAdmin: boolean,
  known?: ReadonlyMap<string, readonly OfferRow[]>,
): Promise<Trade[]> {
  if (rows.length === 0) {
    return [];
  }
  const ids = rows.map(({ trade_id: id }) => id);
  const offers = known ?? (await offersOf(reads, ids));
  const sellers = new Set(
    [...offers.values()].flatMap((own) => own.map(({ seller_uid: uid }) => uid)),
  );
  const noteIds = rows.flatMap((row) => [row.report_note_id, row.cancel_note_id]);
  const [texts, labels, names] = await Promise.all([
    notes.findMany(noteIds.filter((id) => id !== null)),
    labelsOf(
      reads,
      rows.flatMap(({ label_id: id }) => (id === null ? [] : [id])),
    ),
    isAdmin ? profiles.displayNames(sellers) : new Map<string, string>(),
  ]);
  return rows.map((row) => {
    const label = row.label_id === null ? undefined : labels.get(row.label_id);
    const trackingNumber = label?.trackingNumber ?? null;
    const given = { trackingNumber, hasLabel: label !== undefined, notes: texts };
    return tradeView(row, offers.get(row.trade_id) ?? [], given, names);
  });
}

export type TradeFilters = {
  readonly q?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

export type TradePage = { readonly cursor?: string | undefined; readonly limit: number };

/** What the filters say about a trade `t`. */
function conditionsOf({ q, from, to }: TradeFilters): readonly Expression<SqlBool>[] {
  const wanted = q ?? "";
  const anywhere = containing(asSearched(wanted));
  return [
    ...(wanted === ""
      ? []
      : [
          sql<SqlBool>`(log.searchable(t.item_name || ' ' || t.barcode1) like ${anywhere}
            or starts_with(t.trade_id::text, ${wanted.toLowerCase()}))`,
        ]),
    ...(from === undefined ? [] : [sql<SqlBool>`t.requested_at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql<SqlBool>`t.requested_at < ${to}::timestamptz`]),
  ];
}

/** A buyer's trades, newest first, and how many counters wait for an answer over all of them. */
export async function readMyTrades(
  reads: Reads,
  people: TradePeople,
  buyerUid: string,
  asked: TradePage &
    TradeFilters & {
      readonly status?: TradeStatus | undefined;
      /** Only admins see who the sellers are. */
      readonly isAdmin?: boolean;
    },
): Promise<MyTradesResponse> {
  const { cursor, limit, status, isAdmin = false } = asked;
  let page = inTrades(reads)
    .selectFrom("read.trades as t")
    .select(tradeColumns.map((name) => `t.${name}` as const))
    .where("t.buyer_uid", "=", buyerUid);
  for (const condition of conditionsOf(asked)) {
    page = page.where(condition);
  }
  if (status !== undefined) {
    page = page.where("t.status", "=", status);
  }
  if (cursor !== undefined) {
    page = page.where("t.position", "<", Number(cursor));
  }
  const [rows, { counters }] = await Promise.all([
    page
      .orderBy("t.position", "desc")
      .limit(limit + 1)
      .execute(),
    countAnswers(reads, buyerUid),
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    trades: await tradeViews(reads, people, shown, isAdmin),
    countersWaiting: counters,
    nextCursor: rows.length > limit && last !== undefined ? String(last.position) : null,
  };
}

/** How many offers wait for this person's answer: as their seller, and as a buyer whom a seller countered. */
export async function countAnswers(reads: Reads, uid: string): Promise<WaitingAnswersResponse> {
  const { rows } = await sql<WaitingAnswersResponse>`
    select
      (select count(*) from read.trade_offers
        where seller_uid = ${uid} and turn = 'seller') as offers,
      (select count(*) from read.trade_offers where buyer_uid = ${uid} and turn = 'buyer') as counters`.execute(
    reads,
  );
  return rows[0] ?? { offers: 0, counters: 0 };
}

export function findTradeRow(reads: Reads, tradeId: string): Promise<TradeRow | undefined> {
  return inTrades(reads)
    .selectFrom("read.trades")
    .select(tradeColumns)
    .where("trade_id", "=", tradeId)
    .executeTakeFirst();
}

/** Open ones by their end, then closed ones, newest first. */
const isClosed = sql<boolean>`(o.turn is null)`;
const rank = sql`case when o.turn is not null then extract(epoch from o.expires_at) else -o.position end`;

/** The place of a page's last offer by the order of the list, as it was on that page. */
const offerPlace = z.tuple([
  z.boolean(),
  z.string().check(z.regex(/^-?[0-9]{1,16}(?:[.][0-9]{1,6})?$/u)),
  z.int(),
  z.int(),
]);

const ofTab: Readonly<Record<OfferTab, Expression<SqlBool>>> = {
  reply: sql`o.turn = 'seller'`,
  waiting: sql`o.turn = 'buyer'`,
  closed: sql`o.turn is null`,
};

/** How many open offers this person got and still has, by who has to answer. */
export async function countMyOffers(
  searches: Reads,
  sellerUid: string,
  filters: TradeFilters,
): Promise<MyOffersCountResponse> {
  let open = inTrades(searches)
    .selectFrom("read.trade_offers as o")
    .innerJoin("read.trades as t", "t.trade_id", "o.trade_id")
    .select([
      sql<number>`count(*) filter (where ${ofTab.reply})`.as("reply"),
      sql<number>`count(*) filter (where ${ofTab.waiting})`.as("waiting"),
    ])
    .where("o.seller_uid", "=", sellerUid)
    .where("o.turn", "is not", null);
  for (const condition of conditionsOf(filters)) {
    open = open.where(condition);
  }
  return open.executeTakeFirstOrThrow();
}

/**
 * Offers that this person got: those of a tab; without one the open ones, including those that wait for the buyer,
 * and if asked for the closed ones after them.
 */
export async function readMyOffers(
  searches: Reads,
  sellerUid: string,
  query: TradePage &
    TradeFilters & {
      readonly status?: "open" | "all";
      readonly tab?: OfferTab | undefined;
    },
): Promise<MyOffersResponse> {
  const { status, tab, cursor, limit } = query;
  let page = inTrades(searches)
    .selectFrom("read.trade_offers as o")
    .innerJoin("read.trades as t", "t.trade_id", "o.trade_id")
    .select(offerColumns.map((name) => `o.${name}` as const))
    .select(["t.item_name", "t.barcode1", "t.image_url", "t.commission_percentage"])
    .select(["t.status as trade_status", "t.requested_at"])
    .select(sql<number>`t.quantity - t.accepted_units`.as("units_needed"))
    .select([isClosed.as("is_closed"), sql<string>`(${rank})::text`.as("ranked")])
    .where("o.seller_uid", "=", sellerUid);
  if (tab !== undefined) {
    page = page.where(ofTab[tab]);
  } else if (status === "open") {
    page = page.where("o.turn", "is not", null);
  }
  for (const condition of conditionsOf(query)) {
    page = page.where(condition);
  }
  if (cursor !== undefined) {
    const [wasClosed, ranked, position, nth] = placeIn(cursor, offerPlace);
    page = page.where(sql<boolean>`(${isClosed}, ${rank}, o.position, o.nth) > (
      ${wasClosed}::boolean, ${ranked}::text::numeric, ${position}::bigint, ${nth}::bigint)`);
  }
  const rows = await page
    .orderBy(isClosed)
    .orderBy(rank)
    .orderBy("o.position")
    .orderBy("o.nth")
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    offers: shown.map(sellerOfferView),
    nextCursor:
      rows.length > limit && last !== undefined
        ? cursorOf([last.is_closed, last.ranked, last.position, last.nth])
        : null,
  };
}
