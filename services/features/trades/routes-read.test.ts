// What each person reads of trades over HTTP: buyers, sellers and the store each see their own part only.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FulfillmentsResponse } from "#features/trades/contract-orders.ts";
import type {
  MyOffersResponse,
  MyTradesResponse,
  TradeHistoryResponse,
} from "#features/trades/contract-reads.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { address, offerPath, openTradeShop, tradeIdIn } from "#testing/shop/trade-shop.ts";

let market: TradeShop;
let admin: TestPerson;
let buyer: TestPerson;
let seller: TestPerson & { readonly itemId: string };
let other: TestPerson & { readonly itemId: string };

beforeAll(async () => {
  market = await openTradeShop();
  admin = market.admin;
  buyer = await market.buyerWith(50_000);
  seller = await market.sellerWith("R-1", 5);
  other = await market.sellerWith("R-1", 2);
});

afterAll(() => market.close());

async function read<Body>(as: TestPerson, path: string): Promise<Body> {
  const answer = await market.shop.call("GET", `/api/trades/${path}`, { as });
  expect(answer.status).toBe(200);
  return answer.body as Body;
}

const status = async (as: TestPerson, path: string) =>
  (await market.shop.call("GET", `/api/trades/${path}`, { as })).status;

async function requested(given: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const answer = await market.request(buyer, "R-1", { quantity: 2, pricePerItem: 500, ...given });
  expect(answer.status).toBe(200);
  return tradeIdIn(answer);
}

describe("a buyer's trades", () => {
  it("show each offer with whose turn it is, and never who the sellers are", async () => {
    const tradeId = await requested();
    await market.post(seller, offerPath(tradeId, 1, "counter"), { counterPrice: 650, quantity: 1 });
    const { trades, countersWaiting } = await read<MyTradesResponse>(buyer, "my-trades?limit=1");
    expect(countersWaiting).toBe(1);
    expect(trades[0]).toMatchObject({
      tradeId,
      itemName: "Desk lamp",
      quantity: 2,
      acceptedQuantity: 0,
      shippingFee: 400,
      totalCost: 1_400,
      heldCents: 0,
      status: "pending",
      offers: [
        {
          status: "countered",
          turn: "buyer",
          counterPrice: 650,
          counteredBy: "seller",
          countersLeft: 4,
          quantityOffered: 2,
          quantity: 1,
        },
        { status: "pending", turn: "seller", counterPrice: null, quantityOffered: 2, seller: null },
      ],
    });
    const said = JSON.stringify(trades);
    expect(said).not.toContain(seller.uid);
    expect(said).not.toContain(other.uid);
    await market.post(buyer, offerPath(tradeId, 1, "accept"), { pricePerItem: 650 });
    const [after] = (await read<MyTradesResponse>(buyer, "my-trades?limit=1")).trades;
    expect(after).toMatchObject({ acceptedQuantity: 1, totalCost: 1_050, heldCents: 1_050 });
  });

  it("come in pages, newest first, and nobody else sees them", async () => {
    const [first, second] = [await requested(), await requested()];
    const page = await read<MyTradesResponse>(buyer, "my-trades?limit=1");
    expect(page.trades.map(({ tradeId }) => tradeId)).toEqual([second]);
    const next = await read<MyTradesResponse>(
      buyer,
      `my-trades?limit=1&cursor=${page.nextCursor ?? ""}`,
    );
    expect(next.trades.map(({ tradeId }) => tradeId)).toEqual([first]);
    expect(await read<MyTradesResponse>(seller, "my-trades")).toMatchObject({ trades: [] });
  });
});

