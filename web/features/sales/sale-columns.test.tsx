// A sale that was recorded without a price says so in each amount that depends on it.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { SaleView } from "#features/sales/contract.ts";
import { saleColumns } from "./sale-columns.tsx";

const sale: SaleView = {
  saleID: "7b0c2f64-0000-4000-8000-000000000001",
  kind: "master",
  consignorID: null,
  consignorDisplayName: null,
  itemUID: "7b0c2f64-0000-4000-8000-000000000002",
  barcode1: "LAMP-1",
  itemName: "Desk lamp",
  soldQuantity: 1,
  salePrice: 20,
  shippingCost: 0,
  salesTax: 0,
  taxRate: null,
  consignorPercentage: null,
  payoutAmount: 0,
  storeAmount: 20,
  saleRecord: "",
  dateSold: "2026-11-01T12:00:00.000Z",
  timestamp: Date.UTC(2026, 10, 1, 12),
  channel: "online",
  receiptID: null,
  tender: null,
  taxExempt: false,
  status: "sold",
  refundedQuantity: 0,
  refundedAmount: 0,
  refundedTax: 0,
  refundedPayout: 0,
  corrections: 0,
  version: 1,
};

function cellOf(id: string, shown: SaleView): string {
  const column = saleColumns.find((one) => one.id === id);
  return renderToStaticMarkup(<>{column?.cell(shown)}</>);
}

it("says of a sale without a price that the store's part is not known, instead of $0.00", () => {
  const unpriced = { ...sale, salePrice: null, storeAmount: 0 };
  for (const id of ["salePrice", "storeAmount"]) {
    expect(cellOf(id, unpriced)).toContain("recorded without a price");
    expect(cellOf(id, unpriced)).not.toContain("$0.00");
    expect(cellOf(id, sale)).toContain("$20.00");
  }
});
