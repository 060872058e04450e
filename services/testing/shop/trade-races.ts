// Races about trades over HTTP: two people who act at the same moment, and every way in which that may end.
import { sweepDeadlines } from "#features/trades/deadline-sweep.ts";
import { offerIdOf } from "#features/trades/streams.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import type { TestAnswer, TestPerson } from "#testing/service/test-app.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { offerPath, tradeIdIn } from "#testing/shop/trade-shop.ts";

const HOUR_MS = 3_600_000;

export type RaceStore = {
  readonly store: TradeShop;
  /** With a token of now. */
  readonly admin: TestPerson;
  /** A worker's, on a connection of its own. */
  readonly workerLedger: Ledger;
};

/** Two acts that are ready to begin. */
export type Contest = {
  readonly tradeId: string;
  readonly buyer: TestPerson;
  readonly sellers: readonly TestPerson[];
  readonly acts: readonly [() => Promise<TestAnswer>, () => Promise<TestAnswer>];
};

export type Race = {
  readonly name: string;
  readonly prepare: (on: RaceStore) => Promise<Contest>;
  /** By the answers of both acts: what buyer and sellers read then. Any other end is wrong. */
  readonly ends: Readonly<Record<string, string>>;
};

const accept = (store: TradeShop, seller: TestPerson, tradeId: string, nth = 1) =>
  store.post(seller, offerPath(tradeId, nth, "accept"), { pricePerItem: 500 });

/** A buyer who asks for one unit at $5.00, and a seller with one. Shipping makes it $9.00. */
async function lastUnit({ store }: RaceStore, balanceCents = 10_000) {
  const barcode = store.newBarcode();
  const [buyer, seller] = await Promise.all([
    store.buyerWith(balanceCents),
    store.sellerWith(barcode, 1),
  ]);
  const tradeId = tradeIdIn(await store.request(buyer, barcode));
  return { barcode, buyer, seller, sellers: [seller], tradeId };
}

async function renewed({ store }: RaceStore, person: TestPerson): Promise<TestPerson> {
  return { ...person, token: await store.shop.identity.issueTokenFor(person.uid) };
}

/** A worker one millisecond later, when the offer has run out. */
async function sweepOver({ store, workerLedger }: RaceStore, tradeId: string): Promise<TestAnswer> {
  const { deps, database } = store.shop;
  const clock = () => new Date(deps.clock().getTime() + 1);
  const failed: unknown[] = [];
  await sweepDeadlines({
    ...deps,
    clock,
    ledger: workerLedger,
    queueLetters: () => Promise.resolve(),
    onError: (_tradeId, error) => failed.push(error),
  });
  const [row] = await database.sql<{ count: number }[]>`
    select count(*)::int as count from log.events
    where type = 'OffersExpired' and data ->> 'tradeId' = ${tradeId}`;
  const error = failed.length > 0 ? String(failed[0]) : row?.count === 1 ? null : "nothing_due";
  return { status: error === null ? 200 : 409, headers: new Headers(), body: { error } };
}