describe("a seller's offers", () => {
  it("list what waits with its payout, the next to end first; closed ones only if asked for", async () => {
    const fresh = await market.sellerWith("R-2", 3);
    const ask = async (pricePerItem: number) =>
      tradeIdIn(await market.request(buyer, "R-2", { quantity: 1, pricePerItem }));
    const [one, two] = [await ask(300), await ask(455)];
    await market.post(fresh, offerPath(one, 1, "decline"));
    const open = await read<MyOffersResponse>(fresh, "offers/my-offers");
    expect(open.offers).toMatchObject([
      {
        tradeId: two,
        status: "pending",
        turn: "seller",
        totalValue: 455,
        commissionPercentage: 10,
        commissionCents: 46,
        payoutCents: 409,
      },
    ]);
    expect(JSON.stringify(open)).not.toContain(buyer.uid);
    const all = await read<MyOffersResponse>(fresh, "offers/my-offers?status=all&limit=1");
    expect(all.offers.map(({ tradeId }) => tradeId)).toEqual([two]);
    const rest = await read<MyOffersResponse>(
      fresh,
      `offers/my-offers?status=all&limit=1&cursor=${all.nextCursor ?? ""}`,
    );
    expect(rest).toMatchObject({
      offers: [{ tradeId: one, status: "declined", declinedBecause: "party" }],
      nextCursor: null,
    });
  });

  it("go on in the next page although the last offer of the page before was answered since", async () => {
    const fresh = await market.sellerWith("R-5", 3);
    const ask = async () =>
      tradeIdIn(await market.request(buyer, "R-5", { quantity: 1, pricePerItem: 300 }));
    const [one, two] = [await ask(), await ask()];
    const first = await read<MyOffersResponse>(fresh, "offers/my-offers?limit=1");
    expect(first.offers.map(({ tradeId }) => tradeId)).toEqual([one]);
    await market.post(fresh, offerPath(one, 1, "decline"));
    const rest = await read<MyOffersResponse>(
      fresh,
      `offers/my-offers?limit=1&cursor=${first.nextCursor ?? ""}`,
    );
    expect(rest.offers.map(({ tradeId }) => tradeId)).toEqual([two]);
  });
});

describe("one trade", () => {
  it("tells its buyer what happened without naming a seller, tells admins everything, and others nothing", async () => {
    const tradeId = await requested({ quantity: 1 });
    await market.post(seller, offerPath(tradeId, 1, "accept"), { pricePerItem: 500 });
    await market.upload(admin, tradeId);
    const forBuyer = await read<TradeHistoryResponse>(buyer, `${tradeId}/history`);
    expect(forBuyer.lines.map(({ description, by }) => [description, by])).toEqual([
      ["Requested: 1 unit at $5.00 each", "You"],
      ["Accepted: 1 unit at $5.00 each", "Seller 1"],
      ["Label uploaded (USPS)", "Store"],
    ]);
    const said = JSON.stringify(forBuyer);
    for (const { uid } of [seller, other, admin]) {
      expect(said).not.toContain(uid);
    }
    // Their ledger has the same acceptance.
    const ledgerOf = async (as: TestPerson) =>
      (await market.shop.call("GET", `/api/sales/ledger/${buyer.uid}?limit=1`, { as })).body;
    expect(await ledgerOf(buyer)).toMatchObject({
      lines: [
        {
          type: "OfferAccepted",
          tradeID: tradeId,
          description: "Desk lamp accepted, the price and shipping held for it",
          actor: null,
        },
      ],
    });
    expect(await ledgerOf(admin)).toMatchObject({ lines: [{ actor: { uid: seller.uid } }] });
    const forAdmin = await read<TradeHistoryResponse>(admin, `${tradeId}/history`);
    expect(forAdmin.lines[1]?.actor?.uid).toBe(seller.uid);
    expect(await read(admin, tradeId)).toMatchObject({
      trackingNumber: "9400-QUILL-1",
      carrier: "USPS",
      labelUrl: `/api/trades/${tradeId}/label`,
      offers: [{ seller: { uid: seller.uid } }, { declinedBecause: "filled" }],
    });
    const stranger = await market.buyerWith(0);
    expect(await status(stranger, tradeId)).toBe(404);
    expect(await status(stranger, `${tradeId}/history`)).toBe(404);
  });

  it("shows a seller the own offer only: no buyer, no address, no label, no other seller's price", async () => {
    const first = await market.sellerWith("R-4", 4);
    const second = await market.sellerWith("R-4", 2);
    const tradeId = tradeIdIn(
      await market.request(buyer, "R-4", { quantity: 4, pricePerItem: 500 }),
    );
    await market.post(second, offerPath(tradeId, 2, "counter"), { counterPrice: 777 });
    await market.post(first, offerPath(tradeId, 1, "accept"), { quantity: 2, pricePerItem: 500 });
    await market.post(buyer, offerPath(tradeId, 2, "accept"), { pricePerItem: 777 });
    await market.upload(admin, tradeId);
    await market.post(admin, `${tradeId}/fulfill`);
    await market.post(buyer, `${tradeId}/report`, { kind: "lost", description: "Zoe says no" });
    const refund = { units: 0, cents: 100, borneBy: "store", restock: false };
    const reason = "Zoe Quill is right";
    await market.post(admin, `${tradeId}/refund`, {
      ...refund,
      offerId: `${tradeId}-1`,
      reason,
    });
    const trade = await read<Record<string, unknown>>(first, tradeId);
    expect(trade).toMatchObject({
      seenAs: "seller",
      offerId: `${tradeId}-1`,
      itemName: "Desk lamp",
      tradeStatus: "fulfilled",
      acceptedQuantity: 2,
      payoutCents: 900,
      refundedCents: 100,
    });
    const { lines } = await read<TradeHistoryResponse>(first, `${tradeId}/history`);
    expect(lines.map(({ description, note, by }) => [description, note, by])).toEqual([
      ["Offered to you: 4 units at $5.00 each", null, "Buyer"],
      ["Accepted: 2 units at $5.00 each", null, "You"],
      ["The shipping label is there", null, "Store"],
      ["Fulfilled: 2 units, you get $9.00", null, "Store"],
      ["Reported lost", null, "Buyer"],
      ["Refunded $1.00, borne by the store", reason, "Store"],
    ]);
    const told = JSON.stringify([trade, lines.map((line) => ({ ...line, note: null }))]);
    const hidden = [
      buyer.uid,
      second.uid,
      admin.uid,
      "Quill",
      "Marfa",
      // As a value: ids have random digits.
      ":777",
      "7.77",
      "9400-QUILL-1",
      "USPS",
    ];
    expect(hidden.filter((secret) => told.includes(secret))).toEqual([]);

    const theirs = await read<TradeHistoryResponse>(second, `${tradeId}/history`);
    expect(theirs.lines.slice(0, 3).map(({ description, by }) => [description, by])).toEqual([
      ["Offered to you: 2 units at $5.00 each", "Buyer"],
      ["Countered: 2 units at $7.77 each", "You"],
      ["Counter accepted: 2 units at $7.77 each", "Buyer"],
    ]);
    expect(JSON.stringify(theirs)).not.toContain("Refunded");
  });

  it("tells a seller that others filled it, that it was raised, and that the buyer withdrew", async () => {
    const fresh = await market.sellerWith("R-3", 1);
    const winner = await market.sellerWith("R-3", 1);
    const ask = async () =>
      tradeIdIn(await market.request(buyer, "R-3", { quantity: 1, pricePerItem: 500 }));
    const [filled, withdrawn] = [await ask(), await ask()];
    await market.post(winner, offerPath(filled, 2, "accept"), { pricePerItem: 500 });
    await market.post(buyer, `${withdrawn}/raise`, { pricePerItem: 600 });
    await market.post(buyer, `${withdrawn}/cancel`, { reason: "Zoe Quill" });
    const told = async (tradeId: string) => {
      const { lines } = await read<TradeHistoryResponse>(fresh, `${tradeId}/history`);
      return lines.map(({ description, note, by }) => [description, note, by]);
    };
    expect(await told(filled)).toEqual([
      ["Offered to you: 1 unit at $5.00 each", null, "Buyer"],
      ["Other sellers filled the trade", null, "Another seller"],
    ]);
    expect(await told(withdrawn)).toEqual([
      ["Offered to you: 1 unit at $5.00 each", null, "Buyer"],
      ["Price raised from $5.00 to $6.00", null, "Buyer"],
      ["The buyer withdrew the request", null, "Buyer"],
    ]);
  });
});

