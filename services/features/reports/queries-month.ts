// The totals of the store's months: what the reports show, and what closing a month stores.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { MonthTotals, OwedCents, ShrinkageReason } from "#features/reports/contract-month.ts";
import { reportUnitsTable } from "#features/reports/projection.ts";
import type { Months, MonthSums, Scope, Sums } from "#features/reports/queries-sums.ts";
import { NO_SUMS, readMonthSums } from "#features/reports/queries-sums.ts";

type UnitsRow = {
  readonly nth: number;
  readonly reason: ShrinkageReason;
  readonly units: number;
};

async function readUnits(
  searches: Reads,
  { first, count, timeZone }: Months,
  scope: Scope,
  position: number | null,
): Promise<readonly UnitsRow[]> {
  const begin = (months: number) =>
    sql`((${first}::text || '-01')::timestamp + make_interval(months => ${months}::int)) at time zone ${timeZone}::text`;
  const isOf = scope.kind === "store" ? sql`true` : sql`u.uid = ${scope.uid}`;
  const { rows } = await sql<UnitsRow>`
    select nth, reason, read.total(units) as units
    from (
      select (extract(year from age(day, first)) * 12 + extract(month from age(day, first)))::int + 1 as nth, reason, units
      from (
        select date_trunc('month', u.booked_at at time zone ${timeZone}::text) as day,
          (${first}::text || '-01')::timestamp as first, u.reason, u.units
        from ${nameOfTable(reportUnitsTable)} u
        where u.booked_at >= ${begin(0)} and u.booked_at < ${begin(count)} and ${isOf}
          and (${position}::bigint is null or u.position <= ${position}::bigint)) u) m
    group by nth, reason
    having read.total(units) <> 0
    order by nth, reason`.execute(searches);
  return rows;
}

const owedIn = ({ available, pending, held }: Sums): OwedCents => ({
  availableCents: available,
  pendingCents: pending,
  heldCents: held,
});

function plus(one: OwedCents, other: OwedCents): OwedCents {
  return {
    availableCents: one.availableCents + other.availableCents,
    pendingCents: one.pendingCents + other.pendingCents,
    heldCents: one.heldCents + other.heldCents,
  };
}

/** Totals without shrinkage, opening and closing. */
export function totalsOf(own: Sums, consigned: Sums) {
  const grossOf = (sums: Sums) => ({
    soldCents: sums.price_sold,
    refundedCents: sums.price_refunded,
    correctedCents: sums.price_corrected,
    storeCents: sums.share,
  });
  const both = (name: keyof Sums) => own[name] + consigned[name];
  const { price_sold: sold, price_refunded: refunded, price_corrected: corrected } = consigned;
  return {
    sales: both("sales"),
    own: grossOf(own),
    consigned: grossOf(consigned),
    consignorCents: sold - refunded + corrected - consigned.share - consigned.shipping,
    shippingCents: both("shipping"),
    tax: {
      collectedCents: both("tax_collected"),
      refundedCents: both("tax_refunded"),
      correctedCents: both("tax_corrected"),
      remittedCents: both("tax_remitted"),
    },
    commissionCents: both("commission"),
    tradeFeeCents: both("trade_fee"),
    tradedCents: both("traded"),
    paidCents: both("paid"),
    returnedCents: both("returned"),
    adjustedCents: both("adjusted"),
    takenOverCents: both("taken_over"),
  };
}

/** The totals of each month, by lines up to a position; null is all. */
export async function readMonths(
  searches: Reads,
  months: Months,
  scope: Scope,
  position: number | null = null,
): Promise<readonly MonthTotals[]> {
  const [rows, units] = await Promise.all([
    readMonthSums(searches, months, scope, position),
    readUnits(searches, months, scope, position),
  ]);
  const find = (nth: number, isOwn: boolean): Sums =>
    rows.find((row: MonthSums) => row.nth === nth && row.is_own === isOwn) ?? NO_SUMS;
  let opening = owedIn(find(0, false));
  return Array.from({ length: months.count }, (_, index): MonthTotals => {
    const consigned = find(index + 1, false);
    const before = opening;
    opening = plus(before, owedIn(consigned));
    return {
      ...totalsOf(find(index + 1, true), consigned),
      shrinkage: units
        .filter(({ nth }) => nth === index + 1)
        .map(({ reason, units: count }) => ({ reason, units: count })),
      opening: before,
      closing: opening,
    };
  });
}

/**
 * The totals of one month of the store ("2026-11") by what was recorded up to a position. The tables must have reached
 * that position: read it with `readsFrom("reports")`.
 */
export async function readMonthTotals(
  searches: Reads,
  { month, timeZone, position }: { month: string; timeZone: string; position: number },
): Promise<MonthTotals> {
  const months = { first: month, count: 1, timeZone };
  const [totals] = await readMonths(searches, months, { kind: "store" }, position);
  if (totals === undefined) {
    throw new Error("A month without totals");
  }
  return totals;
}
