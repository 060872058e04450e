// Reads receipts: all sales of one cart as they are now, with what was refunded of them.
import { sql } from "kysely";
import { receiptHead } from "#http/store-facts.ts";
import type { StoreDetails } from "#http/store-facts.ts";
import { HttpError } from "#http/errors.ts";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import type { Notes } from "#identity/notes.ts";
import type { RowOf } from "#ledger/projection/columns.ts";
import { toDollars } from "#ledger/money.ts";
import type { ReceiptView } from "#features/sales/contract-receipt.ts";
import {
  MAX_RECEIPT_LINES,
  receiptNumberOf,
  receiptRefusals,
} from "#features/sales/contract-receipt.ts";
import { saleRefundsTable, salesTable } from "#features/sales/projection.ts";
import type { SaleRow } from "#features/sales/search-conditions.ts";
import { saleColumns } from "#features/sales/search-conditions.ts";

const inSales = withTables(salesTable, saleRefundsTable);

type RefundRow = RowOf<typeof saleRefundsTable>;
export type ReceiptParts = {
  readonly reads: Reads;
  readonly notes: Notes;
  readonly details: () => Promise<StoreDetails>;
};

/** More receipts with one number are not shown. */
const MOST_RECEIPTS = 10;

const TOO_LONG = "receipt_too_long";

/**
 * The receipts with this number, newest first. One that is too long to be shown is left out where there are others.
 * Throws HttpError 409 `receipt_too_long`.
 */
export async function findReceipts(parts: ReceiptParts, number: string): Promise<ReceiptView[]> {
  const digits = number.slice(2).toLowerCase();
  const idFrom = (rest: string) =>
    `${digits}-${rest.repeat(4)}-${rest.repeat(4)}-${rest.repeat(4)}-${rest.repeat(12)}`;
  const rows = await inSales(parts.reads)
    .selectFrom("read.sales")
    .select(["receipt_id", sql<number>`max(position)`.as("newest")])
    .where("receipt_id", ">=", idFrom("0"))
    .where("receipt_id", "<=", idFrom("f"))
    .groupBy("receipt_id")
    .orderBy("newest", "desc")
    .limit(MOST_RECEIPTS)
    .execute();
  const ids = rows.flatMap(({ receipt_id: id }) => id ?? []);
  const found = await Promise.all(ids.map((id) => findReceipt(parts, id).catch(tooLongOf)));
  const shown = found.flatMap((one) =>
    one === undefined || one instanceof HttpError ? [] : [one],
  );
  const tooLong = found.find((one) => one instanceof HttpError);
  if (shown.length === 0 && tooLong !== undefined) {
    throw tooLong;
  }
  return shown;
}

/** Undefined if there is none. Throws HttpError 409 `receipt_too_long`, as all here that show a receipt. */
export async function findReceipt(
  parts: ReceiptParts,
  receiptId: string,
): Promise<ReceiptView | undefined> {
  const rows = await inSales(parts.reads)
    .selectFrom("read.sales")
    .select(saleColumns)
    .where("receipt_id", "=", receiptId)
    .orderBy("position")
    .limit(MAX_RECEIPT_LINES + 1)
    .execute();
  return receiptOf(parts, rows);
}

/** The receipt that a sale is on; of the sale alone if it is on none. Undefined if there is no such sale. */
export async function findReceiptOfSale(
  parts: ReceiptParts,
  saleId: string,
): Promise<ReceiptView | undefined> {
  const rows = await inSales(parts.reads)
    .selectFrom("read.sales")
    .select(saleColumns)
    .where("sale_id", "=", saleId)
    .execute();
  const receiptId = rows[0]?.receipt_id ?? null;
  return receiptId === null ? receiptOf(parts, rows) : findReceipt(parts, receiptId);
}

/**
 * The ids of all sales that are on this sale's receipt; the sale alone if it is on none, or not listed yet. Of a receipt
 * that is too long, one more than it may have.
 */
