// What can happen to a trade. Each event has the trade's status after it, and every offer it changed, in full.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import { centsFromZero, uid, uuid } from "#ledger/fields.ts";

/** `<trade id>-<number>`. */
const offerId = z
  .string()
  .check(
    z.regex(
      /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-[1-9][0-9]{0,3}$/u,
      "This is not the id of an offer",
    ),
  );
const units = z.int().check(z.positive());
const unitsFromZero = z.int().check(z.nonnegative());
const cents = z.int().check(z.positive());
/** ISO 8601 with milliseconds. */
const instant = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u));
const noteId = z.nullable(uuid);

const party = z.enum(["buyer", "seller"]);
export type Party = z.infer<typeof party>;

const tradeStatus = z.enum([
  "pending",
  "awaiting_shipping",
  "shipping_uploaded",
  "fulfilled",
  "completed",
  "cancelled",
  "expired",
]);
export type TradeStatus = z.infer<typeof tradeStatus>;

/** Units of one of the seller's items. */
const rowUnits = z.object({ itemId: uuid, units });
export type RowUnits = z.infer<typeof rowUnits>;

/** A counter: the price and the units that one party named. */
const counter = z.object({ by: party, pricePerItem: cents, quantity: units });
export type Counter = z.infer<typeof counter>;

/** What was accepted. */
const acceptance = z.object({
  /** Without what was cancelled. The price of these units is held, and paid when the trade is fulfilled. */
  units: unitsFromZero,
  pricePerItem: cents,
  /** The items that the units came from, without units that went back or were lost. */
  rows: z.array(rowUnits),
  /** What the buyer got back after fulfillment. */
  refundedUnits: unitsFromZero,
  refundedCents: centsFromZero,
});
export type Acceptance = z.infer<typeof acceptance>;

const offer = z.object({
  offerId,
  sellerUid: uid,
  /** The seller's items with the barcode at the request, oldest first. */
  itemIds: z.array(uuid),
  status: z.enum([
    "pending",
    "countered",
    "accepted",
    "declined",
    "expired",
    "withdrawn",
    "no_stock",
    "cancelled",
  ]),
  /** Null unless declined: a party said no, or others filled the trade. */
  declinedBecause: z.nullable(z.enum(["party", "filled"])),
  /** The units the seller was asked for; no counter asks for more. */
  quantityOffered: units,
  /** What the buyer asked for. */
  pricePerItem: cents,
  /** Oldest first, without those that were taken back. The last one is on the table. */
  counters: z.array(counter),
  /** How many counters there were, including those that were taken back. */
  rounds: unitsFromZero,
  expiresAt: instant,
  /** Its seller was reminded of this deadline. */
  isReminded: z.boolean(),
  acceptance: z.nullable(acceptance),
});
export type Offer = z.infer<typeof offer>;

/** What every event says: whose trade it is, and its status and offers afterwards. */
const outcome = {
  tradeId: uuid,
  buyerUid: uid,
  itemName: z.string(),
  /** The trade's status afterwards. */
  status: tradeStatus,
  /** Every offer that the event changed, as it is afterwards. */
  offers: z.array(offer),
} as const;

/** They do not change during the trade. */
const rates = z.object({
  commissionPercentage: z.int().check(z.minimum(0), z.maximum(100)),
  /** 0 if the buyer provides the label. */
  shippingFeeCents: centsFromZero,
});
export type TradeRates = z.infer<typeof rates>;

/** A buyer asks everyone who has an item. It posts nothing: money moves when somebody accepts. */
export const TradeRequested = defineEvent(
  "TradeRequested",
  1,
  z.object({
    ...outcome,
    barcode1: z.string(),
    itemLink: z.string(),
    imageUrl: z.string(),
    quantity: units,
    pricePerItem: cents,
    providesOwnShipping: z.boolean(),
    rates,
    /** identity.trade_addresses; the address may be erased, the reference stays. */
    addressId: uuid,
  }),
);

/** Postings: buyer's available → escrow, the price and on the trade's first acceptance the fee. Units: seller's items → trade. */
export const OfferAccepted = defineEvent(
  "OfferAccepted",
  1,
  z.object({
    ...outcome,
    offerId,
    sellerUid: uid,
    by: party,
    units,
    pricePerItem: cents,
    /** 0 if an earlier acceptance paid it, or if the buyer provides the label. */
    shippingFeeCents: centsFromZero,
    rows: z.array(rowUnits),
  }),
);

/** A party said no. */
export const OfferDeclined = defineEvent(
  "OfferDeclined",
  1,
  z.object({ ...outcome, offerId, sellerUid: uid, by: party }),
);

/** Somebody accepted, and the seller had none left. */
export const OfferClosed = defineEvent(
  "OfferClosed",
  1,
  z.object({ ...outcome, offerId, sellerUid: uid }),
);

/** A party named another price, or fewer units; its 48 hours begin again. */
export const OfferCountered = defineEvent(
  "OfferCountered",
  1,
  z.object({ ...outcome, offerId, sellerUid: uid, ...counter.shape }),
);

/** A party took its own counter back before it was answered. */
export const CounterRetracted = defineEvent(
  "CounterRetracted",
  1,
  z.object({ ...outcome, offerId, sellerUid: uid, by: party }),
);

/** Nobody answered in time. */
export const OffersExpired = defineEvent("OffersExpired", 1, z.object({ ...outcome }));