describe("lists of trades", () => {
  async function file(as: TestPerson, path: string): Promise<string[]> {
    const { app } = market.shop;
    const headers = { Authorization: `Bearer ${as.token}` };
    const answer = await app.request(`http://app.test/api/trades/${path}`, { headers });
    expect(answer.headers.get("content-type")).toContain("text/csv");
    return (await answer.text()).trimEnd().split("\r\n");
  }

  it("count what waits for an answer: offers as a seller, counters as a buyer", async () => {
    const one = await market.requested();
    expect(await read(one.seller, "offers/count")).toEqual({ offers: 1, counters: 0 });
    await market.post(one.seller, offerPath(one.tradeId, 1, "counter"), { counterPrice: 700 });
    expect(await read(one.seller, "offers/count")).toEqual({ offers: 0, counters: 0 });
    expect(await read(one.buyer, "offers/count")).toEqual({ offers: 0, counters: 1 });
  });

  it("are filtered by status, text and time, as is the file, and hold nobody else's", async () => {
    const one = await market.requested();
    const next = tradeIdIn(await market.request(one.buyer, one.barcode, { itemName: "=Lamp" }));
    await market.post(one.buyer, `${next}/cancel`, {});
    const idsOf = async (query: string) => {
      const { trades } = await read<MyTradesResponse>(one.buyer, `my-trades?${query}`);
      return trades.map(({ tradeId }) => tradeId);
    };
    expect(await idsOf("status=cancelled")).toEqual([next]);
    expect(await idsOf(`q=${one.tradeId.slice(0, 8)}`)).toEqual([one.tradeId]);
    expect(await idsOf("q=DESK%20LAMP")).toEqual([next, one.tradeId]);
    expect(await idsOf("q=_")).toEqual([]);
    expect(await idsOf("from=2027-01-01T00:00:00Z")).toEqual([]);
    expect(await idsOf("to=2027-01-01T00:00:00Z")).toEqual([next, one.tradeId]);
    const lines = await file(one.buyer, "my-trades/export?status=pending");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(
      /,Desk lamp,T-\d+,2,5\.00,0,4\.00,14\.00,0\.00,0\.00,pending,,,[0-9a-f-]{36}$/u,
    );
    expect(await file(one.seller, "my-trades/export")).toHaveLength(1);
    expect(await file(one.seller, "offers/my-offers/export?tab=reply")).toMatchObject([
      expect.stringContaining("You receive"),
      expect.stringMatching(/,2,5\.00,10\.00,1\.00,9\.00,0,pending,pending,/u),
    ]);
    // Nobody gets the money of an offer that ended without units.
    expect(await file(one.seller, "offers/my-offers/export?tab=closed")).toMatchObject([
      expect.anything(),
      expect.stringMatching(/,1,5\.00,,,,0,withdrawn,/u),
    ]);
    expect(await file(one.seller, "offers/my-offers/export?q=nothing")).toHaveLength(1);
  });

  it("show an admin one person's trades as buyer and as seller, with names", async () => {
    const { buyer: who, seller: asked, tradeId } = await market.requested();
    const requests = await read<MyTradesResponse>(admin, `users/${who.uid}/requests`);
    expect(requests.trades).toMatchObject([{ tradeId, offers: [{ seller: { uid: asked.uid } }] }]);
    const offers = await read<MyOffersResponse>(admin, `users/${asked.uid}/offers?status=all`);
    expect(offers.offers).toMatchObject([{ tradeId, status: "pending" }]);
    expect(await status(who, `users/${who.uid}/requests`)).toBe(403);
  });
});

