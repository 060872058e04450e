// Receipts as the server has them: found by their number, and sent to a customer.
import {
  emailReceiptResponse,
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

export function emailReceipt(
  receiptID: string,
  body: EmailReceiptRequest,
  key: string,
): Promise<EmailReceiptResponse> {
  const path = `/receipts/${receiptID}/email`;
  return send({ method: "POST", path, body, answer: emailReceiptResponse, key });
}
