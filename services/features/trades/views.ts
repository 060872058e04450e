// From rows of the read tables to what buyers, admins and sellers see of trades and offers. Pure.
import {
  COMPLETION_DAYS,
  LABEL_DAYS,
  MAX_COUNTERS,
  REPORT_DAYS,
} from "#features/trades/contract.ts";
import type {
  SellerOffer,
  SellersTrade,
  Trade,
  TradeOffer,
} from "#features/trades/contract-reads.ts";
import { DAY_MS } from "#ledger/day-text.ts";
import type { tradeOffersTable, tradesTable } from "#features/trades/projection.ts";
import { shareOf } from "#ledger/money.ts";
import type { RowOf } from "#ledger/projection/columns.ts";

export type TradeRow = RowOf<typeof tradesTable>;
export type OfferRow = RowOf<typeof tradeOffersTable>;

/** What is kept outside the log and may be erased. */
export type TradeTexts = {
  readonly trackingNumber: string | null;
  readonly hasLabel: boolean;
  /** By the notes' ids. */
  readonly notes: ReadonlyMap<string, string>;
};

export type Person = { readonly uid: string; readonly displayName: string };

function afterDays(since: Date, days: number): string {
  return new Date(since.getTime() + days * DAY_MS).toISOString();
}

function unitsNeeded({ quantity, accepted_units }: TradeRow): number {
  return quantity - accepted_units;
}

/**
 * What the last counter names, or else what the seller was asked for. Of an open offer at most what its trade still
 * needs, because no more would be accepted.
 */
function unitsOnTable(row: OfferRow, needed: number): number {
  const units = row.counter_quantity ?? row.quantity_offered;
  return row.turn === null ? units : Math.min(units, needed);
}

/** `seller` is null for the buyer, who does not learn who sells. */
function offerView(row: OfferRow, needed: number, seller: Person | null): TradeOffer {
  return {
    offerId: row.offer_id,
    status: row.status,
    declinedBecause: row.declined_because,
    turn: row.turn,
    quantityOffered: row.quantity_offered,
    quantity: unitsOnTable(row, needed),
    pricePerItem: row.price_cents,
    counterPrice: row.counter_price_cents,
    counteredBy: row.countered_by,
    countersLeft: Math.max(0, MAX_COUNTERS - row.rounds),
    expiresAt: row.expires_at.toISOString(),
    acceptedQuantity: row.accepted_units,
    acceptedPrice: row.accepted_price_cents,
    refundedQuantity: row.refunded_units,
    refundedCents: row.refunded_cents,
    seller,
  };
}

/** The accepted units, or while nothing is accepted the requested ones, and the shipping fee. */
function totalOf(row: TradeRow, offers: readonly OfferRow[]): number {
  const accepted = offers.reduce(
    (sum, offer) => sum + offer.accepted_units * (offer.accepted_price_cents ?? 0),
    0,
  );
  const items = row.accepted_units > 0 ? accepted : row.quantity * row.price_cents;
  return items + row.shipping_fee_cents;
}

function completesAt(row: TradeRow): string | null {
  if (row.status !== "fulfilled" || row.fulfilled_at === null || row.reported_at !== null) {
    return null;
  }
  const due = row.fulfilled_at.getTime() + COMPLETION_DAYS * DAY_MS;
  return new Date(Math.max(due, row.settled_at?.getTime() ?? 0)).toISOString();
}

function noteIn({ notes }: TradeTexts, id: string | null): string | null {
  return id === null ? null : (notes.get(id) ?? null);
}

function reportOf(row: TradeRow, texts: TradeTexts): Trade["report"] {
  const { report_kind: kind, reported_at: reportedAt } = row;
  return kind === null || reportedAt === null
    ? null
    : {
        kind,
        description: noteIn(texts, row.report_note_id),
        reportedAt: reportedAt.toISOString(),
      };
}

