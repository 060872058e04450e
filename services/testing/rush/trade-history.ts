// The trades of a rush at every position of the log, as their events leave them, and what must never happen to one.
import * as z from "zod";
import type { StoredEvent } from "#ledger/log/read.ts";

/** What the judge reads of a trade's event. It shares nothing with the program's own states. */
const outcome = z.object({
  tradeId: z.string(),
  buyerUid: z.string(),
  status: z.string(),
  offers: z.array(
    z.object({
      offerId: z.string(),
      sellerUid: z.string(),
      itemIds: z.array(z.string()),
      status: z.string(),
      quantityOffered: z.number(),
      pricePerItem: z.number(),
      counters: z.array(
        z.object({ by: z.string(), pricePerItem: z.number(), quantity: z.number() }),
      ),
      rounds: z.number(),
      acceptance: z.nullable(
        z.object({
          units: z.number(),
          pricePerItem: z.number(),
          refundedUnits: z.number(),
          refundedCents: z.number(),
        }),
      ),
    }),
  ),
});

const terms = z.object({
  quantity: z.number(),
  rates: z.object({ shippingFeeCents: z.number() }),
});

export type OfferThen = z.infer<typeof outcome>["offers"][number];

export type TradeThen = {
  readonly buyerUid: string;
  readonly status: string;
  readonly quantity: number;
  readonly feeCents: number;
  readonly isFulfilled: boolean;
  readonly offers: ReadonlyMap<string, OfferThen>;
};

/** Whether it is an event of a trade. */
function isOfTrade(event: StoredEvent): boolean {
  return event.streams.some(({ streamId }) => streamId.startsWith("trade-"));
}

/** The trade after the event; null where the event is of none. */
export function tradeAfter(
  event: StoredEvent,
  before: (tradeId: string) => TradeThen | undefined,
): { readonly tradeId: string; readonly trade: TradeThen } | null {
  const parsed = isOfTrade(event) ? outcome.safeParse(event.data) : undefined;
  if (parsed?.success !== true) {
    return null;
  }
  const { tradeId, buyerUid, status, offers } = parsed.data;
  const old = before(tradeId);
  const asked = old === undefined ? terms.parse(event.data) : null;
  return {
    tradeId,
    trade: {
      buyerUid,
      status,
      quantity: asked?.quantity ?? old?.quantity ?? 0,
      feeCents: asked?.rates.shippingFeeCents ?? old?.feeCents ?? 0,
      isFulfilled: event.type === "TradeFulfilled" || (old?.isFulfilled ?? false),
      offers: new Map([
        ...(old?.offers ?? new Map<string, OfferThen>()),
        ...offers.map((offer) => [offer.offerId, offer] as const),
      ]),
    },
  };
}

export function unitsAccepted({ offers }: TradeThen): number {
  return [...offers.values()].reduce((sum, { acceptance }) => sum + (acceptance?.units ?? 0), 0);
}

/** What a trade must hold: the price of what is accepted and its fee, until it is fulfilled. */
export function centsToHold(trade: TradeThen): number {
  const units = unitsAccepted(trade);
  const price = [...trade.offers.values()].reduce(
    (sum, { acceptance }) => sum + (acceptance?.units ?? 0) * (acceptance?.pricePerItem ?? 0),
    0,
  );
  return trade.isFulfilled || units === 0 ? 0 : price + trade.feeCents;
}

/** What an event must not do to a trade; empty where it does nothing wrong. */
export function wrongWith(
  event: Pick<StoredEvent, "type" | "position">,
  tradeId: string,
  trade: TradeThen,
  before: TradeThen | undefined,
  held: { readonly cents: number; readonly units: number; readonly buyerCents: number },
): string[] {
  const where = `trade ${tradeId} at ${event.position}`;
  const units = trade.isFulfilled ? 0 : unitsAccepted(trade);
  return [
    ...(held.cents === centsToHold(trade)
      ? []
      : [`${where} holds ${held.cents} cents instead of ${centsToHold(trade)}`]),
    ...(held.units === units ? [] : [`${where} holds ${held.units} units instead of ${units}`]),
    ...(unitsAccepted(trade) > trade.quantity ? [`${where} has more than was asked for`] : []),
    ...(event.type === "TradeFulfilled" && before?.isFulfilled === true
      ? [`${where} was fulfilled again`]
      : []),
    ...(event.type === "OfferAccepted" && held.buyerCents < 0
      ? [`${where} overdrew its buyer`]
      : []),
  ];
}
