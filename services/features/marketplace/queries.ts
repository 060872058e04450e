// The marketplace's list: barcodes that others have in stock, searched and sorted on the server, with what is wanted of them.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import * as z from "zod/mini";
import { containing, wordsOf } from "#db/like.ts";
import { cursorOf, placeIn, placeText } from "#http/list-place.ts";
import { nameOfTable } from "#http/reads.ts";
import type { Reads } from "#http/reads.ts";
import type {
  MarketplaceItem,
  MarketplaceQuery,
  MarketplaceResponse,
  MarketplaceSort,
} from "#features/marketplace/contract.ts";
import {
  marketplaceBarcodesTable,
  marketplaceItemsTable,
} from "#features/marketplace/projection.ts";
import { tradesTable } from "#features/trades/projection.ts";

const barcodes = nameOfTable(marketplaceBarcodesTable);
const items = nameOfTable(marketplaceItemsTable);
const trades = nameOfTable(tradesTable);

const COUNT_CAP = 10_000;

/** Names are sorted by their beginning, so that a cursor stays short. */
const SORTED_CHARACTERS = 60;

type Sort = MarketplaceSort | "newest";

/** The last one a trade was fulfilled at; null where it was never traded. */
const lastPrice = sql`(
  select t.traded_price_cents from ${trades} t
  where t.barcode1 = b.barcode1 and t.traded_price_cents is not null
  order by t.fulfilled_at desc limit 1)`;

/** What the list is sorted by, of a barcode `b` and the viewer's own units of it `o`; never null. */
function keyOf(sort: Sort, order: "asc" | "desc"): RawBuilder<unknown> {
  switch (sort) {
    case "itemName": {
      return sql`left(lower(b.item_name), ${sql.lit(SORTED_CHARACTERS)}) collate "C"`;
    }
    case "totalQuantity": {
      return sql`b.units - coalesce(o.units, 0)::bigint`;
    }
    case "lastTradedPrice": {
      // What was never traded comes last in both orders.
      return sql`coalesce(${lastPrice}, ${sql.lit(order === "asc" ? Number.MAX_SAFE_INTEGER : -1)})`;
    }
    default: {
      return sql`b.newest_position`;
    }
  }
}

/** The place of a list's last row: whether its barcode is the term, its sort key and its barcode. */
const placeOf = (sort: Sort) =>
  z.tuple([z.boolean(), sort === "itemName" ? placeText : z.int(), placeText]);
type Place = z.infer<ReturnType<typeof placeOf>>;

type Row = {
  readonly barcode1: string;
  readonly item_name: string;
  readonly link: string;
  readonly image_url: string;
  readonly asin: string;
  readonly total: number;
  readonly owners: number;
  readonly is_exact: boolean;
  readonly sort_key: string | number;
  readonly matching: number;
};

/** Matching barcodes from a place on, at most `limit`; each has the number of all that match. */
async function findBarcodes(
  searches: Reads,
  viewerUid: string,
  query: {
    readonly term: string;
    readonly sort: Sort;
    readonly order: "asc" | "desc";
    readonly after: Place | undefined;
    readonly limit: number;
  },
): Promise<readonly Row[]> {
  const { term, sort, order, after, limit } = query;
  const words = wordsOf(term).map(
    (word) => sql`b.search_text like lower(${containing(word)}::text)`,
  );
  const matches = sql.join([sql`b.units > coalesce(o.units, 0)`, ...words], sql` and `);
  const isExact = term === "" ? sql`false` : sql`b.barcode1 = ${term}::text`;
  const direction = order === "asc" ? sql`asc` : sql`desc`;
  const behind = order === "asc" ? sql`>` : sql`<`;
  const type = sort === "itemName" ? sql`text` : sql`bigint`;
  const rest =
    after === undefined
      ? sql`true`
      : sql`(not m.is_exact and ${after[0]}::boolean
          or m.is_exact = ${after[0]}::boolean
            and (m.sort_key, m.barcode1 collate "C") ${behind} (${String(after[1])}::text::${type}, ${after[2]}::text))`;
  const { rows } = await sql<Row>`
    with own as materialized (
      select barcode1, sum(units) as units from ${items}
      where owner_uid = ${viewerUid} and in_stock group by barcode1),
    matching as materialized (
      select b.barcode1, ${isExact} as is_exact, ${keyOf(sort, order)} as sort_key
      from ${barcodes} b left join own o on o.barcode1 = b.barcode1
      where ${matches}),
    page as (
      select m.* from matching m where ${rest}
      order by m.is_exact desc, m.sort_key ${direction}, m.barcode1 collate "C" ${direction}
      limit ${limit})
    select b.barcode1, b.item_name, b.link, b.image_url, b.asin, b.units - coalesce(o.units, 0)::bigint as total,
      b.owners - (o.barcode1 is not null)::int as owners, m.is_exact, m.sort_key,
      (select count(*) from matching) as matching
    from page m
    join ${barcodes} b on b.barcode1 = m.barcode1
    left join own o on o.barcode1 = m.barcode1
    order by m.is_exact desc, m.sort_key ${direction}, m.barcode1 collate "C" ${direction}`.execute(
    searches,
  );
  return rows;
}

