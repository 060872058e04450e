// Receipts as the server has them: by their number, or by one of their sales.
import {
  receiptResponse,
  receiptsResponse,
  type ReceiptView,
} from "#features/sales/contract-receipt.ts";
import { pathOf, read } from "#web/lib/http.ts";

/** The newest receipt with this number; undefined if there is none. Throws ApiError. */
export async function findReceipt(number: string): Promise<ReceiptView | undefined> {
  const { value } = await read(pathOf("/receipts", { number }), receiptsResponse);
  return value.receipts[0];
}

/** The receipt that a sale is on. Throws ApiError. */
export async function receiptOfSale(saleId: string): Promise<ReceiptView> {
  const { value } = await read(`/sales/${saleId}/receipt`, receiptResponse);
  return value.receipt;
}
