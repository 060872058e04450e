// Tests the words for a sale.
import { describe, expect, it } from "vitest";
import { saleView } from "#testing/shop/sale-view.ts";
import { refundableWords } from "./sale-words.ts";

describe("what can be refunded", () => {
  it("names the price alone if the sale had no tax", () => {
    expect(refundableWords(saleView({ salePrice: 20 }))).toBe("1 unit and $20.00 can be refunded.");
  });

  it("names the tax beside the price, less what was refunded before", () => {
    const sale = saleView({
      soldQuantity: 2,
      salePrice: 40,
      salesTax: 3.3,
      refundedQuantity: 1,
      refundedAmount: 20,
      refundedTax: 1.65,
    });
    expect(refundableWords(sale)).toBe("1 unit, $20.00 and $1.65 tax can be refunded.");
  });
});
