// A trade and its offers as they were recorded at a position: the same rows as the read tables had then, folded. Pure.
import {
  TradeCancelled,
  TradeLabelUploaded,
  TradeReported,
  TradeRequested,
} from "#features/trades/events.ts";
import type { Offer } from "#features/trades/events.ts";
import { acceptedUnits, turnOf } from "#features/trades/offer-terms.ts";
import { changedBy, tradeStream, tradeStreamId } from "#features/trades/streams.ts";
import type { Trade } from "#features/trades/streams.ts";
import type { OfferRow, TradeRow } from "#features/trades/views.ts";
import type { AnyEvent } from "#ledger/event.ts";
import { is } from "#ledger/event.ts";

/** An event of the trade's stream, with its position. */
export type TradeEvent = AnyEvent & { readonly position: number };

export type PastTrade = { readonly row: TradeRow; readonly offers: readonly OfferRow[] };

/** What the stream's state leaves out. */
type Extras = Pick<
  TradeRow,
  "item_link" | "image_url" | "carrier" | "report_kind" | "report_note_id" | "cancel_note_id"
>;

const NONE: Extras = {
  item_link: "",
  image_url: "",
  carrier: null,
  report_kind: null,
  report_note_id: null,
  cancel_note_id: null,
};

function withExtras(extras: Extras, event: AnyEvent): Extras {
  if (is(TradeRequested, event)) {
    return { ...extras, item_link: event.data.itemLink, image_url: event.data.imageUrl };
  }
  if (is(TradeLabelUploaded, event)) {
    return { ...extras, carrier: event.data.carrier };
  }
  if (is(TradeReported, event)) {
    return { ...extras, report_kind: event.data.kind, report_note_id: event.data.noteId };
  }
  return is(TradeCancelled, event) ? { ...extras, cancel_note_id: event.data.noteId } : extras;
}

function dateOf(instant: string | null): Date | null {
  return instant === null ? null : new Date(instant);
}

/** For one unit, of the last seller who was paid; null before fulfillment. */
function tradedPrice({ fulfilledAt, offers }: Trade): number | null {
  const paid = offers.filter(({ acceptance }) => (acceptance?.units ?? 0) > 0);
  return fulfilledAt === null ? null : (paid.at(-1)?.acceptance?.pricePerItem ?? null);
}

function offerRow(
  offer: Offer,
  nth: number,
  { tradeId, buyerUid }: { readonly tradeId: string; readonly buyerUid: string },
  positions: { readonly first: number; readonly last: number },
): OfferRow {
  const counter = offer.counters.at(-1);
  const { acceptance } = offer;
  return {
    offer_id: offer.offerId,
    trade_id: tradeId,
    nth,
    buyer_uid: buyerUid,
    seller_uid: offer.sellerUid,
    status: offer.status,
    declined_because: offer.declinedBecause,
    turn: turnOf(offer),
    quantity_offered: offer.quantityOffered,
    price_cents: offer.pricePerItem,
    counter_price_cents: counter?.pricePerItem ?? null,
    counter_quantity: counter?.quantity ?? null,
    countered_by: counter?.by ?? null,
    rounds: offer.rounds,
    expires_at: new Date(offer.expiresAt),
    is_reminded: offer.isReminded,
    accepted_units: acceptance?.units ?? 0,
    accepted_price_cents: (acceptance?.units ?? 0) > 0 ? (acceptance?.pricePerItem ?? null) : null,
    accepted_rows: acceptance?.rows ?? [],
    refunded_units: acceptance?.refundedUnits ?? 0,
    refunded_cents: acceptance?.refundedCents ?? 0,
    position: positions.first,
    updated_position: positions.last,
  };
}

/** Null before the request. `due_at` is left out: nothing happens by itself in the past. */
export function pastTrade(tradeId: string, events: readonly TradeEvent[]): PastTrade | null {
  let state = tradeStream.initial;
  let extras = NONE;
  const changed = new Map<string, number>();
  for (const event of events) {
    state = tradeStream.evolve(state, event, tradeStreamId(tradeId));
    extras = withExtras(extras, event);
    changedBy(event).forEach(({ offerId }) => changed.set(offerId, event.position));
  }
  const { trade, heldCents } = state;
  if (trade === null) {
    return null;
  }
  const { buyerUid, rates, offers } = trade;
  const first = events[0]?.position ?? 0;
  const hasReport = trade.reportedAt !== null;
  return {
    row: {
      ...extras,
      trade_id: tradeId,
      buyer_uid: buyerUid,
      status: trade.status,
      status_since: new Date(trade.statusSince),
      item_name: trade.itemName,
      barcode1: trade.barcode1,
      quantity: trade.quantity,
      accepted_units: acceptedUnits(offers),
      price_cents: trade.pricePerItem,
      provides_own_shipping: trade.providesOwnShipping,
      commission_percentage: rates.commissionPercentage,
      shipping_fee_cents: rates.shippingFeeCents,
      held_cents: heldCents,
      address_id: trade.addressId,
      label_id: trade.labelId,
      carrier: trade.labelId === null ? null : extras.carrier,
      fulfilled_at: dateOf(trade.fulfilledAt),
      traded_price_cents: tradedPrice(trade),
      report_kind: hasReport ? extras.report_kind : null,
      report_note_id: hasReport ? extras.report_note_id : null,
      reported_at: dateOf(trade.reportedAt),
      settled_at: dateOf(trade.settledAt),
      reminded_day: trade.remindedDay,
      due_at: null,
      requested_at: new Date(trade.requestedAt),
      position: first,
      updated_position: events.at(-1)?.position ?? first,
    },
    offers: offers.map((offer, index) =>
      offerRow(
        offer,
        index + 1,
        { tradeId, buyerUid },
        {
          first,
          last: changed.get(offer.offerId) ?? first,
        },
      ),
    ),
  };
}
