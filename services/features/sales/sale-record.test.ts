// The one line about a payout is true, whatever decided the payout.
import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { formatCents, payoutOf } from "#ledger/money.ts";
import type { PayoutTerms } from "#features/sales/sale-record.ts";
import { saleRecord } from "#features/sales/sale-record.ts";

const terms = (given: Partial<PayoutTerms>): PayoutTerms => ({
  kind: "consignor",
  priceCents: 4000,
  shippingCents: 500,
  consignorPercentage: 50,
  payoutCents: 1750,
  ...given,
});

describe("how a payout came about", () => {
  it.each([
    [{}, "($40.00 − $5.00 shipping) × 50% = $17.50"],
    [{ shippingCents: 0, payoutCents: 2000 }, "$40.00 × 50% = $20.00"],
    [{ priceCents: 1001, shippingCents: 0, payoutCents: 501 }, "$10.01 × 50%, rounded, = $5.01"],
    [{ payoutCents: 2000 }, "Set to $20.00, where ($40.00 − $5.00 shipping) × 50% would be $17.50"],
    [
      { priceCents: 300, shippingCents: 1000, payoutCents: 0 },
      "$3.00 − $10.00 shipping leaves nothing to share: $0.00",
    ],
    [
      { priceCents: 300, shippingCents: 1000, payoutCents: 100 },
      "Set to $1.00, where ($3.00 − $10.00 shipping) × 50% would be $0.00",
    ],
    [{ priceCents: null, kind: "master" as const }, "Stock only, without a price"],
    [{ kind: "master" as const, consignorPercentage: null }, "$40.00, all of it to the store"],
    [{ kind: "custom" as const, payoutCents: 4000 }, "$40.00, all of it to the consignor"],
  ])("%j reads %s", (given, line) => {
    expect(saleRecord(terms(given))).toBe(line);
  });
});

/** The result of the line's arithmetic, in cents. */
function worth(line: string): number {
  const [, price, , shipping, percentage] =
    /^\(?\$([\d,.]+)( − \$([\d,.]+) shipping\))? × (\d+)%/u.exec(line) ?? [];
  const cents = (text = "0") => Math.round(Number(text.replaceAll(",", "")) * 100);
  return ((cents(price) - cents(shipping)) * Number(percentage)) / 100;
}

test("an equation's result is the payout, exactly unless it says rounded", () => {
  fc.assert(
    fc.property(
      fc.nat(900_000),
      fc.nat(900_000),
      fc.nat(100),
      (restCents, shippingCents, consignorPercentage) => {
        const priceCents = restCents + shippingCents;
        const payoutCents = payoutOf(priceCents, shippingCents, consignorPercentage);
        const line = saleRecord(
          terms({ priceCents, shippingCents, consignorPercentage, payoutCents }),
        );
        const exact = worth(line);
        expect(Math.floor(exact + 0.5)).toBe(payoutCents);
        expect(exact !== payoutCents).toBe(line.includes("rounded"));
        expect(line.endsWith(` = ${formatCents(payoutCents)}`)).toBe(true);
      },
    ),
  );
});
