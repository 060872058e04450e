// A sale as the web reads it, for tests of what the web makes of sales: one lamp of the store's own, sold for $20.
import type { SaleView } from "#features/sales/contract.ts";

export function saleView(given: Partial<SaleView> = {}): SaleView {
  return {
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
    ...given,
  };
}
