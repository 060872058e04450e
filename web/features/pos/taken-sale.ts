// From a paid cart to what is stored and sent: the sale as the customer saw it, and each of its lines on the way to the ledger.
import * as z from "zod/mini";
import { toDollars } from "#ledger/money.ts";
import { tender as tenderShape } from "#features/sales/contract.ts";
import type { Tender } from "#features/sales/contract.ts";
import type {
  RecordMasterSaleRequest,
  RecordSaleRequest,
} from "#features/sales/contract-commands.ts";
import type { SellingTerms } from "#web/shared/sale/selling-terms.ts";
import {
  cartItem,
  cartSums,
  grossOf,
  isPriced,
  shareOfLine,
  sliderShare,
  type Cart,
} from "./cart.ts";

const cents = z.int();

export const takenLine = z.object({
  /** Counts from 1 within the sale. */
  line: z.int(),
  item: cartItem,
  units: z.int(),
  unitPriceCents: cents,
  grossCents: cents,
  preTaxCents: cents,
  taxCents: cents,
  payoutCents: cents,
  /** Null for the store's own item. Missing from sales of an older version of this app: then it is the sale's. */
  consignorShare: z.optional(z.nullable(z.int())),
});

/** A sale as it was made. It never changes, whatever happens to its lines in the ledger. */
export const takenSale = z.object({
  saleId: z.string(),
  /** ISO 8601, by the till's clock. */
  soldAt: z.string(),
  /** Where the slider stood. */
  consignorShare: z.int(),
  /** 825 is 8.25 %. Missing from sales of an older version of this app, which knew only that one. */
  taxRateBasisPoints: z.optional(z.int()),
  lines: z.array(takenLine),
  totalCents: cents,
  subtotalCents: cents,
  taxCents: cents,
  payoutCents: cents,
  /** How it was paid. Missing from sales of an older version of this app, which did not ask. */
  tender: z.optional(tenderShape),
  /** Cash received; null if no amount was entered. */
  cashCents: z.nullable(cents),
  /** The number of the certificate of a customer who paid no tax; missing for everybody else. */
  certificate: z.optional(z.string()),
});
export type TakenSale = z.infer<typeof takenSale>;

/** Whether none of these sales was made after it. The newest one may not be among them yet. */
export function isLastOf(sales: readonly TakenSale[], sale: TakenSale): boolean {
  return sales.every(({ soldAt }) => soldAt <= sale.soldAt);
}

/** Only a cart in which every line has a price can be paid. */
export function isPayable(cart: Cart): boolean {
  return cart.lines.length > 0 && cart.lines.every(isPriced);
}

export type Payment = {
  readonly tender: Tender;
  /** Cash received; null for the exact amount, and for everything that is not cash. */
  readonly cashCents: number | null;
};

export function takeSale(
  cart: Cart,
  terms: SellingTerms,
  soldAt: string,
  { tender, cashCents }: Payment,
): TakenSale {
  const sums = cartSums(cart, terms);
  return {
    saleId: cart.saleId,
    soldAt,
    consignorShare: sliderShare(cart, terms),
    taxRateBasisPoints: terms.taxRateBasisPoints,
    lines: cart.lines.map((line, index) => ({
      line: index + 1,
      item: line.item,
      units: line.units,
      unitPriceCents: line.unitPriceCents ?? 0,
      ...(sums.lines[index] ?? { grossCents: grossOf(line), preTaxCents: 0, taxCents: 0 }),
      payoutCents: sums.lines[index]?.payoutCents ?? 0,
      consignorShare: shareOfLine(cart, line, terms),
    })),
    totalCents: sums.totalCents,
    subtotalCents: sums.subtotalCents,
    taxCents: sums.taxCents,
    payoutCents: sums.payoutCents,
    tender,
    cashCents,
    ...(cart.certificate === undefined ? {} : { certificate: cart.certificate }),
  };
}

/** A call as it goes out; `body` is its JSON. */
const lineRequest = z.object({
  path: z.enum(["/sales/record", "/inventory/master/sale"]),
  body: z.string(),
});
export type LineRequest = z.infer<typeof lineRequest>;

const shared = {
  /** `posSale:<saleId>:<line>`; never changes. */
  lineKey: z.string(),
  saleId: z.string(),
  /** The Idempotency-Key it is sent under: at first the line's own, after each settlement another one. */
  sendKey: z.string(),
  /** Starts at 1; each settlement adds one. */
  round: z.int(),
  line: takenLine,
  /** The item it is booked on: the line's own, unless it was settled as another one. */
  target: cartItem,
  consignorShare: z.int(),
  /** What the customer was charged; missing from lines of an older version of this app. */
  taxRateBasisPoints: z.optional(z.int()),
  /** What all lines of the cart say to the ledger; missing from lines of an older version of this app. */
  receipt: z.optional(
    z.object({
      tender: tenderShape,
      /** Missing where tax was charged. */
      certificate: z.optional(z.string()),
    }),
  ),
  /**
   * What is sent under `sendKey`, word for word, also after an update of this app: the ledger refuses another request
   * under a known key. Missing from lines of an older version until they are sent.
   */
  request: z.optional(lineRequest),
  /** ISO 8601; null to use the server's clock, because the till's is ahead. */
  soldAt: z.nullable(z.string()),
  /** The order of sending. */
  takenAtMs: z.int(),
};

