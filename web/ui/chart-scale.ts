// Where a chart's lines and labels go: round amounts on the y axis, days on the x axis.
import type { Cents } from "#ledger/money.ts";

export type AmountScale = {
  readonly low: Cents;
  readonly high: Cents;
  /** Round amounts from low to high, including zero. */
  readonly ticks: readonly Cents[];
};

/** A chart of small amounts extends to ten dollars. */
const leastHigh = 1000;
/** Space above the highest and below the lowest value. */
const headroom = 1.08;

/** The smallest of 1, 2, 5, 10, 20, 50 … that is at least `least`. */
function roundStep(least: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return ([1, 2, 5].find((factor) => factor * magnitude >= least) ?? 10) * magnitude;
}

/** The scale for these amounts, with about `most` ticks at most. It always includes zero. */
export function amountScale(amounts: readonly Cents[], most: number): AmountScale {
  const [lowest, highest] = amounts.reduce(
    ([low, high], cents) => [Math.min(low, cents), Math.max(high, cents)],
    [0, 0],
  );
  const low = lowest * headroom;
  const high = Math.max(leastHigh, highest * headroom);
  const step = roundStep((high - low) / Math.max(1, most));
  const first = Math.ceil(low / step);
  return {
    low,
    high,
    // Adding zero turns minus zero into zero.
    ticks: Array.from(
      { length: Math.floor(high / step) - first + 1 },
      (_, index) => (first + index) * step + 0,
    ),
  };
}

const dayMs = 86_400_000;

/** Midnights between two instants with equal spacing, at most about `most` of them. The first instant where there is none. */
export function dayTicks(from: number, to: number, most: number): readonly number[] {
  const step = Math.max(1, Math.ceil((to - from) / dayMs / Math.max(1, most)));
  const ticks: number[] = [];
  const day = new Date(from);
  day.setHours(0, 0, 0, 0);
  if (day.getTime() < from) {
    day.setDate(day.getDate() + 1);
  }
  for (; day.getTime() <= to; day.setDate(day.getDate() + step)) {
    ticks.push(day.getTime());
  }
  return ticks.length === 0 ? [from] : ticks;
}

/** Pixels per character that a label below the axis needs, with the space for moving one at the edge inwards. */
const characterSpace = 12;

/** The distance between two labels below the axis at which none of these overlap. */
export function labelSpace(labels: readonly string[]): number {
  return characterSpace * Math.max(0, ...labels.map(({ length }) => length));
}

/** How many labels to skip after each one, so that labels of `labelWidth` do not overlap. */
export function labelStep(count: number, width: number, labelWidth: number): number {
  return Math.max(1, Math.ceil((count * labelWidth) / Math.max(1, width)));
}
