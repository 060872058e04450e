// Finds sales among a million: turns a query into SQL, in any order, page after page without skipping.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import { salesTable } from "#features/sales/projection.ts";
import type { After, SaleQuery, SaleRow } from "#features/sales/search-conditions.ts";
import {
  conditionsOf,
  FIRST_WALK,
  saleColumns,
  saleRow,
} from "#features/sales/search-conditions.ts";
import { searchSorted } from "#features/sales/search-sorted.ts";

const inSales = withTables(salesTable);
/** The cursor: the next page begins after this sale, whatever the sort. */
export function cursorAfter(sale: Pick<SaleRow, "sold_at" | "position">): string {
  return `${sale.sold_at.getTime()}-${sale.position}`;
}

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
    const behind = saleRow.tuple(saleRow.val(soldAt), saleRow.val(position));
    inOrder.push(
      saleRow(saleRow.refTuple("sold_at", "position"), order === "desc" ? "<" : ">", behind),
    );
  }
  const sales = inSales(searches);
  const walk = sales
    .selectFrom("read.sales")
    .where(saleRow.and(inOrder))
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
    .where(saleRow.and(looked))
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
          .where(saleRow.and([...inOrder, ...looked])),
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
    .where(saleRow.and([...ordered, ...looked]))
    .limit(sql.lit(cap + 1));
  const counted = await sales
    .selectFrom(matching.as("matching"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirst();
  const count = counted?.count ?? 0;
  return { value: Math.min(count, cap), capped: count > cap };
}