export async function findSalesOfReceipt(reads: Reads, saleId: string): Promise<readonly string[]> {
  const rows = await inSales(reads)
    .selectFrom("read.sales as s")
    .innerJoin("read.sales as on", "on.receipt_id", "s.receipt_id")
    .select("on.sale_id")
    .where("s.sale_id", "=", saleId)
    .orderBy("on.position")
    .limit(MAX_RECEIPT_LINES + 1)
    .execute();
  return rows.length === 0 ? [saleId] : rows.map(({ sale_id: id }) => id);
}

/** Throws HttpError 409 `receipt_too_long`. */
export function refuseTooLong(rows: readonly unknown[]): void {
  if (rows.length > MAX_RECEIPT_LINES) {
    const { status, message } = receiptRefusals.receipt_too_long;
    throw new HttpError(status, TOO_LONG, message);
  }
}

function tooLongOf(error: unknown): HttpError {
  if (error instanceof HttpError && error.code === TOO_LONG) {
    return error;
  }
  throw error;
}

async function receiptOf(
  { reads, notes, details }: ReceiptParts,
  sales: readonly SaleRow[],
): Promise<ReceiptView | undefined> {
  const [first] = sales;
  if (first === undefined) {
    return undefined;
  }
  refuseTooLong(sales);
  const ids = sales.map(({ sale_id: id }) => id);
  const refunds = await inSales(reads)
    .selectFrom("read.sale_refunds")
    .selectAll()
    .where("sale_id", "in", ids)
    .orderBy("position")
    .limit(MAX_RECEIPT_LINES + 1)
    .execute();
  refuseTooLong(refunds);
  const noteId = sales.find(({ certificate_note_id: id }) => id !== null)?.certificate_note_id;
  const certificates = await notes.findMany(
    noteId === undefined || noteId === null ? [] : [noteId],
  );
  const certificate = certificates.get(noteId ?? "") ?? null;
  return {
    receiptID: first.receipt_id,
    number: first.receipt_id === null ? null : receiptNumberOf(first.receipt_id),
    soldAt: first.sold_at.toISOString(),
    lines: sales.map(lineOf),
    ...sumsOf(sales),
    taxRate: rateOf(sales),
    tender: first.tender,
    taxExempt: sales.some(({ tax_exempt: isExempt }) => isExempt) ? { certificate } : null,
    refunds: refunds.map(refundOf),
    store: receiptHead(await details()),
  };
}

function lineOf(sale: SaleRow): ReceiptView["lines"][number] {
  const paid = (sale.price_cents ?? 0) + sale.sales_tax_cents;
  return {
    saleID: sale.sale_id,
    itemName: sale.item_name,
    quantity: sale.units,
    unitPrice: paid % sale.units === 0 ? toDollars(paid / sale.units) : null,
    amount: toDollars(paid),
    refundedQuantity: sale.refunded_units,
    isCorrected: sale.corrections > 0,
  };
}

function sumsOf(sales: readonly SaleRow[]): Pick<ReceiptView, "subtotal" | "tax" | "total"> {
  const subtotal = sales.reduce((sum, sale) => sum + (sale.price_cents ?? 0), 0);
  const tax = sales.reduce((sum, sale) => sum + sale.sales_tax_cents, 0);
  return { subtotal: toDollars(subtotal), tax: toDollars(tax), total: toDollars(subtotal + tax) };
}

/** The rate that all lines have. */
function rateOf(sales: readonly SaleRow[]): number | null {
  const rates = new Set(sales.map(({ tax_rate_basis_points: rate }) => rate));
  const [rate] = rates;
  return rates.size === 1 ? (rate ?? null) : null;
}

function refundOf(refund: RefundRow): ReceiptView["refunds"][number] {
  return {
    refundedAt: refund.refunded_at.toISOString(),
    amount: toDollars(refund.price_cents + refund.tax_cents),
    tender: refund.tender,
  };
}
