// Whatever is sold, corrected and refunded, in any order: no cent and no unit is lost or created.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { NewEvent } from "#ledger/event.ts";
import type { MemoryBooks } from "#testing/shop/memory-books.ts";
import { correctSale } from "#features/sales/decider-correct.ts";
import { recordCustomSale, recordMasterSale, recordSale } from "#features/sales/decider-record.ts";
import { refundSale } from "#features/sales/decider-refund.ts";
import {
  available,
  correcting,
  idOf,
  lamp,
  masterId,
  refunding,
  saleBooks,
  selling,
  sellingCustom,
  sellingMaster,
} from "#testing/shop/sale-books.ts";
import type { RecordedSale } from "#features/sales/streams.ts";
import { saleStream, saleStreamId } from "#features/sales/streams.ts";

const cents = fc.integer({ min: 0, max: 3000 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const saleId = fc.integer({ min: 1, max: 3 }).map(idOf);
const units = fc.integer({ min: 1, max: 4 });

const record = fc.record({
  act: fc.constant("record" as const),
  kind: fc.constantFrom("consignor", "master", "custom"),
  saleId,
  units,
  priceCents: fc.integer({ min: 1, max: 3000 }),
  priced: fc.boolean(),
  shippingCents: cents,
  salesTaxCents: cents,
  consignorPercentage: fc.integer({ min: 0, max: 100 }),
});
const correct = fc.record({
  act: fc.constant("correct" as const),
  saleId,
  units: maybe(units),
  priceCents: maybe(fc.integer({ min: 1, max: 3000 })),
  shippingCents: maybe(cents),
  salesTaxCents: maybe(cents),
  payoutCents: maybe(cents),
});
const refund = fc.record({
  act: fc.constant("refund" as const),
  saleId,
  units: fc.constantFrom(1, 2, "all that is left" as const),
  amountCents: maybe(fc.integer({ min: 1, max: 3000 })),
  restock: fc.boolean(),
});
const anyStep = fc.oneof(record, correct, refund, refund);
type Step = typeof anyStep extends fc.Arbitrary<infer One> ? One : never;
const steps: fc.Arbitrary<Step[]> = fc
  .tuple(record, fc.array(anyStep, { maxLength: 30, size: "max" }))
  .map(([first, rest]) => [first, ...rest]);

function take(books: MemoryBooks, step: Step): void {
  if (step.act === "correct") {
    const { act: _act, saleId, ...changes } = step;
    books.when(correctSale, correcting(changes, { saleId }));
  } else if (step.act === "refund") {
    const { act: _act, units, ...rest } = step;
    const left = unitsLeft(books, step.saleId);
    books.when(refundSale, refunding(units === "all that is left" ? left : units, rest));
  } else if (step.kind === "consignor") {
    books.when(recordSale, selling(step));
  } else if (step.kind === "master") {
    const priceCents = step.priced ? step.priceCents : null;
    books.when(recordMasterSale, sellingMaster({ ...step, itemId: masterId, priceCents }));
  } else {
    books.when(recordCustomSale, sellingCustom({ ...step, amountCents: step.priceCents }));
  }
}

/** The sum of one sale's postings to an account. */
function netOfSale(events: readonly NewEvent[], saleId: string, name: string): number {
  let net = 0;
  for (const event of events) {
    if (event.streams.includes(saleStreamId(saleId))) {
      for (const { from, to, cents } of event.postings) {
        net += (to === name ? cents : 0) - (from === name ? cents : 0);
      }
    }
  }
  return net;
}

function recordedSales(books: MemoryBooks): [string, RecordedSale][] {
  return [1, 2, 3].map(idOf).flatMap((saleId) => {
    const { state } = books.stream(saleStream, saleStreamId(saleId));
    return state.status === "none" ? [] : [[saleId, state] as [string, RecordedSale]];
  });
}

/** Each posting moves whole, positive cents between two different accounts. */
function expectSoundEvents(events: readonly NewEvent[]): void {
  for (const { postings, movements } of events) {
    for (const { from, to, cents } of postings) {
      expect(cents > 0 && Number.isSafeInteger(cents) && from !== to).toBe(true);
    }
    for (const { from, to, units } of movements) {
      expect(units > 0 && Number.isSafeInteger(units) && from !== to).toBe(true);
    }
  }
}

function expectBooksToAgree(books: MemoryBooks): void {
  for (const [saleId, { kind, terms, refunded }] of recordedSales(books)) {
    const net = (name: string) => netOfSale(books.events, saleId, name);
    const price = terms.priceCents ?? 0;
    const hasPayee = kind !== "master";
    expect(net("world:customers")).toBe(
      refunded.priceCents + refunded.salesTaxCents - price - terms.salesTaxCents,
    );
    expect(net(available)).toBe(hasPayee ? terms.payoutCents - refunded.payoutCents : 0);
    expect(net("store:sales-tax")).toBe(terms.salesTaxCents - refunded.salesTaxCents);
    expect(net("store:shipping")).toBe(terms.shippingCents);
    expect(refunded.units).toBeLessThanOrEqual(terms.units);
    expect(refunded.priceCents).toBeLessThanOrEqual(price);
    expect(refunded.salesTaxCents).toBeLessThanOrEqual(terms.salesTaxCents);
    expect(refunded.payoutCents).toBeLessThanOrEqual(terms.payoutCents);
  }
}

function expectUnitsToAgree(books: MemoryBooks, lamps: number, masters: number): void {
  const shelf = books.unitsIn(lamp) + books.unitsIn(`item:${masterId}`);
  expect(shelf + books.unitsIn("world:sold")).toBe(lamps + masters);
  expect(books.unitsIn(lamp)).toBeGreaterThanOrEqual(0);
  expect(books.unitsIn(`item:${masterId}`)).toBeGreaterThanOrEqual(0);
  const restocked = books.events.reduce((sum, { type, movements }) => {
    return sum + (type === "SaleRefunded" ? (movements[0]?.units ?? 0) : 0);
  }, 0);
  const sold = recordedSales(books)
    .filter(([, { kind }]) => kind !== "custom")
    .reduce((sum, [, { terms }]) => sum + terms.units, 0);
  expect(books.unitsIn("world:sold")).toBe(sold - restocked);
}

test("each leg is the sale's terms minus its refunds, and stock adds up", () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const books = saleBooks(6, 5);
      for (const step of taken) {
        take(books, step);
      }
      expect(books.events.length).toBeGreaterThan(0);
      expectSoundEvents(books.events);
      expectBooksToAgree(books);
      expectUnitsToAgree(books, 6, 5);
    }),
    { numRuns: 500 },
  );
});

