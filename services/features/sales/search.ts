// Finds sales among a million: turns a query into SQL, in any order, page after page without skipping.
import type { Expression, SqlBool } from "kysely";
import { expressionBuilder, sql } from "kysely";
import { containing, wordsOf } from "#db/like.ts";
import { badRequest } from "#http/errors.ts";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import type { RowOf } from "#ledger/projection/columns.ts";
import { columnsOf } from "#ledger/projection/columns.ts";
import type { SaleSort } from "#features/sales/contract.ts";
import { MOST_SORTED_SALES } from "#features/sales/contract.ts";
import { salesTable } from "#features/sales/projection.ts";

const inSales = withTables(salesTable);
const row = expressionBuilder<{ sale: RowOf<typeof salesTable> }, "sale">();

/** The columns that lists need. */
export type SaleRow = Omit<RowOf<typeof salesTable>, "search_text" | "updated_position">;
export const saleColumns = columnsOf(salesTable, "search_text", "updated_position");

/** Filters; undefined matches everything. */
export type SaleQuery = {
  /** A part of the item's name, ignoring case, or its exact barcode. */
  readonly searchTerm?: string | undefined;
  readonly consignorId?: string | undefined;
  readonly kind?: SaleRow["kind"] | undefined;
  readonly channel?: "online" | "pos" | undefined;
  readonly status?: SaleRow["status"] | undefined;
  /** Sold at or after, ISO 8601. */
  readonly from?: string | undefined;
  /** Sold before. */
  readonly to?: string | undefined;
  /** Without it, newest first, regardless of `order`. */
  readonly sort?: SaleSort | undefined;
  readonly order?: "asc" | "desc";
};

/**
 * How many sales are scanned in the list's order before the other indexes are used. Most queries fill a page sooner;
 * if one does not, its matches are rare enough to fetch all of them from an index.
 */
const FIRST_WALK = 10_000;

type Conditions = {
  /** Conditions with an index in the list's order. */
  readonly ordered: readonly Expression<SqlBool>[];
  /** Conditions that are checked row by row. */
  readonly looked: readonly Expression<SqlBool>[];
};

function conditionsOf(query: SaleQuery): Conditions {
  const ordered: Expression<SqlBool>[] = [];
  const looked: Expression<SqlBool>[] = [];
  const { consignorId, from, to, status, kind, channel, searchTerm } = query;
  if (consignorId !== undefined) {
    ordered.push(row("consignor_id", "=", consignorId));
  }
  if (from !== undefined) {
    ordered.push(row("sold_at", ">=", sql<Date>`${from}::text::timestamptz`));
  }
  if (to !== undefined) {
    ordered.push(row("sold_at", "<", sql<Date>`${to}::text::timestamptz`));
  }
  if (status !== undefined) {
    (status === "sold" ? looked : ordered).push(row("status", "=", status));
  }
  if (kind !== undefined) {
    (kind === "consignor" ? looked : ordered).push(row("kind", "=", kind));
  }
  if (channel !== undefined) {
    looked.push(row("channel", "=", channel));
  }
  if (searchTerm !== undefined && searchTerm.trim() !== "") {
    const hasEveryWord = wordsOf(searchTerm).map(
      (word) => sql<SqlBool>`search_text like lower(${containing(word)}::text)`,
    );
    looked.push(row.or([row.and(hasEveryWord), row("barcode1", "=", searchTerm)]));
  }
  return { ordered, looked };
}

/** The cursor: the next page begins after this sale, whatever the sort. */
export function cursorAfter(sale: Pick<SaleRow, "sold_at" | "position">): string {
  return `${sale.sold_at.getTime()}-${sale.position}`;
}

function readCursor(cursor: string): { readonly soldAt: Date; readonly position: number } {
  const [milliseconds = "", position = ""] = cursor.split("-");
  return { soldAt: new Date(Number(milliseconds)), position: Number(position) };
}

/** At most `limit` sales after the cursor. Throws HttpError 400 `too_many_to_sort`. */
export function searchSales(
  searches: Reads,
  query: SaleQuery,
  cursor: string | undefined,
  limit: number,
): Promise<readonly SaleRow[]> {
  const { sort, order = "asc" } = query;
  if (sort === undefined || sort === "date") {
    return searchByDate(searches, query, sort === undefined ? "desc" : order, cursor, limit);
  }
  return searchSorted(searches, query, { sort, order }, cursor, limit);
}

