// What the days of the sample store work with: its goods and money so far, chance, and things planned for later.
import { productNamed } from "./catalog.ts";
import type { Product } from "./catalog.ts";
import type { SampleMoney } from "./money.ts";
import type { SampleConsignor } from "./people.ts";
import type { SampleItem, SampleStock } from "./stock.ts";

/** What the days work with. */
export type Past = {
  readonly stock: SampleStock;
  readonly money: SampleMoney;
  readonly random: () => number;
  /** The time this many days ago at an hour and minute; always in the past. */
  readonly at: (daysAgo: number, hour: number, minute?: number) => Date;
  /** What to do on a later day, by days ago. */
  readonly later: Map<number, ((at: Date) => void)[]>;
  /** Consignors whose sales and payouts come from a story, from a given day on. */
  readonly storyFrom: Map<SampleConsignor, number>;
};

/** Plans something for a later day. */
export function onDay(past: Past, daysAgo: number, work: (at: Date) => void): void {
  past.later.set(daysAgo, [...(past.later.get(daysAgo) ?? []), work]);
}

export function pick<Value>(past: Past, values: readonly Value[]): Value {
  const value = values[Math.floor(past.random() * values.length)];
  if (value === undefined) {
    throw new RangeError("Nothing to pick from");
  }
  return value;
}

/** A whole number from `least` to `most`. */
export function between(past: Past, least: number, most: number): number {
  return least + Math.floor(past.random() * (most - least + 1));
}

/** A place in the aisle of a product; a few things have none yet. */
export function locationOf(past: Past, product: Product): string {
  if (past.random() < 0.04) {
    return "";
  }
  const bay = String(between(past, 1, 8)).padStart(2, "0");
  return `${product.aisle}-${bay}-${String(between(past, 1, 5)).padStart(2, "0")}`;
}

/** The owner's item of a product; it is brought in that day if they have none. */
export function ownItem(
  past: Past,
  at: Date,
  who: SampleConsignor,
  name: string,
  quantity: number,
): SampleItem {
  const product = productNamed(name);
  const known = past.stock.itemOf(who, product);
  if (known === undefined) {
    const location = `${product.aisle}-02-03`;
    return past.stock.add(at, who, product, { quantity, location, condition: "Like new" });
  }
  past.stock.receive(at, known, quantity);
  return known;
}