test("after a full refund, only the shipping is still booked", () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const books = saleBooks(6, 5);
      for (const step of taken) {
        take(books, step);
      }
      for (const [saleId, { terms }] of recordedSales(books)) {
        const left = unitsLeft(books, saleId);
        if (left > 0) {
          books.when(refundSale, refunding(left, { saleId, restock: false }));
        }
        const rest = restOf(books, saleId);
        if (rest > 0) {
          books.when(refundSale, refunding(0, { saleId, amountCents: rest }));
        }
        const net = (name: string) => netOfSale(books.events, saleId, name);
        expect(net("world:customers")).toBe(0);
        expect(net("store:sales-tax")).toBe(0);
        expect(net(available)).toBe(0);
        expect(net("store:shipping")).toBe(terms.shippingCents);
        expect(net("store:revenue")).toBe(0 - terms.shippingCents);
      }
    }),
    { numRuns: 500 },
  );
});

function unitsLeft(books: MemoryBooks, saleId: string): number {
  const { state } = books.stream(saleStream, saleStreamId(saleId));
  return state.status === "none" ? 1 : state.terms.units - state.refunded.units;
}

function restOf(books: MemoryBooks, saleId: string): number {
  const { state } = books.stream(saleStream, saleStreamId(saleId));
  return state.status === "none" ? 0 : (state.terms.priceCents ?? 0) - state.refunded.priceCents;
}
