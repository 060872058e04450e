// What each person of a served market reads, compared with the market in memory: their own, all of it, and nothing else.
import { acceptedUnits, tableOf, turnOf } from "#features/trades/offer-terms.ts";
import type { Offer } from "#features/trades/events.ts";
import type { Trade } from "#features/trades/streams.ts";
import { escrowAccount } from "#features/trades/streams.ts";
import type { ServedMarket } from "#testing/shop/served-market.ts";

const field = (value: unknown, name: string): unknown => Reflect.get(Object(value), name);

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Only these fields of a value. */
function only(value: unknown, like: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(like).map((name) => [name, field(value, name)]));
}

/** Of an open offer, no more than its trade still needs. */
function unitsSeen(trade: Trade, offer: Offer): number {
  const units = tableOf(offer).quantity;
  return turnOf(offer) === null
    ? units
    : Math.min(units, trade.quantity - acceptedUnits(trade.offers));
}

function offerSeen(trade: Trade, offer: Offer) {
  const counter = offer.counters.at(-1);
  const { acceptance } = offer;
  return {
    offerId: offer.offerId,
    status: offer.status,
    declinedBecause: offer.declinedBecause,
    turn: turnOf(offer),
    quantityOffered: offer.quantityOffered,
    quantity: unitsSeen(trade, offer),
    pricePerItem: offer.pricePerItem,
    counterPrice: counter?.pricePerItem ?? null,
    counteredBy: counter?.by ?? null,
    acceptedQuantity: acceptance?.units ?? 0,
    refundedQuantity: acceptance?.refundedUnits ?? 0,
    refundedCents: acceptance?.refundedCents ?? 0,
    expiresAt: offer.expiresAt,
    seller: null,
  };
}

function tradeSeen(served: ServedMarket, tradeId: string, trade: Trade) {
  return {
    tradeId,
    status: trade.status,
    statusSince: trade.statusSince,
    quantity: trade.quantity,
    acceptedQuantity: acceptedUnits(trade.offers),
    pricePerItem: trade.pricePerItem,
    heldCents: served.market.books.balanceOf(escrowAccount.of(tradeId)),
    fulfilledAt: trade.fulfilledAt,
  };
}

function sellerSeen(tradeId: string, trade: Trade, offer: Offer) {
  const isAccepted = (offer.acceptance?.units ?? 0) > 0;
  const quantity = unitsSeen(trade, offer);
  const { units, pricePerItem } = offer.acceptance ?? { units: 0, pricePerItem: 0 };
  return {
    offerId: offer.offerId,
    tradeId,
    status: offer.status,
    turn: turnOf(offer),
    tradeStatus: trade.status,
    quantity,
    totalValue: isAccepted ? units * pricePerItem : quantity * tableOf(offer).pricePerItem,
    acceptedQuantity: units,
  };
}

/** Reads as somebody; answers the body. */
type Read = (path: string) => Promise<{ readonly status: number; readonly body: unknown }>;

async function readAs(served: ServedMarket, uid: string | null): Promise<Read> {
  const as = await served.person(uid);
  return (path) => served.shop.call("GET", `/api/${served.ids.served(path)}`, { as });
}

async function wrongTrades(served: ServedMarket, uid: string, read: Read): Promise<string[]> {
  const { market, ids } = served;
  const { body } = await read("trades/my-trades?limit=200");
  const own = market.tradeIds
    .map((tradeId) => ({ tradeId, trade: market.trade(tradeId) }))
    .filter(({ trade }) => trade.buyerUid === uid)
    .toReversed();
  const expected = own.map(({ tradeId, trade }) => ({
    ...tradeSeen(served, tradeId, trade),
    report: trade.reportedAt,
    hasLabel: trade.labelId !== null,
    offers: trade.offers.map((offer) => offerSeen(trade, offer)),
  }));
  const like = tradeSeen.length > 0 && expected[0] !== undefined ? expected[0] : {};
  const seen = list(field(body, "trades")).map((trade) => ({
    ...only(trade, like),
    report: field(field(trade, "report"), "reportedAt") ?? null,
    hasLabel: field(trade, "labelUrl") !== null,
    offers: list(field(trade, "offers")).map((offer) => {
      const [known] = own;
      const [first] = known?.trade.offers ?? [];
      return known === undefined || first === undefined
        ? offer
        : only(offer, offerSeen(known.trade, first));
    }),
  }));
  const waiting = own
    .flatMap(({ trade }) => trade.offers)
    .filter((offer) => turnOf(offer) === "buyer").length;
  return [
    ...ids.differences(expected, seen, "my-trades"),
    ...ids.differences(waiting, field(body, "countersWaiting"), "countersWaiting"),
    ...strangersIn(served, uid, body).map((other) => `${uid} sees ${other} in my-trades`),
  ];
}

