// Finds sales among a million: how a wish becomes SQL, newest first, page after page without skipping.
import type { Sql } from "#db/connect.ts";
import { containing, wordsOf } from "#db/like.ts";
import type { SaleKind } from "#features/sales/streams.ts";

export type SaleStatus = "sold" | "partly_refunded" | "refunded";

/** What to look for; undefined does not narrow the search. */
export type SaleWish = {
  /** A part of the item's name, whatever the case, or its exact barcode. */
  readonly searchTerm?: string | undefined;
  readonly consignorId?: string | undefined;
  readonly kind?: SaleKind | undefined;
  readonly channel?: "online" | "pos" | undefined;
  readonly status?: SaleStatus | undefined;
  /** Sold at or after, ISO 8601. */
  readonly from?: string | undefined;
  /** Sold before. */
  readonly to?: string | undefined;
};

/** A sale's row as `read.sales` has it. */
export type SaleRow = {
  readonly sale_id: string;
  readonly kind: SaleKind;
  readonly consignor_id: string | null;
  readonly item_id: string | null;
  readonly item_name: string;
  readonly barcode1: string | null;
  readonly units: number;
  readonly price_cents: number | null;
  readonly shipping_cents: number;
  readonly sales_tax_cents: number;
  readonly consignor_percentage: number | null;
  readonly payout_cents: number;
  readonly channel: "online" | "pos" | null;
  readonly refunded_units: number;
  readonly refunded_price_cents: number;
  readonly refunded_tax_cents: number;
  readonly refunded_payout_cents: number;
  readonly corrections: number;
  readonly version: number;
  readonly sold_at: Date;
  readonly position: number;
  readonly status: SaleStatus;
};

export const saleColumns = `sale_id, kind, consignor_id, item_id, item_name, barcode1, units, price_cents,
  shipping_cents, sales_tax_cents, consignor_percentage, payout_cents, channel, refunded_units,
  refunded_price_cents, refunded_tax_cents, refunded_payout_cents, corrections, version, sold_at, position,
  status`;

/**
 * How many of the newest sales are looked through before an index is asked. Most wishes fill a page sooner;
 * those that do not are rare enough for the index to hand over all of them at once.
 */
const NEWEST_FIRST = 10_000;

type Conditions = {
  /** Each of these leaves an index in the order of the list. */
  readonly ordered: readonly string[];
  /** What must be looked at row by row. */
  readonly looked: readonly string[];
  readonly parameters: readonly string[];
};

function conditionsOf(wish: SaleWish, cursor: string | undefined): Conditions {
  const parameters: string[] = [];
  const given = (value: string, type: string) => `$${parameters.push(value)}::text::${type}`;
  const ordered = ["true"];
  const looked: string[] = [];
  if (wish.consignorId !== undefined) {
    ordered.push(`consignor_id = ${given(wish.consignorId, "text")}`);
  }
  if (wish.from !== undefined) {
    ordered.push(`sold_at >= ${given(wish.from, "timestamptz")}`);
  }
  if (wish.to !== undefined) {
    ordered.push(`sold_at < ${given(wish.to, "timestamptz")}`);
  }
  if (cursor !== undefined) {
    const [soldAt, position] = readCursor(cursor);
    ordered.push(
      `(sold_at, position) < (${given(soldAt, "timestamptz")}, ${given(position, "bigint")})`,
    );
  }
  if (wish.status !== undefined) {
    const isRare = wish.status !== "sold";
    (isRare ? ordered : looked).push(`status = ${given(wish.status, "text")}`);
  }
  if (wish.kind !== undefined) {
    const isRare = wish.kind !== "consignor";
    (isRare ? ordered : looked).push(`kind = ${given(wish.kind, "text")}`);
  }
  if (wish.channel !== undefined) {
    looked.push(`channel = ${given(wish.channel, "text")}`);
  }
  if (wish.searchTerm !== undefined && wish.searchTerm.trim() !== "") {
    const everyWord = wordsOf(wish.searchTerm).map(
      (word) => `search_text like lower(${given(containing(word), "text")})`,
    );
    looked.push(`(${everyWord.join(" and ")} or barcode1 = ${given(wish.searchTerm, "text")})`);
  }
  return { ordered, looked, parameters };
}

/** Where the next page begins: behind this sale. */
export function cursorAfter(row: Pick<SaleRow, "sold_at" | "position">): string {
  return `${row.sold_at.getTime()}-${row.position}`;
}

function readCursor(cursor: string): [soldAt: string, position: string] {
  const [milliseconds = "", position = ""] = cursor.split("-");
  return [new Date(Number(milliseconds)).toISOString(), position];
}

/** A plan for these very parameters: one plan for every wish would be a bad one for most of them. */
function run<Row extends object>(
  sql: Sql,
  statement: string,
  parameters: readonly string[],
): Promise<readonly Row[]> {
  return sql.unsafe<Row[]>(statement, [...parameters], { prepare: false });
}

/** At most `limit` sales behind the cursor, newest first. */
export async function searchSales(
  sql: Sql,
  wish: SaleWish,
  cursor: string | undefined,
  limit: number,
): Promise<readonly SaleRow[]> {
  const { ordered, looked, parameters } = conditionsOf(wish, cursor);
  const inOrder = ordered.join(" and ");
  const page = `order by sold_at desc, position desc limit ${limit}`;
  if (looked.length === 0) {
    const statement = `select ${saleColumns} from read.sales where ${inOrder} ${page}`;
    return run<SaleRow>(sql, statement, parameters);
  }
  const walked = await run<SaleRow>(
    sql,
    `select ${saleColumns} from (
      select * from read.sales where ${inOrder}
      order by sold_at desc, position desc limit ${Math.max(NEWEST_FIRST, 4 * limit)}) newest
    where ${looked.join(" and ")} ${page}`,
    parameters,
  );
  if (walked.length === limit) {
    return walked;
  }
  // Materialized, so that the order of the page does not tempt the planner to walk the whole table.
  return run<SaleRow>(
    sql,
    `with matching as materialized (
      select sale_id, sold_at, position from read.sales
      where ${inOrder} and ${looked.join(" and ")}),
    page as (select sale_id from matching ${page})
    select ${saleColumns} from page join read.sales using (sale_id)
    order by sold_at desc, position desc`,
    parameters,
  );
}

/** How many sales match, up to `cap`; `capped` says that there are more. */
export async function countSales(
  sql: Sql,
  wish: SaleWish,
  cap: number,
): Promise<{ readonly value: number; readonly capped: boolean }> {
  const { ordered, looked, parameters } = conditionsOf(wish, undefined);
  const [row] = await run<{ count: number }>(
    sql,
    `select count(*) as count from (
      select from read.sales where ${[...ordered, ...looked].join(" and ")}
      limit ${cap + 1}) matching`,
    parameters,
  );
  const count = row?.count ?? 0;
  return { value: Math.min(count, cap), capped: count > cap };
}
