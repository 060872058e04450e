// How sales read: the steps of a ledger line add up to the last one, which is the line's change of the balance.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { saleExplanations } from "#features/sales/explain.ts";
import { correctSale } from "#features/sales/decider-correct.ts";
import { recordMasterSale, recordSale } from "#features/sales/decider-record.ts";
import { refundSale } from "#features/sales/decider-refund.ts";
import { saleEvents } from "#features/sales/events.ts";
import { CUSTOMERS } from "#features/sales/streams.ts";
import { titleOnly } from "#features/histories.ts";
import type { Histories } from "#features/histories.ts";
import type { NewEvent } from "#ledger/event.ts";
import { explained, readIn } from "#ledger/explain.ts";
import { netOf } from "#ledger/posting.ts";
import {
  available,
  correcting,
  idOf,
  refunding,
  saleBooks,
  selling,
  sellingMaster,
} from "#testing/shop/sale-books.ts";

const register = new Map(
  explained<typeof saleEvents, Histories>(saleEvents, saleExplanations).map((event) => [
    event.definition.type,
    event,
  ]),
);
const stepsOf = (event: NewEvent) =>
  readIn(register, "consignor", event, { uid: "nobody" })?.words.steps ?? [];
const itemLineOf = (event: NewEvent | undefined) =>
  event === undefined ? null : readIn(register, "item", event, { unitsDelta: 0 });

const cents = fc.integer({ min: 0, max: 9000 });

test("the steps of each line add up to its amount, whatever the sale, its correction and its refund", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9000 }),
      cents,
      fc.nat(100),
      cents,
      fc.boolean(),
      (priceCents, shippingCents, consignorPercentage, payoutCents, isCorrected) => {
        const books = saleBooks();
        books.when(recordSale, selling({ priceCents, shippingCents, consignorPercentage }));
        if (isCorrected) {
          books.when(correctSale, correcting({ payoutCents }));
        }
        books.when(refundSale, refunding(1));
        books.when(refundSale, refunding(1));
        const told = books.events.filter(({ type }) => type.startsWith("Sale"));
        expect(told.length).toBeGreaterThanOrEqual(3);
        for (const event of told) {
          const all = stepsOf(event);
          const last = all.at(-1)?.cents;
          expect(last).toBe(netOf(event.postings, available));
          expect(all.slice(0, -1).reduce((sum, step) => sum + step.cents, 0)).toBe(last);
          const labels = all.map(({ label }) => label);
          expect([...new Set(labels)]).toEqual(labels);
        }
      },
    ),
  );
});

test("the store pays for shipping beyond the price", () => {
  const { added } = saleBooks().when(recordSale, selling({ priceCents: 300, shippingCents: 1000 }));
  expect(added.map(stepsOf)).toEqual([
    [
      { label: "Sale price", cents: 300 },
      { label: "Shipping", cents: -1000 },
      { label: "Borne by the store", cents: 700 },
      { label: "Your share (50%)", cents: 0 },
    ],
  ]);
});

test("a refund's steps begin with the price, not with what the buyer got back: that has the tax in it", () => {
  const books = saleBooks();
  books.when(
    recordSale,
    selling({ units: 1, priceCents: 300, salesTaxCents: 25, shippingCents: 0 }),
  );
  const { added } = books.when(refundSale, refunding(1));
  expect(added.map(({ postings }) => netOf(postings, CUSTOMERS))).toEqual([325]);
  expect(added.map(stepsOf)).toEqual([
    [
      { label: "Price refunded", cents: -300 },
      { label: "Borne by the store", cents: 150 },
      { label: "Refunds", cents: -150 },
    ],
  ]);
});

test("a sale, its correction and its refund read as lines of the item's history", () => {
  const books = saleBooks();
  const said = { ...titleOnly, saleId: idOf(1) };
  const [sale] = books.when(recordSale, selling({ priceCents: 4000 })).added;
  expect(itemLineOf(sale)).toEqual({
    kind: "sold",
    words: {
      ...said,
      title: "Sold 2 units",
      priceCents: 4000,
      notes: ["Consignor's share $17.50, shipping $5.00"],
    },
  });
  const [corrected] = books.when(correctSale, {
    ...correcting({ units: 1, priceCents: 3000 }),
    noteId: idOf(7),
  }).added;
  expect(itemLineOf(corrected)).toEqual({
    kind: "counted",
    words: {
      ...said,
      title: "Sale corrected",
      notes: [
        "1 unit sold instead of 2",
        "Price: $40.00 to $30.00",
        "Consignor's share: $17.50 to $12.50",
      ],
      noteId: idOf(7),
    },
  });
  const [refunded] = books.when(refundSale, refunding(1, { noteId: idOf(7) })).added;
  expect(itemLineOf(refunded)).toEqual({
    kind: "back",
    words: {
      ...said,
      title: "Refunded 1 unit",
      notes: ["Back in stock", "From the consignor $12.50"],
      priceCents: 3000,
      noteId: idOf(7),
    },
  });
});

test("a sale that only moves stock has no price", () => {
  const books = saleBooks();
  const sell = (given: Parameters<typeof sellingMaster>[0]) =>
    itemLineOf(books.when(recordMasterSale, sellingMaster(given)).added[0])?.words;
  expect(sell({})).toMatchObject({ title: "Sold 1 unit", priceCents: null });
  expect(sell({ saleId: idOf(2), priceCents: 0 })).toMatchObject({ priceCents: 0 });
});