/** A line on its way to the ledger. */
export const queuedLine = z.union([
  z.object({
    ...shared,
    status: z.literal("waiting"),
    /** The last error, unless it was the connection; otherwise "". */
    problem: z.string(),
  }),
  z.object({ ...shared, status: z.literal("booked"), ledgerSaleId: z.string() }),
  /** "Taken, not booked": the ledger refused it, and a person has to settle it. */
  z.object({ ...shared, status: z.literal("refused"), code: z.string(), message: z.string() }),
  /** The customer got the money back. There is nothing to book. */
  z.object({ ...shared, status: z.literal("refunded"), refundedAt: z.string() }),
]);
export type QueuedLine = z.infer<typeof queuedLine>;
export type WaitingLine = Extract<QueuedLine, { status: "waiting" }>;
export type RefusedLine = Extract<QueuedLine, { status: "refused" }>;

export function lineKeyOf(saleId: string, line: number): string {
  return `posSale:${saleId}:${line}`;
}

export function queuedLines(sale: TakenSale): SealedLine[] {
  const { tender, certificate } = sale;
  const receipt =
    tender === undefined
      ? undefined
      : { tender, ...(certificate === undefined ? {} : { certificate }) };
  return sale.lines.map((line) =>
    sealed({
      status: "waiting",
      lineKey: lineKeyOf(sale.saleId, line.line),
      saleId: sale.saleId,
      sendKey: lineKeyOf(sale.saleId, line.line),
      round: 1,
      line,
      target: line.item,
      consignorShare: line.consignorShare ?? sale.consignorShare,
      taxRateBasisPoints: sale.taxRateBasisPoints,
      ...(receipt === undefined ? {} : { receipt }),
      soldAt: sale.soldAt,
      takenAtMs: Date.parse(sale.soldAt),
      problem: "",
    }),
  );
}

/** A waiting line with what is sent for it. */
export type SealedLine = WaitingLine & { readonly request: LineRequest };

/** Fixes what is sent under the line's key: for a line with a new key, or one of an older version. */
export function sealed(line: WaitingLine): SealedLine {
  const { path, body } = requestOf(line);
  return { ...line, request: { path, body: JSON.stringify(body) } };
}

/** The request for a line, made from its fields as every version of this app made it. */
function requestOf(
  queued: WaitingLine,
):
  | { readonly path: "/sales/record"; readonly body: RecordSaleRequest }
  | { readonly path: "/inventory/master/sale"; readonly body: RecordMasterSaleRequest } {
  const { line, target, consignorShare, taxRateBasisPoints, receipt, soldAt } = queued;
  const body = {
    quantitySold: line.units,
    salePrice: toDollars(line.preTaxCents),
    salesTax: toDollars(line.taxCents),
    ...(taxRateBasisPoints === undefined ? {} : { taxRateBasisPoints }),
    channel: "pos" as const,
    ...(receipt === undefined ? {} : tillFacts(queued.saleId, receipt)),
    ...(soldAt === null ? {} : { soldAt }),
  };
  return target.consignorID === null
    ? { path: "/inventory/master/sale", body: { masterItemID: target.id, ...body } }
    : {
        path: "/sales/record",
        body: {
          consignorID: target.consignorID,
          itemUID: target.id,
          barcode1: target.barcode1,
          consignorPercentage: consignorShare,
          ...body,
        },
      };
}

/** The cart is the receipt. */
function tillFacts(saleId: string, { tender, certificate }: NonNullable<QueuedLine["receipt"]>) {
  return {
    receiptID: saleId,
    tender,
    ...(certificate === undefined ? {} : { taxExempt: { certificate } }),
  };
}

/** A sale as `posSales` stores it: in dollars, with the specification's names. */
export const posSale = z.object({
  saleId: z.string(),
  date: z.string(),
  items: z.array(
    z.object({
      itemName: z.string(),
      barcode1: z.string(),
      consignorID: z.nullable(z.string()),
      quantity: z.int(),
      price: z.number(),
      total: z.number(),
    }),
  ),
  total: z.number(),
  subtotal: z.number(),
  totalTax: z.number(),
  commissionRate: z.number(),
});
export type PosSale = z.infer<typeof posSale>;

export function posSaleOf(sale: TakenSale): PosSale {
  return {
    saleId: sale.saleId,
    date: sale.soldAt,
    items: sale.lines.map(({ item, units, unitPriceCents, grossCents }) => ({
      itemName: item.itemName,
      barcode1: item.barcode1,
      consignorID: item.consignorID,
      quantity: units,
      price: toDollars(unitPriceCents),
      total: toDollars(grossCents),
    })),
    total: toDollars(sale.totalCents),
    subtotal: toDollars(sale.subtotalCents),
    totalTax: toDollars(sale.taxCents),
    commissionRate: sale.consignorShare,
  };
}
