// A receipt: what a customer bought at once and how it was paid, as any till or admin prints it again.
import * as z from "zod/mini";
import { uuid } from "#ledger/fields.ts";
import { tender } from "#features/sales/contract.ts";

/** "R-1F2E3D4C": the first eight digits of the receipt's id, as the customer reads them and a scanner reads them. */
export const receiptNumberPattern = /^R-[0-9A-F]{8}$/iu;

export function receiptNumberOf(receiptID: string): string {
  return `R-${receiptID.slice(0, 8).toUpperCase()}`;
}

/** GET /receipts, admins only. */
export const receiptsQuery = z.strictObject({
  number: z
    .string("A receipt's number looks like R-1F2E3D4C")
    .check(z.regex(receiptNumberPattern, "A receipt's number looks like R-1F2E3D4C")),
});

/** Nothing keeps a till from putting more sales on one receipt: each is a command of its own. */
export const MAX_RECEIPT_LINES = 1_000;

/** What showing, sending and correcting a receipt refuse, by code. */
export const receiptRefusals = {
  /** Instead of a part of it that looks like the whole */
  receipt_too_long: {
    status: 409,
    message: "This receipt has more than 1,000 lines or refunds. Open its sales one by one",
  },
  receipt_not_found: { status: 404, message: "There is no such receipt" },
  mail_unavailable: {
    status: 503,
    message: "The receipt could not be sent. Try again in a few minutes",
  },
} as const;

/** POST /receipts/{id}/email, admins only. The address is used once and not kept. */
export const receiptParams = z.strictObject({ id: uuid });
export const emailReceiptRequest = z.strictObject({
  email: z
    .string("Enter an email")
    .check(z.trim(), z.maxLength(254, "Enter an email"), z.email("Enter an email")),
});
export type EmailReceiptRequest = z.input<typeof emailReceiptRequest>;
export const emailReceiptResponse = z.object({ message: z.string() });
export type EmailReceiptResponse = z.infer<typeof emailReceiptResponse>;

/** Of a line or a refund, what the customer paid or got back: with tax. */
const receiptLine = z.object({
  saleID: z.string(),
  itemName: z.string(),
  quantity: z.int(),
  /** For one unit; null where the amount is not the same for each. */
  unitPrice: z.nullable(z.number()),
  amount: z.number(),
  refundedQuantity: z.int(),
  /** Whether it was corrected after it was sold. Absent in what a page of an older version kept. */
  isCorrected: z.optional(z.boolean()),
});

const receiptRefund = z.object({
  refundedAt: z.string(),
  amount: z.number(),
  /** Null if nobody said. */
  tender: z.nullable(tender),
});

/** Sums are those of the sales as they are after corrections; refunds are listed below them. */
export const receiptView = z.object({
  /** Null for a sale without a receipt: then this is the receipt of that sale alone. */
  receiptID: z.nullable(z.string()),
  /** "R-1F2E3D4C". */
  number: z.nullable(z.string()),
  soldAt: z.string(),
  /** In the order in which the ledger got them. */
  lines: z.array(receiptLine),
  subtotal: z.number(),
  tax: z.number(),
  /** In basis points; null if no till named a rate, or the lines have different ones. */
  taxRate: z.nullable(z.int()),
  total: z.number(),
  /** Null if nobody said. */
  tender: z.nullable(tender),
  /** Null unless the customer paid no tax. The number is null where none was given, or it was erased. */
  taxExempt: z.nullable(z.object({ certificate: z.nullable(z.string()) })),
  refunds: z.array(receiptRefund),
  store: z.object({
    /** Null until an admin names the store. */
    storeName: z.nullable(z.string()),
    addressLines: z.array(z.string()),
    returnPolicy: z.nullable(z.string()),
  }),
});
export type ReceiptView = z.infer<typeof receiptView>;

/** GET /sales/{id}/receipt, admins only. */
export const receiptResponse = z.object({ receipt: receiptView });
export type ReceiptResponse = z.infer<typeof receiptResponse>;

/** Usually one: the number is a part of the id. Newest first. One that is too long is left out where there are others. */
export const receiptsResponse = z.object({ receipts: z.array(receiptView) });
export type ReceiptsResponse = z.infer<typeof receiptsResponse>;
