// Postings and movements: how an event says where money and units went, always from one place to another.
import type { Cents } from "#ledger/money.ts";

/** Money moved from one account to another: a positive integer of cents. */
export type Posting = { readonly from: string; readonly to: string; readonly cents: Cents };

/** Units moved from one holding to another: a positive integer. */
export type Movement = { readonly from: string; readonly to: string; readonly units: number };

/** Money `from` → `to`; a zero is left out and a negative amount goes the other way. */
export function move(from: string, to: string, cents: Cents): Posting[] {
  if (!Number.isSafeInteger(cents)) {
    throw new RangeError(`${cents} cents is not a whole amount`);
  }
  if (cents === 0) {
    return [];
  }
  return cents > 0 ? [{ from, to, cents }] : [{ from: to, to: from, cents: -cents }];
}

/** Units `from` → `to`; a zero is left out and a negative count goes the other way. */
export function moveUnits(from: string, to: string, units: number): Movement[] {
  if (!Number.isSafeInteger(units)) {
    throw new RangeError(`${units} units is not a whole count`);
  }
  if (units === 0) {
    return [];
  }
  return units > 0 ? [{ from, to, units }] : [{ from: to, to: from, units: -units }];
}

/** What the postings add to one account (negative where they take from it). */
export function netOf(postings: readonly Posting[], name: string): Cents {
  return postings.reduce(
    (net, posting) =>
      net + (posting.to === name ? posting.cents : 0) - (posting.from === name ? posting.cents : 0),
    0,
  );
}

/** What the movements add to one holding (negative where they take from it). */
export function netUnitsOf(movements: readonly Movement[], name: string): number {
  return movements.reduce(
    (net, movement) =>
      net +
      (movement.to === name ? movement.units : 0) -
      (movement.from === name ? movement.units : 0),
    0,
  );
}
