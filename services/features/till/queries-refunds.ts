// The refunds of one day, each with its sale: the rows behind the refunds of End of Day.
import type { RawBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import { toDollars } from "#ledger/money.ts";
import { saleRefundsTable, salesTable } from "#features/sales/projection.ts";
import type { RefundsBy, TillRefundsResponse } from "#features/till/contract.ts";
import type { DayBounds } from "#features/till/queries-bounds.ts";

const inRefunds = withTables(saleRefundsTable, salesTable);

/** As `readPayments` and `readElsewhere` divide them. */
function isBy(by: RefundsBy | undefined): RawBuilder<SqlBool> {
  if (by === undefined) {
    return sql<SqlBool>`(r.tender is not null or s.channel = 'pos')`;
  }
  if (by === "unsaid") {
    return sql<SqlBool>`r.tender is null and s.channel = 'pos'`;
  }
  return by === "elsewhere"
    ? sql<SqlBool>`r.tender is null and s.channel is distinct from 'pos'`
    : sql<SqlBool>`r.tender = ${by}`;
}

type RefundsQuery = {
  readonly by: RefundsBy | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
};

function refundsOf(reads: Reads, { from, to }: DayBounds, by: RefundsBy | undefined) {
  return inRefunds(reads)
    .selectFrom("read.sale_refunds as r")
    .innerJoin("read.sales as s", "s.sale_id", "r.sale_id")
    .where("r.refunded_at", ">=", from)
    .where("r.refunded_at", "<", to)
    .where(isBy(by));
}

export async function readDayRefunds(
  reads: Reads,
  bounds: DayBounds,
  query: RefundsQuery,
): Promise<TillRefundsResponse> {
  const { by, cursor, limit } = query;
  const page = refundsOf(reads, bounds, by)
    .select(["r.position", "r.sale_id", "r.units", "r.price_cents", "r.tax_cents", "r.tender"])
    .select(["r.refunded_at", "s.item_name", "s.sold_at"])
    .where("r.position", "<", Number(cursor ?? Number.MAX_SAFE_INTEGER))
    .orderBy("r.position", "desc")
    .limit(limit + 1);
  const sum = refundsOf(reads, bounds, by).select((eb) => [
    eb.fn.countAll<number>().as("count"),
    sql<number>`coalesce(sum(r.price_cents + r.tax_cents), 0)::bigint`.as("cents"),
  ]);
  const [rows, total] = await Promise.all([page.execute(), sum.executeTakeFirst()]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    refunds: shown.map((row) => ({
      position: row.position,
      saleID: row.sale_id,
      itemName: row.item_name,
      units: row.units,
      amount: toDollars(row.price_cents + row.tax_cents),
      tender: row.tender,
      refundedAt: row.refunded_at.toISOString(),
      soldAt: row.sold_at.toISOString(),
    })),
    total: { count: total?.count ?? 0, amount: toDollars(total?.cents ?? 0) },
    nextCursor: rows.length > limit && last !== undefined ? String(last.position) : null,
  };
}
