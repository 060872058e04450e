// The totals of the store's months: what the reports show, and what closing a month stores.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { MonthTotals, OwedCents, ShrinkageReason } from "#features/reports/contract-month.ts";
import { reportUnitsTable } from "#features/reports/projection.ts";
import type { Bounds, PartSums, Scope, Sums } from "#features/reports/queries-sums.ts";
import { isIn, NO_SUMS, readPartSums } from "#features/reports/queries-sums.ts";

type UnitsRow = {
  readonly nth: number;
  readonly reason: ShrinkageReason;
  readonly units: number;
  readonly value: number;
  readonly unvalued: number;
};

/** Units that left without a sale, by part and reason. They are few, so they are counted each time. */
async function readUnits(
  searches: Reads,
  bounds: Bounds,
  scope: Scope,
  position: number | null,
): Promise<readonly UnitsRow[]> {
  const instants = bounds.map((at) => at.toISOString());
  const { rows } = await sql<UnitsRow>`
    select width_bucket(u.booked_at, string_to_array(${instants.join(",")}, ',')::timestamptz[]) as nth, u.reason,
      read.total(u.units) as units, coalesce(read.total(u.value_cents), 0) as value,
      coalesce(read.total(u.units) filter (where u.value_cents is null), 0) as unvalued
    from ${nameOfTable(reportUnitsTable)} u
    where u.booked_at >= ${instants[0]}::text::timestamptz and u.booked_at < ${instants.at(-1)}::text::timestamptz
      and ${isIn(scope, sql`u.uid`)} and (${position}::bigint is null or u.position <= ${position}::bigint)
    group by 1, 2
    having read.total(u.units) <> 0 or coalesce(read.total(u.value_cents), 0) <> 0
      or coalesce(read.total(u.units) filter (where u.value_cents is null), 0) <> 0
    order by 1, 2`.execute(searches);
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

const grossOf = (sums: Sums) => ({
  soldCents: sums.price_sold,
  refundedCents: sums.price_refunded,
  correctedCents: sums.price_corrected,
  storeCents: sums.share,
});

/** The totals of a part, without units and what is owed. */
export function totalsOf(own: Sums, consigned: Sums) {
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
      taxedCents: both("taxed"),
      exemptCents: both("exempt"),
      untaxedCents: both("untaxed"),
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

/** The totals of each part of a period, by lines up to a position; null is all. */
export async function readParts(
  searches: Reads,
  bounds: Bounds,
  scope: Scope,
  position: number | null = null,
): Promise<readonly MonthTotals[]> {
  const [rows, units] = await Promise.all([
    readPartSums(searches, bounds, scope, position),
    readUnits(searches, bounds, scope, position),
  ]);
  const find = (nth: number, isOwn: boolean): Sums =>
    rows.find((row: PartSums) => row.nth === nth && row.is_own === isOwn) ?? NO_SUMS;
  let owed = owedIn(find(0, false));
  return bounds.slice(1).map((_end, index): MonthTotals => {
    const consigned = find(index + 1, false);
    const opening = owed;
    owed = plus(opening, owedIn(consigned));
    return {
      ...totalsOf(find(index + 1, true), consigned),
      shrinkage: units
        .filter(({ nth }) => nth === index + 1)
        .map(({ reason, units: count, value, unvalued }) => ({
          reason,
          units: count,
          valueCents: value,
          unvaluedUnits: unvalued,
        })),
      opening,
      closing: owed,
    };
  });
}