/** The buyer asks for a higher price, before anybody accepted. Pending offers follow. */
export const TradeRaised = defineEvent(
  "TradeRaised",
  1,
  z.object({ ...outcome, before: cents, after: cents }),
);

/** The buyer withdrew the offers that were still open; accepted ones go on. */
export const TradeRestClosed = defineEvent("TradeRestClosed", 1, z.object({ ...outcome }));

/** Everything goes back: escrow → buyer's available, the trade's units → the rows they came from. */
export const TradeCancelled = defineEvent(
  "TradeCancelled",
  1,
  z.object({
    ...outcome,
    /** `time`: the buyer owed the label for too long. */
    by: z.enum(["buyer", "admin", "time"]),
    /** The price of what was accepted. */
    returnedCents: centsFromZero,
    returnedFeeCents: centsFromZero,
    /** Where the units went. For a deleted item, the item that has its barcode now. */
    rows: z.array(rowUnits),
    noteId,
  }),
);

/** One acceptance or a part of it: its price → buyer, the fee too if nothing remains; its units → rows or adjusted. */
export const AcceptanceCancelled = defineEvent(
  "AcceptanceCancelled",
  1,
  z.object({
    ...outcome,
    offerId,
    sellerUid: uid,
    units,
    as: z.enum(["restock", "lost", "damaged"]),
    returnedCents: centsFromZero,
    returnedFeeCents: centsFromZero,
    /** Where the units went; empty if they are lost or damaged. */
    rows: z.array(rowUnits),
    noteId,
  }),
);

/** The label was uploaded or replaced. */
export const TradeLabelUploaded = defineEvent(
  "TradeLabelUploaded",
  1,
  z.object({
    ...outcome,
    by: z.enum(["buyer", "admin"]),
    /** In the store of labels; identity.trade_labels has its tracking number. */
    labelId: uuid,
    /** The label it replaces; null for the first one. */
    replacedLabelId: z.nullable(uuid),
    carrier: z.enum(["USPS", "UPS", "FedEx"]),
  }),
);

/** The goods go to another address. An uploaded label becomes void. */
export const TradeAddressChanged = defineEvent(
  "TradeAddressChanged",
  1,
  z.object({
    ...outcome,
    by: z.enum(["buyer", "admin"]),
    before: uuid,
    after: uuid,
    voidedLabelId: z.nullable(uuid),
  }),
);

/** What one seller got. */
const payment = z.object({
  offerId,
  sellerUid: uid,
  units,
  priceCents: centsFromZero,
  commissionCents: centsFromZero,
  payoutCents: centsFromZero,
});
export type Payment = z.infer<typeof payment>;

/** Escrow → each seller's available, the store's commission and shipping. Units: trade → traded. */
export const TradeFulfilled = defineEvent(
  "TradeFulfilled",
  1,
  z.object({
    ...outcome,
    payments: z.array(payment),
    shippingFeeCents: centsFromZero,
    rounding: z.literal("half_up"),
  }),
);

/** The buyer confirmed the goods, or reported nothing for a week. It posts nothing. */
export const TradeCompleted = defineEvent(
  "TradeCompleted",
  1,
  z.object({ ...outcome, by: z.enum(["buyer", "time"]) }),
);

/** The buyer says that something is wrong. The trade does not complete until that is settled. */
export const TradeReported = defineEvent(
  "TradeReported",
  1,
  z.object({ ...outcome, kind: z.enum(["lost", "damaged", "wrong", "returned"]), noteId }),
);

/** The buyer took the report back, or an admin turned it down. */
export const TradeReportClosed = defineEvent(
  "TradeReportClosed",
  1,
  z.object({ ...outcome, by: z.enum(["buyer", "admin"]), noteId }),
);

/** After fulfillment: seller's available or store:adjustments → buyer's available. Restocked units: traded → rows. */
export const TradeRefunded = defineEvent(
  "TradeRefunded",
  1,
  z.object({
    ...outcome,
    offerId,
    sellerUid: uid,
    units: unitsFromZero,
    cents: centsFromZero,
    borneBy: z.enum(["seller", "store"]),
    /** Where restocked units went; empty if they were not restocked. */
    rows: z.array(rowUnits),
    /** Whether it settled an open report. */
    settledReport: z.boolean(),
    noteId,
  }),
);

/** Somebody was reminded that the trade waits for them. */
export const TradeReminded = defineEvent(
  "TradeReminded",
  1,
  z.object({
    ...outcome,
    /** `answer`: a seller whose offer ends soon. `label`: the buyer who owes it. `order`: the store, which has to act. */
    about: z.enum(["answer", "label", "order"]),
    /** Since how many days it waits; 0 for `answer`. */
    day: unitsFromZero,
    /** When it was due. */
    dueAt: instant,
  }),
);

/** Every event of this feature. */
export const tradeEvents = [
  TradeRequested,
  OfferAccepted,
  OfferDeclined,
  OfferClosed,
  OfferCountered,
  CounterRetracted,
  OffersExpired,
  TradeRaised,
  TradeRestClosed,
  TradeCancelled,
  AcceptanceCancelled,
  TradeLabelUploaded,
  TradeAddressChanged,
  TradeFulfilled,
  TradeCompleted,
  TradeReported,
  TradeReportClosed,
  TradeRefunded,
  TradeReminded,
] as const;