type Demand = {
  readonly barcode1: string;
  readonly last_price: number | null;
  readonly requests: number;
  readonly wanted: number;
};

/** Of these barcodes: the last price, and the other people's trades that still wait for sellers. */
async function readDemand(
  reads: Reads,
  viewerUid: string,
  codes: readonly string[],
): Promise<ReadonlyMap<string, Demand>> {
  const { rows } = await sql<Demand>`
    select b.barcode1, ${lastPrice} as last_price, w.requests, w.wanted
    from jsonb_array_elements_text(${JSON.stringify(codes)}::text::jsonb) as b (barcode1)
    cross join lateral (
      select count(*) as requests, coalesce(sum(t.quantity - t.accepted_units), 0)::bigint as wanted
      from ${trades} t
      where t.barcode1 = b.barcode1 and t.status = 'pending' and t.buyer_uid <> ${viewerUid}
        and t.quantity > t.accepted_units) w`.execute(reads);
  return new Map(rows.map((row) => [row.barcode1, row]));
}

function itemOf(row: Row, demand: Demand | undefined): MarketplaceItem {
  return {
    itemName: row.item_name,
    barcode1: row.barcode1,
    totalQuantity: row.total,
    consignorCount: row.owners,
    link: row.link,
    imageUrl: row.image_url,
    asin: row.asin,
    lastTradedPriceCents: demand?.last_price ?? null,
    openRequests: demand?.requests ?? 0,
    unitsWanted: demand?.wanted ?? 0,
  };
}

export type MarketReads = { readonly reads: Reads; readonly searches: Reads };

export type MarketPage = Pick<MarketplaceResponse, "items" | "nextCursor"> & {
  /** How many barcodes match, on all pages. */
  readonly matching: number;
};

/** One page of the marketplace as its screen shows it. */
export async function readMarketplace(
  reads: MarketReads,
  viewerUid: string,
  query: MarketplaceQuery,
): Promise<Pick<MarketplaceResponse, "items" | "count" | "nextCursor">> {
  const { matching, ...page } = await readMarketPage(reads, viewerUid, query);
  return {
    ...page,
    count: { value: Math.min(matching, COUNT_CAP), capped: matching > COUNT_CAP },
  };
}

/** One page of the marketplace without the viewer's own units. Names of sellers are never part of it. */
export async function readMarketPage(
  { reads, searches }: MarketReads,
  viewerUid: string,
  { searchTerm = "", sort: asked, order: given, cursor, limit }: MarketplaceQuery,
): Promise<MarketPage> {
  const sort = asked ?? "newest";
  const order = asked === undefined ? "desc" : given;
  const after = cursor === undefined ? undefined : placeIn(cursor, placeOf(sort));
  const found = await findBarcodes(searches, viewerUid, {
    term: searchTerm,
    sort,
    order,
    after,
    limit: limit + 1,
  });
  const shown = found.slice(0, limit);
  const demand = await readDemand(
    reads,
    viewerUid,
    shown.map(({ barcode1 }) => barcode1),
  );
  const last = shown.at(-1);
  return {
    items: shown.map((row) => itemOf(row, demand.get(row.barcode1))),
    matching: found[0]?.matching ?? 0,
    nextCursor:
      found.length > limit && last !== undefined
        ? cursorOf([last.is_exact, last.sort_key, last.barcode1])
        : null,
  };
}
