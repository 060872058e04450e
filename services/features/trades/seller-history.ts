// What happened to a trade as one of its sellers may read it: their own offer, and the parcel only as far as it concerns them. Pure.
import type { AnyEvent, EventDefinition } from "#ledger/event.ts";
import { is } from "#ledger/event.ts";
import { unitsText } from "#ledger/explain.ts";
import { formatCents } from "#ledger/money.ts";
import type { Offer } from "#features/trades/events.ts";
import {
  AcceptanceCancelled,
  CounterRetracted,
  OfferAccepted,
  OfferClosed,
  OfferCountered,
  OfferDeclined,
  OffersExpired,
  TradeAddressChanged,
  TradeCancelled,
  TradeCompleted,
  TradeFulfilled,
  TradeLabelUploaded,
  TradeRaised,
  TradeRefunded,
  TradeReminded,
  TradeReportClosed,
  TradeReported,
  TradeRequested,
  TradeRestClosed,
} from "#features/trades/events.ts";
import { changedBy } from "#features/trades/streams.ts";

/** `usual`: as everybody reads it. Null: it does not concern this seller. */
type SellersWords = "usual" | { readonly description: string } | null;

export type SellersLine = {
  readonly words: SellersWords;
  /** Whether the given reason may be read. Only the reason of a refund is in the seller's ledger too. */
  readonly hasNote: boolean;
};

/** One line for each event of the trade, oldest first. Null for an event that cannot be read. */
export function sellersLines(
  events: readonly (AnyEvent | null)[],
  sellerUid: string,
): readonly SellersLine[] {
  let own: Offer | null = null;
  return events.map((event) => {
    if (event === null) {
      return { words: null, hasNote: false };
    }
    const before: Offer | null = own;
    const changed = changedBy(event).find((offer) => offer.sellerUid === sellerUid);
    own = changed ?? own;
    const words =
      changed === undefined
        ? wordsOfTrade(event, before, sellerUid)
        : wordsOfOffer(event, changed, before, sellerUid);
    return { words, hasNote: is(TradeRefunded, event) };
  });
}

const ofOneOffer: readonly EventDefinition<string, { readonly sellerUid: string }>[] = [
  OfferAccepted,
  OfferDeclined,
  OfferClosed,
  OfferCountered,
  CounterRetracted,
  AcceptanceCancelled,
  TradeRefunded,
];

/** Whose offer an event is about; null for one about the whole trade. */
function sellerOf(event: AnyEvent): string | null {
  const definition = ofOneOffer.find(({ type }) => type === event.type);
  return definition !== undefined && is(definition, event) ? event.data.sellerUid : null;
}

function said(description: string): SellersWords {
  return { description };
}

/** An event that changed the seller's offer. */
function wordsOfOffer(
  event: AnyEvent,
  offer: Offer,
  before: Offer | null,
  sellerUid: string,
): SellersWords {
  if (is(TradeRequested, event)) {
    const { quantityOffered, pricePerItem } = offer;
    return said(
      `Offered to you: ${unitsText(quantityOffered)} at ${formatCents(pricePerItem)} each`,
    );
  }
  if (offer.declinedBecause === "filled" && before?.declinedBecause !== "filled") {
    return said("Other sellers filled the trade");
  }
  if (is(OffersExpired, event)) {
    return said("The offer expired");
  }
  if (is(TradeRestClosed, event)) {
    return said("The buyer withdrew the offer");
  }
  if (is(TradeReminded, event)) {
    return said("You were reminded to answer");
  }
  if (is(TradeCancelled, event)) {
    return wordsOfCancelled(event.data.by, (before?.acceptance?.units ?? 0) > 0);
  }
  return is(TradeRaised, event) || sellerOf(event) === sellerUid
    ? "usual"
    : wordsOfTrade(event, before, sellerUid);
}

function wordsOfCancelled(by: "buyer" | "admin" | "time", wasAccepted: boolean): SellersWords {
  if (!wasAccepted) {
    return said(by === "buyer" ? "The buyer withdrew the request" : "The trade was cancelled");
  }
  return said(
    by === "time"
      ? "Cancelled, because the label never came: your units are back in stock"
      : "Cancelled: your units are back in stock",
  );
}

/** An event of the whole trade. It concerns a seller whose units are in it. */
function wordsOfTrade(event: AnyEvent, own: Offer | null, sellerUid: string): SellersWords {
  const taken = own?.acceptance ?? null;
  return taken === null || taken.units === 0 ? null : wordsOfParcel(event, sellerUid);
}

function wordsOfParcel(event: AnyEvent, sellerUid: string): SellersWords {
  if (is(TradeLabelUploaded, event)) {
    return event.data.replacedLabelId === null ? said("The shipping label is there") : null;
  }
  if (is(TradeAddressChanged, event)) {
    return event.data.voidedLabelId === null ? null : said("The parcel needs another label");
  }
  if (is(TradeFulfilled, event)) {
    const own = event.data.payments.filter((payment) => payment.sellerUid === sellerUid);
    const units = own.reduce((sum, payment) => sum + payment.units, 0);
    const cents = own.reduce((sum, payment) => sum + payment.payoutCents, 0);
    return said(`Fulfilled: ${unitsText(units)}, you get ${formatCents(cents)}`);
  }
  return is(TradeCompleted, event) || is(TradeReported, event) || is(TradeReportClosed, event)
    ? "usual"
    : null;
}
