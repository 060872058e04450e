// What can happen to a sale. An event contains the rates and inputs of its split, so later rates do not change it.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import { centsFromZero, uid, uuid } from "#ledger/fields.ts";

const units = z.int().check(z.positive());
const percentage = z.int().check(z.minimum(0), z.maximum(100));
const channel = z.enum(["online", "pos"]);

/** How a share of a cent was rounded. */
const rounding = z.literal("half_up");

/** The tax rate that the till charged; null if no till named one. */
const taxRate = z.nullable(
  z.object({
    /** 825 is 8.25 %. */
    basisPoints: z.int().check(z.nonnegative()),
    /** True if the store had another rate when it was sold. The charged tax is booked anyway. */
    outdated: z.boolean(),
  }),
);
export type SaleTaxRate = z.infer<typeof taxRate>;

/** How the customer paid, or got the money back. */
export const saleTender = z.enum(["cash", "card", "other"]);
export type SaleTender = z.infer<typeof saleTender>;

/** What the till says about a whole cart, on each of its sales. */
const till = {
  /** One for all sales of a cart. Missing where there was no receipt: sales that no till made, or an older one. */
  receiptId: z.optional(uuid),
  /** Missing where nobody said: sales from before tenders were recorded, and most online sales. */
  tender: z.optional(saleTender),
  /** There only if the customer paid no tax for having a certificate. Its number is in identity.notes; null without one. */
  taxExemption: z.optional(z.object({ noteId: z.nullable(uuid) })),
};

/** No till named a rate before version 2. */
const withoutTaxRate = (data: unknown) => ({ ...Object(data), taxRate: null });

/**
 * A consignor's item was sold. Postings: customers → revenue the price, customers → sales-tax the tax,
 * revenue → shipping, revenue → available the payout. Movements: item → sold.
 */
export const SaleRecorded = defineEvent(
  "SaleRecorded",
  2,
  z.object({
    saleId: uuid,
    consignorId: uid,
    itemId: z.string(),
    itemName: z.string(),
    barcode1: z.string(),
    units,
    /** Total for all units, without tax. */
    priceCents: centsFromZero,
    shippingCents: centsFromZero,
    salesTaxCents: centsFromZero,
    taxRate,
    consignorPercentage: percentage,
    /**
     * The consignor's usual share when it was recorded. There only if another one was given; missing before anybody
     * asked.
     */
    usualPercentage: z.optional(percentage),
    /**
     * The lowest default share of the week before the sale, there only if the share is the store's default and higher:
     * whoever raised it may have sold own goods.
     */
    lowerDefaultPercentage: z.optional(percentage),
    payoutCents: centsFromZero,
    rounding,
    channel,
    ...till,
  }),
  { 1: withoutTaxRate },
);

/** The store's own item was sold; `priceCents` is null if only stock moved. */
export const MasterSaleRecorded = defineEvent(
  "MasterSaleRecorded",
  2,
  z.object({
    saleId: uuid,
    itemId: z.string(),
    itemName: z.string(),
    barcode1: z.string(),
    units,
    priceCents: z.nullable(centsFromZero),
    salesTaxCents: centsFromZero,
    taxRate,
    channel,
    ...till,
  }),
  { 1: withoutTaxRate },
);

/** A sale without an item: customers → available, the full amount. */
export const CustomSaleRecorded = defineEvent(
  "CustomSaleRecorded",
  1,
  z.object({
    saleId: uuid,
    consignorId: uid,
    itemName: z.string(),
    amountCents: centsFromZero,
  }),
);

/** The terms that a correction can change. A custom sale has one unit, no shipping, and payout = price. */
const terms = z.object({
  itemName: z.string(),
  units,
  priceCents: z.nullable(centsFromZero),
  shippingCents: centsFromZero,
  salesTaxCents: centsFromZero,
  /** Null if no percentage decides the payout: master and custom sales. */
  consignorPercentage: z.nullable(percentage),
  payoutCents: centsFromZero,
});
export type SaleTerms = z.infer<typeof terms>;

/** A sale was entered wrong. Postings and movements: the difference of each leg. */
export const SaleCorrected = defineEvent(
  "SaleCorrected",
  1,
  z.object({
    saleId: uuid,
    /** Null for a sale of the store's own item. */
    consignorId: z.nullable(uid),
    /** Null for a custom sale. */
    itemId: z.nullable(z.string()),
    before: terms,
    after: terms,
    rounding,
    /** The reason, in identity.notes; null without one. */
    noteId: z.nullable(uuid),
  }),
);

/** Units, money or both were returned. The cents are those of this refund; shipping is not refunded. */
export const SaleRefunded = defineEvent(
  "SaleRefunded",
  1,
  z.object({
    saleId: uuid,
    consignorId: z.nullable(uid),
    itemId: z.nullable(z.string()),
    itemName: z.string(),
    /** 0 if only a part of the price was refunded. */
    units: z.int().check(z.nonnegative()),
    /** True if the units are on hand again: sold → item. */
    restocked: z.boolean(),
    priceCents: centsFromZero,
    salesTaxCents: centsFromZero,
    /** What was taken from the consignor's available balance. */
    payoutCents: centsFromZero,
    rounding,
    noteId: z.nullable(uuid),
    /** How the customer got the money back. Missing where nobody said, as before tenders were recorded. */
    tender: z.optional(saleTender),
  }),
);

/** Nobody's money changes: the till's day only has it under another tender. */
export const SaleTenderCorrected = defineEvent(
  "SaleTenderCorrected",
  1,
  z.object({
    saleId: uuid,
    /** Null for a sale of the store's own item. */
    consignorId: z.nullable(uid),
    /** Null if nobody had said how the customer paid. */
    before: z.nullable(saleTender),
    after: saleTender,
    /** The reason, in identity.notes; null without one. */
    noteId: z.nullable(uuid),
  }),
);

/** How the money of a refund really went back. No balance changes: the till's day has it under another tender. */
export const RefundTenderCorrected = defineEvent(
  "RefundTenderCorrected",
  1,
  z.object({
    saleId: uuid,
    /** Null for a sale of the store's own item. */
    consignorId: z.nullable(uid),
    /** Which refund of the sale: 1 is its first. */
    refund: z.int().check(z.positive()),
    /** Null if nobody had said how the money went back. */
    before: z.nullable(saleTender),
    after: saleTender,
    /** The reason, in identity.notes; null without one. */
    noteId: z.nullable(uuid),
  }),
);

/**
 * The number of a customer's tax certificate was erased, with the event. The sales stay tax exempt, and no money
 * moves.
 */
export const TaxCertificateErased = defineEvent(
  "TaxCertificateErased",
  1,
  z.object({
    /** The sale that was open when somebody asked for it; null if a restore erased again. */
    saleId: z.nullable(uuid),
    /** The erased notes of identity.notes, which sales name in `taxExemption`. */
    noteIds: z.array(uuid).check(z.minLength(1)),
  }),
);

/** Every event of this feature. */
export const saleEvents = [
  SaleRecorded,
  MasterSaleRecorded,
  CustomSaleRecorded,
  SaleCorrected,
  SaleRefunded,
  SaleTenderCorrected,
  RefundTenderCorrected,
  TaxCertificateErased,
] as const;
