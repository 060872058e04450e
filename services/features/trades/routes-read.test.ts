// What each person reads of trades over HTTP: buyers, sellers and the store each see their own part only.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statementResponse } from "#features/accounts/contract.ts";
import type {
  FulfillmentsResponse,
  MyOffersResponse,
  MyTradesResponse,
  TradeHistoryResponse,
} from "#features/trades/contract.ts";
import { toCents } from "#ledger/money.ts";
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
});

describe("one trade", () => {
  it("tells its buyer what happened without naming a seller, tells admins everything, and others nothing", async () => {
    const tradeId = await requested({ quantity: 1 });
    await market.post(seller, offerPath(tradeId, 1, "accept"), { pricePerItem: 500 });
    await market.upload(admin, tradeId);
    const forBuyer = await read<TradeHistoryResponse>(buyer, `${tradeId}/history`);
    expect(
      forBuyer.lines.map(({ description, actor }) => [description, actor?.uid ?? null]),
    ).toEqual([
      ["Requested: 1 unit at $5.00 each", buyer.uid],
      ["Accepted: 1 unit at $5.00 each", null],
      ["Label uploaded (USPS)", admin.uid],
    ]);
    // Their ledger has the same acceptance.
    const ledgerOf = async (as: TestPerson) =>
      (await market.shop.call("GET", `/api/sales/ledger/${buyer.uid}?limit=1`, { as })).body;
    expect(await ledgerOf(buyer)).toMatchObject({
      lines: [
        {
          type: "OfferAccepted",
          tradeID: tradeId,
          description: "Desk lamp accepted, the price and shipping are held",
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
    expect(await status(seller, tradeId)).toBe(404);
    expect(await status(seller, `${tradeId}/history`)).toBe(404);
  });
});

describe("a buyer's statement", () => {
  it("has trades among its sums, which lead from the opening to the closing balance", async () => {
    const path = `/api/accounts/${buyer.uid}/statement?from=2000-01-01&to=2099-12-31`;
    const { body } = await market.shop.call("GET", path, { as: buyer });
    const { opening, sums, closing, lines } = statementResponse.parse(body);
    const [change, count] = [
      sums.reduce((sum, { amount }) => sum + toCents(amount), 0),
      sums.reduce((sum, { lines: own }) => sum + own, 0),
    ];
    expect(sums.map(({ kind }) => kind)).toEqual(["trade", "adjustment"]);
    expect(toCents(opening.balance) + change).toBe(toCents(closing.balance));
    expect(count).toBe(lines.length);
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
    expect(after.orders.at(-1)).toMatchObject({ tradeId, status: "fulfilled", heldCents: 0 });
    expect(after.orders.at(-1)?.completesAt).not.toBeNull();
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