describe("the store's orders", () => {
  it("list what waits, longest first, with address, balance and locations; fulfilled ones do not count", async () => {
    const before = await read<FulfillmentsResponse>(admin, "fulfillments/pending");
    const tradeId = await requested({ quantity: 1 });
    await market.post(seller, offerPath(tradeId, 1, "accept"), { pricePerItem: 500 });
    const waiting = await read<FulfillmentsResponse>(admin, "fulfillments/pending");
    expect(waiting.waiting).toBe(before.waiting + 1);
    expect(waiting.orders.find((order) => order.tradeId === tradeId)).toMatchObject({
      status: "awaiting_shipping",
      buyer: { uid: buyer.uid },
      buyerShortId: buyer.uid.slice(-8).toUpperCase(),
      buyerAvailableCents: await market.available(buyer),
      shippingAddress: { ...address, country: "USA" },
      labelOwedBy: "store",
      picks: [
        {
          offerId: `${tradeId}-1`,
          itemId: seller.itemId,
          seller: { uid: seller.uid },
          location: "",
          units: 1,
        },
      ],
    });
    await market.upload(admin, tradeId);
    await market.post(admin, `${tradeId}/fulfill`);
    const after = await read<FulfillmentsResponse>(admin, "fulfillments/pending");
    expect(after.waiting).toBe(before.waiting);
    const done = after.orders.find((order) => order.tradeId === tradeId);
    expect(done).toMatchObject({ status: "fulfilled", heldCents: 0 });
    expect(done?.completesAt).not.toBeNull();
    expect(await status(buyer, "fulfillments/pending")).toBe(403);
    expect(await read(admin, "fulfillments/count")).toMatchObject({ waiting: before.waiting });
    expect(await status(buyer, "fulfillments/count")).toBe(403);

    // A completed trade leaves nothing to do until the buyer reports a problem.
    await market.post(buyer, `${tradeId}/confirm`);
    const isListed = async () => {
      const { orders } = await read<FulfillmentsResponse>(admin, "fulfillments/pending");
      return orders.some((order) => order.tradeId === tradeId);
    };
    expect(await isListed()).toBe(false);
    await market.post(buyer, `${tradeId}/report`, { kind: "damaged" });
    expect(await isListed()).toBe(true);
  });
});
