// Tests how the filters in the address become API requests.
import { expect, it } from "vitest";
import {
  ledgerExportPath,
  ledgerFiltersIn,
  payoutExportPath,
  payoutStatusIn,
  saleExportPath,
  saleFiltersIn,
} from "./history-api.ts";

it("exports exactly what the address filters", () => {
  const params = new URLSearchParams("type=payouts&q=desk lamp&status=refunded");
  expect(ledgerExportPath("u", ledgerFiltersIn(params))).toBe("/sales/ledger/u/export?kind=payout");
  expect(payoutExportPath("u", payoutStatusIn(new URLSearchParams("status=paid")))).toBe(
    "/sales/payouts/u/export?status=paid",
  );
  expect(saleExportPath("u", saleFiltersIn(params))).toBe(
    "/sales/history/u/export?searchTerm=desk+lamp&status=refunded",
  );
});

it("ignores unknown filters", () => {
  const params = new URLSearchParams("type=toString&status=lost");
  expect(ledgerFiltersIn(params).type).toBeUndefined();
  expect(saleFiltersIn(params).status).toBeUndefined();
  expect(payoutStatusIn(params)).toBeUndefined();
});
