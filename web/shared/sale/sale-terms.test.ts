// Tests that corrections send only what changed, and that a refund's preview matches the ledger.
import { describe, expect, it } from "vitest";
import type { SaleView } from "#features/sales/contract.ts";
import { correctSaleRequest, refundSaleRequest } from "#features/sales/contract-commands.ts";
import { saleView } from "#testing/shop/sale-view.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { correctedSplit, correctionOf, draftOf, refundOf, taxText } from "./sale-terms.ts";

const sale = saleView({
  kind: "consignor",
  consignorID: "avery-0000000000000000",
  consignorDisplayName: "Avery",
  soldQuantity: 3,
  salePrice: 100,
  shippingCost: 10,
  consignorPercentage: 50,
  payoutAmount: 45,
  storeAmount: 45,
  version: 2,
});

describe("a correction", () => {
  it.each([
    ["shippingCost", "0.005", "An amount has at most two decimals"],
    ["shippingCost", "-1", "Shipping cost is at least 0"],
    ["shippingCost", "free", "Please enter a valid amount"],
    ["salePrice", "10000000.01", "An amount is at most $10,000,000"],
    ["salePrice", "0", "Please enter a valid price"],
    ["salePrice", "1e3", "Please enter a valid price"],
    ["soldQuantity", "1.5", "Quantity must be a whole number"],
    ["soldQuantity", "0", "Quantity must be greater than 0"],
    ["salesTax", "-1", "Sales tax is at least 0"],
    ["itemName", "x".repeat(201), "At most 200 characters"],
  ])("calls the %s %s by its fault", (field, typed, message) => {
    const request = correctionOf(sale, { ...draftOf(sale), [field]: typed });
    expect(errorsIn(correctSaleRequest, request)).toEqual({ [field]: message });
  });

  it("and a refund report half a unit as an error", () => {
    const request = { quantity: 1.5, restock: false, reason: "Broken" };
    expect(errorsIn(refundSaleRequest, request)).toEqual({
      quantity: "Quantity must be a whole number",
    });
  });

  it("sends only the version if nothing changed", () => {
    expect(correctionOf(sale, draftOf(sale))).toEqual({ expectedVersion: 2 });
  });

  it("calculates the payout by the formula until the admin types one", () => {
    const draft = { ...draftOf(sale), salePrice: "120.00" };
    expect(correctedSplit(sale, draft)?.consignorCents).toBe(5500);
    expect(correctionOf(sale, draft)).toEqual({ salePrice: 120, expectedVersion: 2 });
  });

  it("of the price also corrects the tax, at the rate of the sale, until the admin types one", () => {
    const taxed: SaleView = {
      ...sale,
      salePrice: 137.64,
      salesTax: 11.36,
      taxRate: { basisPoints: 825, outdated: false },
    };
    const draft = { ...draftOf(taxed), salePrice: "130.01" };
    expect(correctionOf(taxed, draft)).toMatchObject({ salePrice: 130.01, salesTax: 10.73 });
    expect(taxText(taxed, draft)).toBe("10.73");
    const typed = { ...draft, salesTax: "11.36" };
    expect(correctionOf(taxed, typed)).toEqual({ salePrice: 130.01, expectedVersion: 2 });
    expect(correctionOf(taxed, { ...draftOf(taxed), salesTax: "" })).toMatchObject({ salesTax: 0 });
  });

  it("of the price leaves the tax where no till named a rate, none was charged, or only the name changes", () => {
    const rate = { basisPoints: 825, outdated: false };
    for (const terms of [
      { salesTax: 8, taxRate: null },
      { salesTax: 0, taxRate: rate },
    ]) {
      const sold: SaleView = { ...sale, ...terms };
      const draft = { ...draftOf(sold), salePrice: "120.00" };
      expect(correctionOf(sold, draft)).toEqual({ salePrice: 120, expectedVersion: 2 });
    }
    const rounded: SaleView = { ...sale, salesTax: 8.26, taxRate: rate };
    const renamed = { ...draftOf(rounded), itemName: "Brass lamp" };
    expect(correctionOf(rounded, renamed)).toEqual({ itemName: "Brass lamp", expectedVersion: 2 });
  });

  it("sends a payout that was typed", () => {
    const draft = { ...draftOf(sale), payout: "50" };
    expect(correctedSplit(sale, draft)).toMatchObject({ consignorCents: 5000, storeCents: 4000 });
    expect(correctionOf(sale, draft)).toEqual({ payoutAmount: 50, expectedVersion: 2 });
  });

  it("keeps a payout that was typed before until one of the formula's inputs changes", () => {
    const typed = { ...sale, payoutAmount: 60, storeAmount: 30 };
    const renamed = { ...draftOf(typed), itemName: "Brass lamp" };
    expect(correctedSplit(typed, renamed)?.consignorCents).toBe(6000);
    const pricier = { ...draftOf(typed), salePrice: "120.00" };
    expect(correctedSplit(typed, pricier)?.consignorCents).toBe(5500);
  });

  it("gives the whole new amount of a custom sale to the consignor", () => {
    const custom: SaleView = {
      ...sale,
      kind: "custom",
      itemUID: null,
      soldQuantity: 1,
      shippingCost: 0,
      consignorPercentage: null,
      payoutAmount: 100,
    };
    const draft = { ...draftOf(custom), salePrice: "80" };
    expect(correctedSplit(custom, draft)).toMatchObject({ consignorCents: 8000, storeCents: 0 });
    expect(correctionOf(custom, draft)).toEqual({ salePrice: 80, expectedVersion: 2 });
  });
});

describe("a refund", () => {
  it("refunds the units' share of price and payout", () => {
    expect(refundOf(sale, 1, undefined)).toEqual({
      priceCents: 3333,
      taxCents: 0,
      payoutCents: 1500,
    });
  });

  it("gives back what a unit cost with its tax: $268.00 for each of two, and not a cent more for the first", () => {
    const two = { ...sale, soldQuantity: 2, salePrice: 495.15, salesTax: 40.85 };
    const first = refundOf(two, 1, undefined);
    expect(first).toMatchObject({ priceCents: 24_758, taxCents: 2_042 });
    const rest = { refundedQuantity: 1, refundedAmount: 247.58, refundedTax: 20.42 };
    expect(refundOf({ ...two, ...rest }, 1, undefined)).toMatchObject({
      priceCents: 24_757,
      taxCents: 2_043,
    });
  });

  it("refunds everything that remains with the last unit", () => {
    const rest = {
      ...sale,
      refundedQuantity: 2,
      refundedAmount: 66.67,
      refundedPayout: 30,
    };
    expect(refundOf(rest, 1, undefined)).toEqual({
      priceCents: 3333,
      taxCents: 0,
      payoutCents: 1500,
    });
  });

  it("reduces the payout in proportion to an amount", () => {
    expect(refundOf(sale, 0, 2000)).toEqual({ priceCents: 2000, taxCents: 0, payoutCents: 900 });
  });

  it("has no preview for more than remains", () => {
    expect(refundOf(sale, 4, undefined)).toBeUndefined();
    expect(refundOf(sale, 0, 10_001)).toBeUndefined();
  });
});