/** `sellers` has the sellers' names; it is empty for the buyer. */
export function tradeView(
  row: TradeRow,
  offers: readonly OfferRow[],
  texts: TradeTexts,
  sellers: ReadonlyMap<string, string>,
): Trade {
  const isOwed = row.status === "awaiting_shipping" && row.provides_own_shipping;
  return {
    tradeId: row.trade_id,
    itemName: row.item_name,
    itemBarcode: row.barcode1,
    itemLink: row.item_link,
    imageUrl: row.image_url,
    quantity: row.quantity,
    acceptedQuantity: row.accepted_units,
    pricePerItem: row.price_cents,
    shippingFee: row.shipping_fee_cents,
    totalCost: totalOf(row, offers),
    heldCents: row.held_cents,
    refundedCents: offers.reduce((sum, offer) => sum + offer.refunded_cents, 0),
    status: row.status,
    statusSince: row.status_since.toISOString(),
    providesOwnShipping: row.provides_own_shipping,
    createdAt: row.requested_at.toISOString(),
    trackingNumber: texts.trackingNumber,
    carrier: row.carrier,
    labelUrl: texts.hasLabel ? `/api/trades/${row.trade_id}/label` : null,
    cancelsAt: isOwed ? afterDays(row.status_since, LABEL_DAYS) : null,
    fulfilledAt: row.fulfilled_at?.toISOString() ?? null,
    completesAt: completesAt(row),
    reportUntil: row.fulfilled_at === null ? null : afterDays(row.fulfilled_at, REPORT_DAYS),
    report: reportOf(row, texts),
    cancelReason: noteIn(texts, row.cancel_note_id),
    offers: offers.map((offer) => {
      const displayName = sellers.get(offer.seller_uid);
      const uid = offer.seller_uid;
      const seller = displayName === undefined ? null : { uid, displayName };
      return offerView(offer, unitsNeeded(row), seller);
    }),
  };
}

/** What a seller's list needs of the offer's trade. */
export type OfferOfTrade = OfferRow &
  Pick<TradeRow, "item_name" | "barcode1" | "image_url" | "commission_percentage"> & {
    readonly trade_status: TradeRow["status"];
    /** Units that the trade still needs. */
    readonly units_needed: number;
    readonly requested_at: Date;
  };

/** Says nothing about the buyer. */
export function sellerOfferView(row: OfferOfTrade): SellerOffer {
  const isAccepted = row.accepted_units > 0;
  const quantity = unitsOnTable(row, row.units_needed);
  const totalValue = isAccepted
    ? row.accepted_units * (row.accepted_price_cents ?? 0)
    : quantity * (row.counter_price_cents ?? row.price_cents);
  const commissionCents = shareOf(totalValue, row.commission_percentage, 100);
  return {
    offerId: row.offer_id,
    tradeId: row.trade_id,
    itemName: row.item_name,
    itemBarcode: row.barcode1,
    imageUrl: row.image_url,
    status: row.status,
    declinedBecause: row.declined_because,
    turn: row.turn,
    tradeStatus: row.trade_status,
    quantity,
    pricePerItem: row.price_cents,
    counterPrice: row.counter_price_cents,
    counteredBy: row.countered_by,
    countersLeft: Math.max(0, MAX_COUNTERS - row.rounds),
    totalValue,
    commissionPercentage: row.commission_percentage,
    commissionCents,
    payoutCents: totalValue - commissionCents,
    acceptedQuantity: row.accepted_units,
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.requested_at.toISOString(),
  };
}

/** A trade as the seller of this offer opens it. */
export function sellersTradeView(row: TradeRow, offer: OfferRow): SellersTrade {
  const { item_name, barcode1, image_url, commission_percentage, requested_at } = row;
  const trade = { item_name, barcode1, image_url, commission_percentage, requested_at };
  return {
    ...sellerOfferView({
      ...offer,
      ...trade,
      trade_status: row.status,
      units_needed: unitsNeeded(row),
    }),
    seenAs: "seller",
    fulfilledAt: offer.accepted_units > 0 ? (row.fulfilled_at?.toISOString() ?? null) : null,
    refundedQuantity: offer.refunded_units,
    refundedCents: offer.refunded_cents,
  };
}
