// The trades of a rush: a few traders ask each other for the same few items, while everything else happens to them too.
import { offerIdOf } from "#features/trades/streams.ts";
import type { Draft, Random, RushGround, TradeKind } from "#testing/rush/draft.ts";
import { pick, whole } from "#testing/rush/draft.ts";

/** Calls whose keys are the caller's own, since not only admins may send them. */
export const OWN_KEYS: ReadonlySet<string> = new Set<TradeKind>([
  "request-trade",
  "accept-offer",
  "decline-offer",
  "counter-offer",
  "cancel-trade",
  "upload-label",
  "confirm-trade",
]);

/** The rate that a store has until an admin changes it. */
export const RUSH_SHIPPING_FEE = 400;

const address = { name: "Rush", street: "1 Rush Road", city: "Marfa", state: "TX", zip: "79843" };

const post = (
  kind: TradeKind,
  caller: string | null,
  path: string,
  subject: string,
  { body = {}, asked = 0 }: { body?: Record<string, unknown> | null; asked?: number } = {},
): Draft => ({ kind, caller, method: "POST", path: `/api/trades/${path}`, body, subject, asked });

export function requestTrade(random: Random, ground: RushGround): Draft | undefined {
  const buyerUid = pick(random, ground.traders);
  const itemBarcode = pick(random, ground.tradedBarcodes);
  if (buyerUid === undefined || itemBarcode === undefined) {
    return undefined;
  }
  const quantity = whole(random, 1, 3);
  const pricePerItem = whole(random, 50, 900);
  const providesOwnShipping = random() < 0.5;
  const fee = providesOwnShipping ? 0 : RUSH_SHIPPING_FEE;
  const body = { itemName: "Rush item", itemBarcode, quantity, pricePerItem, providesOwnShipping };
  return post("request-trade", buyerUid, "request", buyerUid, {
    body: { ...body, shippingAddress: address },
    asked: quantity * pricePerItem + fee,
  });
}

/** One of the known trades, and one of its offers. */
function pickOffer(random: Random, ground: RushGround) {
  const trade = pick(random, ground.trades);
  const nth = trade === undefined ? 0 : whole(random, 1, trade.sellerUids.length);
  const sellerUid = trade?.sellerUids[nth - 1];
  return trade === undefined || sellerUid === undefined
    ? undefined
    : { ...trade, sellerUid, offerId: offerIdOf(trade.tradeId, nth) };
}

export function answerOffer(random: Random, ground: RushGround): Draft | undefined {
  const offer = pickOffer(random, ground);
  if (offer === undefined) {
    return undefined;
  }
  const { offerId, buyerUid, sellerUid } = offer;
  const caller = random() < 0.8 ? sellerUid : buyerUid;
  const chance = random();
  if (chance < 0.7) {
    return post("accept-offer", caller, `offers/${offerId}/accept`, offerId);
  }
  return chance < 0.8
    ? post("decline-offer", caller, `offers/${offerId}/decline`, offerId, { body: null })
    : post("counter-offer", caller, `offers/${offerId}/counter`, offerId, {
        body: { counterPrice: whole(random, 50, 900) },
      });
}

/** What an admin or the buyer does to a trade on its way. */
export function moveTrade(random: Random, ground: RushGround): Draft | undefined {
  const offer = pickOffer(random, ground);
  if (offer === undefined) {
    return undefined;
  }
  const { tradeId, offerId, buyerUid } = offer;
  const chance = random();
  if (chance < 0.34) {
    const body = { trackingNumber: "9400-RUSH", carrier: "USPS" };
    return post("upload-label", null, `${tradeId}/shipping-label`, tradeId, { body });
  }
  if (chance < 0.64) {
    return post("fulfill-trade", null, `${tradeId}/fulfill`, tradeId, { body: null });
  }
  if (chance < 0.76) {
    return post("confirm-trade", buyerUid, `${tradeId}/confirm`, tradeId, { body: null });
  }
  if (chance < 0.84) {
    return post("cancel-trade", random() < 0.5 ? buyerUid : null, `${tradeId}/cancel`, tradeId);
  }
  if (chance < 0.9) {
    const as = pick(random, ["restock", "lost"]);
    return post("cancel-acceptance", null, `${tradeId}/offers/${offerId}/cancel`, offerId, {
      body: { units: 1, as },
      asked: 1,
    });
  }
  const cents = whole(random, 1, 300);
  const refund = { units: 1, cents, borneBy: "seller", restock: random() < 0.5 };
  return post("refund-trade", null, `${tradeId}/refund`, offerId, {
    body: { ...refund, offerId },
    asked: cents,
  });
}