async function searchByDate(
  searches: Reads,
  query: SaleQuery,
  order: "asc" | "desc",
  cursor: string | undefined,
  limit: number,
): Promise<readonly SaleRow[]> {
  const { ordered, looked } = conditionsOf(query);
  const inOrder = [...ordered];
  if (cursor !== undefined) {
    const { soldAt, position } = readCursor(cursor);
    const behind = row.tuple(row.val(soldAt), row.val(position));
    inOrder.push(row(row.refTuple("sold_at", "position"), order === "desc" ? "<" : ">", behind));
  }
  const sales = inSales(searches);
  const walk = sales
    .selectFrom("read.sales")
    .where(row.and(inOrder))
    .orderBy("sold_at", order)
    .orderBy("position", order);
  if (looked.length === 0) {
    return walk.select(saleColumns).limit(sql.lit(limit)).execute();
  }
  const walked = await sales
    .selectFrom(
      walk
        .selectAll()
        .limit(sql.lit(Math.max(FIRST_WALK, 4 * limit)))
        .as("first"),
    )
    .select(saleColumns)
    .where(row.and(looked))
    .orderBy("sold_at", order)
    .orderBy("position", order)
    .limit(sql.lit(limit))
    .execute();
  if (walked.length === limit) {
    return walked;
  }
  // Materialized, so that the page's order does not lead the planner to scan the whole table.
  return sales
    .with(
      (cte) => cte("matching").materialized(),
      (query_) =>
        query_
          .selectFrom("read.sales")
          .select(["sale_id", "sold_at", "position"])
          .where(row.and([...inOrder, ...looked])),
    )
    .with("page", (query_) =>
      query_
        .selectFrom("matching")
        .select("matching.sale_id")
        .orderBy("sold_at", order)
        .orderBy("position", order)
        .limit(sql.lit(limit)),
    )
    .selectFrom("page")
    .innerJoin("read.sales as s", "s.sale_id", "page.sale_id")
    .select(saleColumns.map((name) => `s.${name}` as const))
    .orderBy("s.sold_at", order)
    .orderBy("s.position", order)
    .execute();
}

/** Sort keys of a row of `read.sales`. */
const sortKeys = {
  item: sql`search_text collate "C"`,
  quantity: sql`units`,
  price: sql`coalesce(price_cents, 0)`,
  shipping: sql`shipping_cents`,
  percentage: sql`coalesce(consignor_percentage, 0)`,
  payout: sql`payout_cents - refunded_payout_cents`,
} as const;

/** No index has these orders: the matching sales are found first, and then sorted. */
async function searchSorted(
  searches: Reads,
  query: SaleQuery,
  { sort, order }: { readonly sort: keyof typeof sortKeys; readonly order: "asc" | "desc" },
  cursor: string | undefined,
  limit: number,
): Promise<readonly SaleRow[]> {
  const { ordered, looked } = conditionsOf(query);
  const key = sortKeys[sort];
  const direction = order === "asc" ? sql`asc` : sql`desc`;
  const after = cursor === undefined ? undefined : readCursor(cursor);
  // Another consignor's sale is no place in this list: the page would tell how it compares.
  const { consignorId } = query;
  const isTheirs = consignorId === undefined ? sql`true` : row("consignor_id", "=", consignorId);
  const isBehind =
    after === undefined
      ? sql`true`
      : sql`(key, sold_at, position) ${order === "asc" ? sql`>` : sql`<`} (
          (select ${key} from read.sales where sold_at = ${after.soldAt} and position = ${after.position}
            and ${isTheirs}),
          ${after.soldAt}, ${after.position})`;
  const { rows } = await sql<SaleRow & { readonly matched: number }>`
    with matching as materialized (
      select sale_id, sold_at, position, ${key} as key from read.sales
      where ${row.and([...ordered, ...looked])} limit ${MOST_SORTED_SALES + 1}),
    page as (
      select sale_id, key from matching where ${isBehind}
      order by key ${direction}, sold_at ${direction}, position ${direction} limit ${limit})
    select ${sql.join(saleColumns.map((name) => sql.ref(`s.${name}`)))},
      (select count(*) from matching) as matched
    from page join read.sales s on s.sale_id = page.sale_id
    order by page.key ${direction}, s.sold_at ${direction}, s.position ${direction}`.execute(
    searches,
  );
  if ((rows[0]?.matched ?? 0) > MOST_SORTED_SALES) {
    const most = MOST_SORTED_SALES.toLocaleString("en-US");
    throw badRequest(
      "too_many_to_sort",
      `More than ${most} sales match. Narrow the search, or sort by date`,
      "sort",
    );
  }
  return rows;
}

/** How many sales match, up to `cap`; `capped` if there are more. */
export async function countSales(
  searches: Reads,
  query: SaleQuery,
  cap: number,
): Promise<{ readonly value: number; readonly capped: boolean }> {
  const { ordered, looked } = conditionsOf(query);
  const sales = inSales(searches);
  const matching = sales
    .selectFrom("read.sales")
    .select(sql.lit(1).as("one"))
    .where(row.and([...ordered, ...looked]))
    .limit(sql.lit(cap + 1));
  const counted = await sales
    .selectFrom(matching.as("matching"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirst();
  const count = counted?.count ?? 0;
  return { value: Math.min(count, cap), capped: count > cap };
}
