// Counts the sales that were recorded without a price: they move stock and no money, so they are not lines.
import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { Unpriced } from "#features/reports/figures.ts";
import { NONE_UNPRICED } from "#features/reports/figures.ts";
import { reportUnpricedTable } from "#features/reports/projection.ts";
import type { Bounds, Scope } from "#features/reports/queries-sums.ts";

/** Whether a sale had no price at a position; without one, now. */
export const isWithoutPrice = (
  pricedPosition: RawBuilder<unknown>,
  position: number | null,
): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${pricedPosition} is null or ${pricedPosition} > ${position}::bigint)`;

/**
 * For each part of a period, with a position as of then: a price that came later does not count. These are always sales
 * of the store's own items.
 */
export async function readUnpriced(
  searches: Reads,
  bounds: Bounds,
  scope: Scope,
  position: number | null = null,
): Promise<readonly Unpriced[]> {
  const instants = bounds.map((at) => at.toISOString());
  const parts = bounds.slice(1);
  if (scope.kind !== "store") {
    return parts.map(() => NONE_UNPRICED);
  }
  const { rows } = await sql<Unpriced & { readonly nth: number }>`
    select width_bucket(booked_at, string_to_array(${instants.join(",")}, ',')::timestamptz[]) as nth,
      count(*) as recorded, count(*) filter (where ${isWithoutPrice(sql`priced_position`, position)}) as left
    from ${nameOfTable(reportUnpricedTable)}
    where booked_at >= ${instants[0]}::text::timestamptz and booked_at < ${instants.at(-1)}::text::timestamptz
      and (${position}::bigint is null or position <= ${position}::bigint)
    group by 1`.execute(searches);
  return parts.map((_end, index) => {
    const row = rows.find(({ nth }) => nth === index + 1);
    return row === undefined ? NONE_UNPRICED : { recorded: row.recorded, left: row.left };
  });
}

/** Adds up consecutive parts. */
export function wholeUnpriced(parts: readonly Unpriced[]): Unpriced {
  return {
    recorded: parts.reduce((sum, { recorded }) => sum + recorded, 0),
    left: parts.reduce((sum, { left }) => sum + left, 0),
  };
}