export const races: readonly Race[] = [
  {
    name: "two sellers accept the last unit that is asked for",
    async prepare(on) {
      const { store } = on;
      const barcode = store.newBarcode();
      const buyer = await store.buyerWith(10_000);
      const sellers = [await store.sellerWith(barcode, 1), await store.sellerWith(barcode, 1)];
      const tradeId = tradeIdIn(await store.request(buyer, barcode));
      const [one = buyer, two = buyer] = sellers;
      const acts = [
        () => accept(store, one, tradeId, 1),
        () => accept(store, two, tradeId, 2),
      ] as const;
      return { tradeId, buyer, sellers, acts };
    },
    ends: {
      "ok, offer_closed": "awaiting_shipping, 900 held: accepted declined",
      "offer_closed, ok": "awaiting_shipping, 900 held: declined accepted",
    },
  },
  {
    name: "the buyer's balance covers one of two acceptances",
    async prepare(on) {
      const { store } = on;
      const asked = await lastUnit(on, 900);
      const other = await store.sellerWith(`${asked.barcode}-2`, 1);
      const second = tradeIdIn(await store.request(asked.buyer, `${asked.barcode}-2`));
      const acts = [
        () => accept(store, asked.seller, asked.tradeId),
        () => accept(store, other, second),
      ] as const;
      return { ...asked, acts };
    },
    ends: {
      "ok, insufficient_balance": "awaiting_shipping, 900 held: accepted",
      "insufficient_balance, ok": "pending, 0 held: pending",
    },
  },
  {
    name: "an offer is accepted as it runs out",
    async prepare(on) {
      const { store } = on;
      const asked = await lastUnit(on);
      store.shop.advance(48 * HOUR_MS - 1);
      await store.shop.runner.catchUp();
      const buyer = await renewed(on, asked.buyer);
      const seller = await renewed(on, asked.seller);
      const acts = [
        () => accept(store, seller, asked.tradeId),
        () => sweepOver(on, asked.tradeId),
      ] as const;
      return { ...asked, buyer, sellers: [seller], acts };
    },
    ends: {
      "ok, nothing_due": "awaiting_shipping, 900 held: accepted",
      "offer_expired, ok": "expired, 0 held: expired",
    },
  },
  {
    name: "an offer is accepted as the buyer withdraws",
    async prepare(on) {
      const { store } = on;
      const asked = await lastUnit(on);
      const acts = [
        () => accept(store, asked.seller, asked.tradeId),
        () => store.post(asked.buyer, `${asked.tradeId}/cancel`, {}),
      ] as const;
      return { ...asked, acts };
    },
    ends: {
      "ok, already_accepted": "awaiting_shipping, 900 held: accepted",
      "offer_closed, ok": "cancelled, 0 held: withdrawn",
    },
  },
  {
    name: "an offer is accepted as the till sells the unit",
    async prepare(on) {
      const { store, admin } = on;
      const asked = await lastUnit(on);
      const line = {
        consignorID: asked.seller.uid,
        itemUID: asked.seller.itemId,
        salePrice: 12,
        quantitySold: 1,
        consignorPercentage: 50,
        channel: "pos",
      };
      const acts = [
        () => accept(store, asked.seller, asked.tradeId),
        () => store.shop.call("POST", "/api/sales/record", { as: admin, body: line }),
      ] as const;
      return { ...asked, acts };
    },
    ends: {
      "ok, not_enough_stock": "awaiting_shipping, 900 held: accepted",
      "no_stock, ok": "expired, 0 held: no_stock",
    },
  },
  {
    name: "an offer is accepted as the store deletes the item",
    async prepare(on) {
      const { store, admin } = on;
      const asked = await lastUnit(on);
      const item = `/api/inventory/consignor/${asked.seller.uid}/${asked.seller.itemId}`;
      const acts = [
        () => accept(store, asked.seller, asked.tradeId),
        () => store.shop.call("DELETE", item, { as: admin }),
      ] as const;
      return { ...asked, acts };
    },
    ends: {
      "ok, ok": "awaiting_shipping, 900 held: accepted",
      "no_stock, ok": "expired, 0 held: no_stock",
    },
  },
  {
    name: "the buyer counters as the seller takes its counter back",
    async prepare(on) {
      const { store } = on;
      const asked = await lastUnit(on);
      const counter = offerPath(asked.tradeId, 1, "counter");
      await store.post(asked.seller, counter, { counterPrice: 900 });
      const acts = [
        () => store.post(asked.buyer, counter, { counterPrice: 700 }),
        () => store.shop.call("DELETE", `/api/trades/${counter}`, { as: asked.seller }),
      ] as const;
      return { ...asked, acts };
    },
    ends: {
      "ok, no_counter": "pending, 0 held: countered",
      "not_your_turn, ok": "pending, 0 held: pending",
    },
  },
  {
    name: "the buyer raises as the seller accepts the old price",
    async prepare(on) {
      const { store } = on;
      const asked = await lastUnit(on);
      const acts = [
        () => accept(store, asked.seller, asked.tradeId),
        () => store.post(asked.buyer, `${asked.tradeId}/raise`, { pricePerItem: 600 }),
      ] as const;
      return { ...asked, acts };
    },
    ends: {
      "ok, trade_not_pending": "awaiting_shipping, 900 held: accepted",
      "price_changed, ok": "pending, 0 held: pending",
    },
  },
  {
    name: "one admin cancels as another fulfills",
    async prepare(on) {
      const { store, admin } = on;
      const asked = await lastUnit(on);
      await accept(store, asked.seller, asked.tradeId);
      await store.upload(admin, asked.tradeId);
      const acts = [
        () => store.post(admin, `${asked.tradeId}/cancel`, {}),
        () => store.post(admin, `${asked.tradeId}/fulfill`),
      ] as const;
      return { ...asked, acts };
    },
    ends: {
      "ok, trade_not_open": "cancelled, 0 held: cancelled",
      "trade_not_open, ok": "fulfilled, 0 held: accepted",
    },
  },
  {
    name: "the buyer requests a payout as the seller accepts",
    async prepare(on) {
      const { store } = on;
      const asked = await lastUnit(on, 900);
      const payout = { amount: 9, method: "venmo", paymentUsername: "@raced" };
      const path = `/api/payouts/${asked.buyer.uid}/request`;
      const acts = [
        () => accept(store, asked.seller, asked.tradeId),
        () => store.shop.call("POST", path, { as: asked.buyer, body: payout }),
      ] as const;
      return { ...asked, acts };
    },
    ends: {
      "ok, insufficient_balance": "awaiting_shipping, 900 held: accepted",
      "insufficient_balance, ok": "pending, 0 held: pending",
    },
  },
];

/** "ok", or the code of the refusal. */
function word({ status, body }: TestAnswer): string {
  return status === 200 || status === 201 ? "ok" : String(Reflect.get(Object(body), "error"));
}

/** Lets both begin at once, `first` one a moment earlier; answers how it ended, in their order. */
export async function runContest({ acts }: Contest, first: 0 | 1): Promise<string> {
  const [one, two] = acts;
  const answers =
    first === 0
      ? await Promise.all([one(), two()])
      : (await Promise.all([two(), one()])).toReversed();
  return answers.map(word).join(", ");
}

type Seen = { readonly status: string; readonly heldCents: number; readonly offers: SeenOffer[] };
type SeenOffer = { readonly offerId: string; readonly status: string };

/** What the buyer reads now. Throws where a seller reads another status of the same offer. */
export async function readContest({ store }: RaceStore, contest: Contest): Promise<string> {
  const { tradeId, buyer, sellers } = contest;
  const trade = await store.shop.call("GET", `/api/trades/${tradeId}`, { as: buyer });
  const { status, heldCents, offers } = trade.body as Seen;
  for (const [index, seller] of sellers.entries()) {
    const path = "/api/trades/offers/my-offers?status=all";
    const { body } = await store.shop.call("GET", path, { as: seller });
    const own = (body as { offers: SeenOffer[] }).offers.find(
      ({ offerId }) => offerId === offerIdOf(tradeId, index + 1),
    );
    if (own?.status !== offers[index]?.status) {
      throw new Error(`The buyer reads ${offers[index]?.status}, the seller ${own?.status}`);
    }
  }
  return `${status}, ${heldCents} held: ${offers.map((offer) => offer.status).join(" ")}`;
}