async function wrongOffers(served: ServedMarket, uid: string, read: Read): Promise<string[]> {
  const { market, ids } = served;
  const { body } = await read("trades/offers/my-offers?status=all&limit=200");
  const expected = market.tradeIds
    .flatMap((tradeId) => {
      const trade = market.trade(tradeId);
      const own = trade.offers.filter(({ sellerUid }) => sellerUid === uid);
      return own.map((offer) => sellerSeen(tradeId, trade, offer));
    })
    .map((offer) => ({ ...offer, offerId: ids.served(offer.offerId) }))
    .toSorted(byId);
  const seen = list(field(body, "offers"))
    .map((offer) => ({
      ...only(offer, expected[0] ?? {}),
      offerId: String(field(offer, "offerId")),
    }))
    .toSorted(byId);
  return [
    ...ids.differences(expected, seen, "my-offers"),
    ...strangersIn(served, uid, body).map((other) => `${uid} sees ${other} in my-offers`),
  ];
}

function byId(a: { readonly offerId: string }, b: { readonly offerId: string }): number {
  return a.offerId < b.offerId ? -1 : 1;
}

async function wrongBalance(served: ServedMarket, uid: string, read: Read): Promise<string[]> {
  const { body } = await read(`sales/balance/${uid}`);
  const cents = served.market.books.balanceOf(`consignor:${uid}:available`);
  return served.ids.differences(cents / 100, field(body, "balance"), `balance of ${uid}`);
}

async function wrongItems(served: ServedMarket, uid: string, read: Read): Promise<string[]> {
  const { market, ids } = served;
  const { body } = await read("inventory/search?limit=200");
  const expected = market.items
    .filter((item) => item.ownerUid === uid && !market.item(item.itemId).archived)
    .map(({ itemId }) => [ids.served(itemId), market.item(itemId).quantity]);
  const seen = list(field(body, "items")).map((item) => [
    field(item, "id"),
    field(item, "quantity"),
  ]);
  return ids.differences(Object.fromEntries(expected), Object.fromEntries(seen), `items of ${uid}`);
}

/** The last trade of somebody else is not there for this person; its sellers read their own part, and of nobody else. */
async function wrongSecret(served: ServedMarket, uid: string, read: Read): Promise<string[]> {
  const { market } = served;
  const other = market.tradeIds.findLast((tradeId) => market.trade(tradeId).buyerUid !== uid);
  if (other === undefined) {
    return [];
  }
  const isSeller = market.trade(other).offers.some(({ sellerUid }) => sellerUid === uid);
  const asked = ["", "/history", "/shipping", "/label"];
  const answers = await Promise.all(asked.map((what) => read(`trades/${other}${what}`)));
  return answers.flatMap(({ status, body }, nth) => {
    const expected = isSeller && nth < 2 ? 200 : 404;
    const strangers = strangersIn(served, uid, body);
    return status === expected && strangers.length === 0
      ? []
      : [`${uid} reads ${other}${asked[nth]}: ${status}, of ${strangers.join(", ")}`];
  });
}

/** The uids of others that a person can read. */
function strangersIn({ market, admin }: ServedMarket, uid: string, body: unknown): string[] {
  const said = JSON.stringify(body);
  return [...market.people, admin.uid].filter((other) => other !== uid && said.includes(other));
}

async function wrongForPerson(served: ServedMarket, uid: string): Promise<string[]> {
  const read = await readAs(served, uid);
  if (served.hasLeft(uid)) {
    const { status } = await read("trades/my-trades");
    return status === 403 ? [] : [`${uid} left and reads: ${status}`];
  }
  const parts = [wrongTrades, wrongOffers, wrongBalance, wrongItems, wrongSecret];
  return (await Promise.all(parts.map((part) => part(served, uid, read)))).flat();
}

/** The store sees the orders that wait or have a report, with what they hold and who buys. */
async function wrongOrders(served: ServedMarket): Promise<string[]> {
  const { market, ids } = served;
  const read = await readAs(served, null);
  const { body } = await read("trades/fulfillments/pending");
  const orders = new Map(
    list(field(body, "orders")).map((order) => [
      ids.inMemory(String(field(order, "tradeId"))),
      order,
    ]),
  );
  return market.tradeIds.flatMap((tradeId) => {
    const trade = market.trade(tradeId);
    const order = orders.get(tradeId);
    const { status, reportedAt, buyerUid } = trade;
    const waits = status === "awaiting_shipping" || status === "shipping_uploaded";
    const isExpected = waits || status === "fulfilled" || reportedAt !== null;
    if (!isExpected || order === undefined) {
      return isExpected === (order !== undefined) ? [] : [`${tradeId} is ${status} in the orders`];
    }
    const expected = {
      ...tradeSeen(served, tradeId, trade),
      buyerAvailableCents: market.books.balanceOf(`consignor:${buyerUid}:available`),
    };
    const units = list(field(order, "picks")).reduce<number>(
      (sum, pick) => sum + Number(field(pick, "units")),
      0,
    );
    return [
      ...ids.differences(expected, only(order, expected), "order"),
      ...(waits ? ids.differences(acceptedUnits(trade.offers), units, "picks") : []),
    ];
  });
}

/** Where what people read is not what happened. */
export async function wrongViews(served: ServedMarket): Promise<string[]> {
  const people = served.market.people.map((uid) => wrongForPerson(served, uid));
  return (await Promise.all([...people, wrongOrders(served)])).flat();
}
