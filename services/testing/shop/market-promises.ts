// What must be true in a market after each step, worked out from its events alone: no cent and no unit lost, nobody paid twice or bound too long.
import { itemHolding } from "#features/inventory/streams.ts";
import { tradeEvents } from "#features/trades/events.ts";
import type { Offer } from "#features/trades/events.ts";
import type { Trade } from "#features/trades/streams.ts";
import { escrowAccount, isOver, tradeHolding, tradeStreamId } from "#features/trades/streams.ts";
import type { NewEvent } from "#ledger/event.ts";
import type { TradeMarket } from "#testing/shop/trade-market.ts";

/** Everything that is wrong in the market; nothing where all promises are kept. */
export function wrongIn(market: TradeMarket): string[] {
  return [
    ...market.takenTwice.map((type) => `${type} was taken twice`),
    ...overdrawn(market),
    ...market.tradeIds.flatMap((tradeId) => wrongInTrade(market, tradeId)),
    ...market.items.flatMap(({ itemId }) => {
      const units = market.books.unitsIn(itemHolding.of(itemId));
      const { quantity, archived } = market.item(itemId);
      return units === quantity && units >= 0 && !(archived && units > 0)
        ? []
        : [`item ${itemId} has ${units} units, its stream ${quantity}`];
    }),
    ...market.people.flatMap((uid) => wrongInPerson(market, uid)),
  ];
}

/** An acceptance never takes money that the buyer does not have. */
function overdrawn({ books }: TradeMarket): string[] {
  const last = books.events.at(-1);
  const buyerUid: unknown = Reflect.get(Object(last?.data), "buyerUid");
  const isAcceptance = last?.type === "OfferAccepted";
  return isAcceptance && books.balanceOf(`consignor:${String(buyerUid)}:available`) < 0
    ? [`${String(buyerUid)} was overdrawn by an acceptance`]
    : [];
}

/** Cents that went one way in a trade's events. */
function flow(
  events: readonly NewEvent[],
  isIt: (from: string, to: string) => boolean,
  of: "postings" | "movements",
): number {
  return events.reduce((sum, event) => {
    const moves = of === "postings" ? event.postings : event.movements;
    return moves.reduce(
      (total, move) =>
        isIt(move.from, move.to) ? total + ("cents" in move ? move.cents : move.units) : total,
      sum,
    );
  }, 0);
}

const acceptedOf = (offers: readonly Offer[]) =>
  offers.flatMap(({ acceptance }) => (acceptance === null ? [] : [acceptance]));

/** Worked out from the events alone, without the states that deciders use. */
function wrongInTrade(market: TradeMarket, tradeId: string): string[] {
  const { books } = market;
  const trade = market.trade(tradeId);
  const escrow = escrowAccount.of(tradeId);
  const holding = tradeHolding.of(tradeId);
  const buyer = `consignor:${trade.buyerUid}:available`;
  const own = books.events.filter(({ streams }) => streams.includes(tradeStreamId(tradeId)));
  const paidIn = flow(own, (from, to) => from === buyer && to === escrow, "postings");
  const paidBack = flow(own, (from, to) => from === escrow && to === buyer, "postings");
  const paidOut = flow(own, (from, to) => from === escrow && to !== buyer, "postings");
  const unitsIn = flow(own, (_from, to) => to === holding, "movements");
  const unitsBack = flow(
    own,
    (from, to) => from === holding && (to.startsWith("item:") || to === "world:adjusted"),
    "movements",
  );
  const traded = flow(own, (from, to) => from === holding && to === "world:traded", "movements");
  const price = acceptedOf(trade.offers).reduce((sum, a) => sum + a.units * a.pricePerItem, 0);
  const units = acceptedOf(trade.offers).reduce((sum, a) => sum + a.units, 0);
  const held = books.balanceOf(escrow);
  const heldUnits = books.unitsIn(holding);
  const isFulfilled = trade.fulfilledAt !== null;
  const happened = own.map(({ type }) => type);
  const times = (type: string) => happened.filter((other) => other === type).length;
  const claims: readonly (readonly [string, boolean])[] = [
    [
      "escrow holds what open acceptances cost",
      held === (isFulfilled ? 0 : price + trade.feeCents),
    ],
    ["the trade holds the units of open acceptances", heldUnits === (isFulfilled ? 0 : units)],
    ["escrow is what came in and did not go out", held === paidIn - paidBack - paidOut],
    ["units are what came in and did not go out", heldUnits === unitsIn - unitsBack - traded],
    [
      "sellers are paid only by fulfillment",
      paidOut === (isFulfilled ? price + trade.feeCents : 0),
    ],
    ["units are traded only by fulfillment", traded === (isFulfilled ? units : 0)],
    ["nobody pays twice", times("TradeFulfilled") <= 1 && paidIn - paidBack >= 0],
    ["no more is accepted than was asked for", units <= trade.quantity],
    ["the fee is held with the first acceptance", units > 0 || trade.feeCents === 0],
    ["the fee is held in full", units === 0 || trade.feeCents === trade.rates.shippingFeeCents],
    [
      "a trade that did not happen kept nothing",
      !["cancelled", "expired"].includes(trade.status) || (paidIn === paidBack && heldUnits === 0),
    ],
    [
      "only a pending trade has open offers",
      (trade.status === "pending") ===
        trade.offers.some(({ status }) => status === "pending" || status === "countered"),
    ],
    [
      "a shipped trade has accepted units",
      ["pending", "cancelled", "expired"].includes(trade.status) || units > 0,
    ],
    ["an uploaded label is there", trade.status !== "shipping_uploaded" || trade.labelId !== null],
    ["no more is refunded than was paid", refunded(trade) <= price + trade.feeCents],
    ["the event's status is the state's", statusOf(own) === trade.status],
  ];
  return claims.filter(([, holds]) => !holds).map(([claim]) => `${tradeId}: not so: ${claim}`);
}

function refunded(trade: Trade): number {
  return acceptedOf(trade.offers).reduce((sum, { refundedCents }) => sum + refundedCents, 0);
}

const types = new Set<string>(tradeEvents.map(({ type }) => type));

function statusOf(events: readonly NewEvent[]): unknown {
  return Reflect.get(Object(events.findLast(({ type }) => types.has(type))?.data), "status");
}

/** Who is bound, worked out from the trades. Nobody who left is. */
function wrongInPerson(market: TradeMarket, uid: string): string[] {
  const trades = market.tradeIds.map((tradeId) => [tradeId, market.trade(tradeId)] as const);
  const buying = trades
    .filter(([, trade]) => trade.buyerUid === uid)
    .filter(([, { status, reportedAt }]) => !isOver(status) || reportedAt !== null)
    .map(([tradeId]) => tradeId);
  const selling = trades
    .filter(([, trade]) => trade.fulfilledAt === null && !isOver(trade.status))
    .flatMap(([, { offers }]) => offers)
    .filter(({ sellerUid, acceptance }) => sellerUid === uid && (acceptance?.units ?? 0) > 0)
    .map(({ offerId }) => offerId);
  const bound = market.bound(uid);
  const isSame = (a: readonly string[], b: readonly string[]) =>
    JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted());
  return [
    ...(isSame(bound.buying, buying) ? [] : [`${uid} buys in ${buying.join(", ")}`]),
    ...(isSame(bound.selling, selling) ? [] : [`${uid} sells in ${selling.join(", ")}`]),
    ...(market.hasLeft(uid) && buying.length + selling.length > 0 ? [`${uid} left too early`] : []),
  ];
}
