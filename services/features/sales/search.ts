// Finds sales among a million: turns a query into SQL, in any order, page after page without skipping.
import type { Expression, SqlBool } from "kysely";
import { expressionBuilder, sql } from "kysely";
import { containing, wordsOf } from "#db/like.ts";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import type { RowOf } from "#ledger/projection/columns.ts";
import { columnsOf } from "#ledger/projection/columns.ts";
import type { SaleSort } from "#features/sales/contract.ts";
import { salesTable } from "#features/sales/projection.ts";
import { searchSorted } from "#features/sales/search-sorted.ts";

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
export const FIRST_WALK = 10_000;

export type Conditions = {
  /** Conditions with an index in the list's order. */
  readonly ordered: readonly Expression<SqlBool>[];
  /** Conditions that are checked row by row. */
  readonly looked: readonly Expression<SqlBool>[];
};

/** True if the query searches for a text. */
export function isSearched({ searchTerm }: SaleQuery): boolean {
  return searchTerm !== undefined && searchTerm.trim() !== "";
}

export function conditionsOf(query: SaleQuery): Conditions {
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
  if (searchTerm !== undefined && isSearched({ searchTerm })) {
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

export type After = { readonly soldAt: Date; readonly position: number };

function readCursor(cursor: string): After {
  const [milliseconds = "", position = ""] = cursor.split("-");
  return { soldAt: new Date(Number(milliseconds)), position: Number(position) };
}

/** At most `limit` sales after the cursor. */
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
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const sorting = { sort, order, consignorId: query.consignorId };
  return searchSorted(searches, conditionsOf(query), sorting, after, limit);
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
