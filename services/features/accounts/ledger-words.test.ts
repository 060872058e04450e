// The steps that explain a ledger line: they sum to the last of them, and that is what the line did to the balance.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { wordsOf } from "#features/accounts/ledger-words.ts";
import { correctSale } from "#features/sales/decider-correct.ts";
import { recordSale } from "#features/sales/decider-record.ts";
import { refundSale } from "#features/sales/decider-refund.ts";
import { toCents } from "#ledger/money.ts";
import { netOf } from "#ledger/posting.ts";
import { available, correcting, refunding, saleBooks, selling } from "#testing/shop/sale-books.ts";

const cents = fc.integer({ min: 0, max: 9000 });

test("whatever a sale was, was corrected to and gave back, each line's steps come to its amount", () => {
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
          const { explanation } = wordsOf({ type: event.type, data: Object(event.data) });
          const steps = explanation.map(({ amount }) => toCents(amount));
          const last = steps.pop();
          expect(last).toBe(netOf(event.postings, available));
          expect(steps.reduce((sum, step) => sum + step, 0)).toBe(last);
          expect(new Set(explanation.map(({ label }) => label)).size).toBe(explanation.length);
        }
      },
    ),
  );
});

test("what shipping took beyond the price is borne by the store", () => {
  const books = saleBooks();
  books.when(recordSale, selling({ priceCents: 300, shippingCents: 1000 }));
  const event = books.events.at(-1);
  expect(wordsOf({ type: "SaleRecorded", data: Object(event?.data) }).explanation).toEqual([
    { label: "Sale price", amount: 3 },
    { label: "Shipping", amount: -10 },
    { label: "Borne by the store", amount: 7 },
    { label: "Your share (50 %)", amount: 0 },
  ]);
});
