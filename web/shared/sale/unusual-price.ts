// Which prices a form asks about once more before they are booked. The rule is in services/decisions.md.
import { formatMoney } from "#web/lib/formats.ts";
import type { Cents } from "#ledger/money.ts";

/** A sale above this is asked about whatever is sold. */
const ALWAYS_ASKED_CENTS = 10_000_00;
/** A unit for more than this many times the highest price that is known of it: a slipped decimal point is ten times. */
const TIMES = 4;
/** Below this difference, nothing is lost by a wrong price. */
const LEAST_MORE_CENTS = 20_00;

export type EnteredPrice = {
  readonly units: number;
  /** Of all units. */
  readonly totalCents: Cents;
  /** The highest that is known of one unit: what was paid before, or its tag. Undefined without any. */
  readonly knownUnitCents: Cents | undefined;
};

/** The sentence that asks; undefined if the price is nothing unusual. */
export function unusualPrice({
  units,
  totalCents,
  knownUnitCents,
}: EnteredPrice): string | undefined {
  const unitCents = Math.round(totalCents / Math.max(1, units));
  if (
    knownUnitCents !== undefined &&
    unitCents > TIMES * knownUnitCents &&
    unitCents - knownUnitCents >= LEAST_MORE_CENTS
  ) {
    const each = units > 1 ? " each" : "";
    return `${formatMoney(unitCents)}${each} is far above the highest price so far, ${formatMoney(knownUnitCents)}.`;
  }
  return totalCents > ALWAYS_ASKED_CENTS
    ? `${formatMoney(totalCents)} is more than ${formatMoney(ALWAYS_ASKED_CENTS)}.`
    : undefined;
}
