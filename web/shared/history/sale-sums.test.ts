// Tests that every list of amounts in a sale's drawers adds up to its total, whatever happened to the sale.
import { assert, boolean, integer, nat, option, property, record } from "fast-check";
import { expect, it } from "vitest";
import type { SaleView } from "#features/sales/contract.ts";
import { payoutOf, shareOf, toCents, toDollars } from "#ledger/money.ts";
import { saleView } from "#testing/shop/sale-view.ts";
import type { SumLine } from "#web/ui/sum-lines.tsx";
import { shareSum } from "./share-sum.ts";
import { givenBack, left, shareLeft } from "#web/shared/sale/refund-sums.ts";

const sales = record({
  price: integer({ min: 1, max: 500_000 }),
  shipping: nat(500_000),
  tax: nat(50_000),
  percentage: nat(100),
  typedPayout: option(nat(600_000), { nil: undefined }),
  units: integer({ min: 1, max: 9 }),
  refundedUnits: nat(9),
  isCustom: boolean(),
}).map(({ price, tax, units, percentage, isCustom, ...given }): SaleView => {
  const shipping = isCustom ? 0 : given.shipping;
  const payout = isCustom ? price : (given.typedPayout ?? payoutOf(price, shipping, percentage));
  const refundedUnits = Math.min(given.refundedUnits, units);
  const back = (cents: number) => shareOf(cents, refundedUnits, units);
  return saleView({
    kind: isCustom ? "custom" : "consignor",
    consignorID: "avery-0000000000000000",
    consignorDisplayName: "Avery",
    itemUID: null,
    barcode1: null,
    soldQuantity: units,
    salePrice: toDollars(price),
    shippingCost: toDollars(shipping),
    salesTax: toDollars(tax),
    consignorPercentage: isCustom ? null : percentage,
    payoutAmount: toDollars(payout),
    storeAmount: toDollars(price - back(price) - shipping - (payout - back(payout))),
    status: refundedUnits === 0 ? "sold" : "partly_refunded",
    refundedQuantity: refundedUnits,
    refundedAmount: toDollars(back(price)),
    refundedTax: toDollars(back(tax)),
    refundedPayout: toDollars(back(payout)),
  });
});

it("the lines add up to their total, before and after refunds, typed or by the formula", () => {
  assert(
    property(sales, (sale) => {
      for (const { lines, total } of [
        shareSum(sale, true),
        givenBack(sale, "Avery"),
        left(sale, "Avery"),
      ] satisfies readonly { lines: readonly SumLine[]; total: SumLine }[]) {
        expect(lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(total.cents);
        expect(new Set(lines.map(({ label }) => label)).size).toBe(lines.length);
      }
    }),
  );
});

it("a row of the list adds up: the price after refunds and shipping is the consignor's plus the store's part", () => {
  assert(
    property(sales, (sale) => {
      const leftCents = toCents(sale.salePrice ?? 0) - toCents(sale.refundedAmount);
      expect(shareLeft(sale) + toCents(sale.storeAmount)).toBe(
        leftCents - toCents(sale.shippingCost),
      );
    }),
  );
});

it("shows no percentage if the payout was typed, and says what the store covers", () => {
  const [example] = [
    {
      kind: "consignor",
      salePrice: 3,
      shippingCost: 10,
      consignorPercentage: 50,
      payoutAmount: 0,
      refundedPayout: 0,
    } as SaleView,
  ];
  expect(shareSum(example, true).lines).toEqual([
    { label: "Sale price", cents: 300 },
    { label: "Shipping", cents: -1000 },
    { label: "Borne by the store", cents: 700 },
  ]);
  const typed = { ...example, salePrice: 40, payoutAmount: 20 };
  expect(shareSum(typed, true).lines[2]).toEqual({ label: "Store's share", cents: -1000 });
  expect(shareSum(typed, true).total.label).toBe("Your share");
});

it("is worded for an admin as the consignor's share", () => {
  const sale = { kind: "consignor", salePrice: 40, shippingCost: 0, consignorPercentage: 50 };
  const refunded = { ...sale, payoutAmount: 20, refundedPayout: 5 } as SaleView;
  expect(shareSum(refunded, false).total).toEqual({
    label: "Consignor share, including refunds",
    cents: 1500,
  });
});
