// Receipts as the server has them: found by their number or by one of their sales, and sent to a customer.
import {
  emailReceiptResponse,
  receiptResponse,
  receiptsResponse,
  type EmailReceiptRequest,
  type EmailReceiptResponse,
  type ReceiptView,
} from "#features/sales/contract-receipt.ts";
import { pathOf, read, send } from "#web/lib/http.ts";

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

export function emailReceipt(
  receiptID: string,
  body: EmailReceiptRequest,
  key: string,
): Promise<EmailReceiptResponse> {
  const path = `/receipts/${receiptID}/email`;
  return send({ method: "POST", path, body, answer: emailReceiptResponse, key });
}
