// Tests how the filters in the address become API requests.
import { expect, it } from "vitest";
import {
  ledgerExportPath,
  ledgerFiltersIn,
  ledgerLinePath,
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

it("asks for exactly the line that the address names, and for nothing that is no line", () => {
  expect(ledgerLinePath("u", "7")).toBe("/sales/ledger/u?before=8&limit=1");
  expect(["0", "-1", "x", "1e3", ""].map((line) => ledgerLinePath("u", line))).toEqual(
    Array.from({ length: 5 }),
  );
});

it("ignores unknown filters", () => {
  const params = new URLSearchParams("type=toString&status=lost");
  expect(ledgerFiltersIn(params).type).toBeUndefined();
  expect(saleFiltersIn(params).status).toBeUndefined();
  expect(payoutStatusIn(params)).toBeUndefined();
});
