// Trades over HTTP: only the buyer and admins read labels and addresses, strangers find nothing, and all of it can be erased.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { offerIdOf } from "#features/trades/streams.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import type { TradeShop } from "#testing/shop/trade-shop.ts";
import { address, offerPath, openTradeShop } from "#testing/shop/trade-shop.ts";

let market: TradeShop;
let admin: TestPerson;

beforeAll(async () => {
  market = await openTradeShop();
  admin = market.admin;
});

afterAll(() => market.close());

const noDetails = { storeName: "", returnPolicy: "", chatLink: "", venmoName: "" };

describe("a label", () => {
  const get = (as: TestPerson, tradeId: string, what: string) =>
    market.shop.call("GET", `/api/trades/${tradeId}/${what}`, { as });

  test("of the buyer is shown only to the buyer and to admins", async () => {
    const { buyer, seller, tradeId } = await market.accepted({ providesOwnShipping: true });
    expect(await get(buyer, tradeId, "label")).toMatchObject({ status: 404 });
    expect(await market.upload(buyer, tradeId)).toMatchObject({ status: 200 });
    for (const who of [buyer, admin]) {
      const answer = await get(who, tradeId, "label");
      expect(answer.status).toBe(200);
      expect(answer.headers.get("Content-Disposition")).toContain("attachment");
      expect(String(answer.body)).toContain("%PDF-1.4");
    }
    expect(await get(seller, tradeId, "label")).toMatchObject({ status: 404 });
    expect(await get(seller, tradeId, "shipping")).toMatchObject({ status: 404 });
  });

  test("that was replaced, or voided by another address, cannot be read any more", async () => {
    const { buyer, tradeId } = await market.accepted({ providesOwnShipping: true });
    await market.upload(buyer, tradeId);
    await market.upload(buyer, tradeId, { trackingNumber: "9400-QUILL-2" });
    const sql = market.shop.database.sql;
    const keys = () => sql`select id from identity.label_keys where uid = ${buyer.uid}`;
    expect(await keys()).toHaveLength(1);
    const body = { shippingAddress: { ...address, street: "1 Elsewhere" } };
    const path = `/api/trades/${tradeId}/address`;
    expect(await market.shop.call("PUT", path, { as: buyer, body })).toMatchObject({
      body: { message: "Shipping address changed", status: "awaiting_shipping" },
    });
    expect(await keys()).toHaveLength(0);
    expect(await get(buyer, tradeId, "label")).toMatchObject({
      status: 404,
      body: { error: "label_not_found" },
    });
    expect(await get(buyer, tradeId, "shipping")).toMatchObject({
      body: { shippingAddress: { street: "1 Elsewhere" } },
    });
  });

  test("gets its address and ids from one call, also after a change", async () => {
    const { buyer, tradeId } = await market.accepted({ providesOwnShipping: true });
    expect(await get(buyer, tradeId, "shipping")).toMatchObject({
      status: 200,
      body: {
        shortId: buyer.uid.slice(-8).toUpperCase(),
        reference: tradeId.slice(0, 8),
        shippingAddress: { ...address, country: "USA" },
        units: 2,
        labelOwedBy: "buyer",
        storeAddress: null,
      },
    });
    const shippingAddress = {
      ...address,
      name: "The store",
      street: "9 Dock Road",
      country: "USA",
    };
    await market.shop.call("PUT", "/api/settings/details", {
      as: admin,
      body: { ...noDetails, shippingAddress },
    });
    expect(await get(buyer, tradeId, "shipping")).toMatchObject({
      body: { storeAddress: shippingAddress },
    });
  });

  test.each([
    [{ trackingNumber: " " }, "Please enter a tracking number"],
    [{ trackingNumber: "9400\n1" }, "A tracking number is one line of visible characters"],
    [{ trackingNumber: "9400\u{202e}1" }, "This has invisible characters"],
    [{ carrier: "DHL" }, "Please select a carrier"],
    [{ label: "no file" }, "Please select a label file"],
    [{ label: new File(["GIF89a"], "label.pdf") }, "This is not a PDF file"],
  ])("with %j is a 400", async (wrong, message) => {
    const { buyer, tradeId } = await market.accepted({ providesOwnShipping: true });
    expect(await market.upload(buyer, tradeId, wrong)).toMatchObject({
      status: 400,
      body: { message },
    });
  });
});

describe("who may do what", () => {
  test("strangers find no trade and no offer, and sellers only their own offer", async () => {
    const { tradeId } = await market.accepted();
    const stranger = await market.buyerWith(0);
    const body = { shippingAddress: address };
    const answers = await Promise.all([
      market.post(stranger, offerPath(tradeId, 1, "accept"), {}),
      market.post(stranger, offerPath(tradeId, 1, "decline")),
      market.post(stranger, offerPath(tradeId, 1, "counter"), { counterPrice: 1 }),
      market.post(stranger, `${tradeId}/raise`, { pricePerItem: 900 }),
      market.post(stranger, `${tradeId}/close`),
      market.post(stranger, `${tradeId}/cancel`, {}),
      market.post(stranger, `${tradeId}/confirm`),
      market.post(stranger, `${tradeId}/report`, { kind: "lost" }),
      market.shop.call("PUT", `/api/trades/${tradeId}/address`, { as: stranger, body }),
      market.upload(stranger, tradeId),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    const label = `/api/trades/${tradeId}/shipping-label`;
    expect((await market.shop.call("POST", label, { body: {} })).status).toBe(401);
  });

  test("a buyer cannot fulfill, refund or cancel an acceptance", async () => {
    const { buyer, tradeId } = await market.accepted();
    const refund = { units: 1, cents: 1, borneBy: "store", restock: false };
    const answers = await Promise.all([
      market.post(buyer, `${tradeId}/fulfill`),
      market.post(buyer, `${tradeId}/refund`, refund),
      market.post(buyer, `${tradeId}/offers/${offerIdOf(tradeId, 1)}/cancel`, { as: "lost" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

describe("what is personal", () => {
  test("is kept outside the log, and is erased with its person", async () => {
    const { buyer, tradeId } = await market.accepted({ providesOwnShipping: true });
    await market.upload(buyer, tradeId);
    await market.post(buyer, `${tradeId}/report`, { kind: "lost", description: "Quillfeather" });
    const sql = market.shop.database.sql;
    const [found] = await sql<{ found: number }[]>`
      select (select count(*) from log.events where data::text ~* 'quill|marfa')
        + (select count(*) from log.command_keys where answer::text ~* 'quill|marfa')
        + (select count(*) from log.streams where state::text ~* 'quill|marfa') as found`;
    expect(found?.found).toBe(0);
    const kept = async () => {
      const [row] = await sql<{ rows: number }[]>`
        select (select count(*) from identity.trade_addresses where uid = ${buyer.uid})
          + (select count(*) from identity.trade_labels where uid = ${buyer.uid}) as rows`;
      return row?.rows;
    };
    expect(await kept()).toBe(2);
    const exported = await market.shop.call("GET", "/api/auth/me/export", { as: buyer });
    expect(exported.body).toMatchObject({
      tradeAddresses: [{ street: address.street, city: address.city }],
      tradeLabels: [{ trackingNumber: "9400-QUILL-1" }],
    });
    const remove = () => market.shop.call("DELETE", `/api/auth/users/${buyer.uid}`, { as: admin });
    expect(await remove()).toMatchObject({
      status: 409,
      body: { error: "user_not_settled", current: { tradeIds: [tradeId] } },
    });
    await market.post(admin, `${tradeId}/cancel`, {});
    const balance = `/api/sales/balance/${buyer.uid}`;
    await market.shop.call("PUT", balance, { as: admin, body: { balance: 0 } });
    expect(await remove()).toMatchObject({ status: 200 });
    expect(await kept()).toBe(0);
  });
});

test("the books of all these trades prove right, and every event reads where it appears", async () => {
  expect(await market.wrongInBooks({ withoutReplay: true })).toEqual([]);
});

describe("what trades hold", () => {
  const get = async <Body>(as: TestPerson, path: string) =>
    (await market.shop.call("GET", path, { as })).body as Body;
  type Items = { readonly items: readonly { quantity: number; unitsInTrades: number }[] };

  test("is shown beside an item's stock until the trade is fulfilled", async () => {
    const { seller: owner, tradeId } = await market.accepted();
    const stock = async () => (await get<Items>(owner, "/api/inventory/search")).items;
    expect(await stock()).toMatchObject([{ quantity: 1, unitsInTrades: 2 }]);
    await market.upload(admin, tradeId);
    await market.post(admin, `${tradeId}/fulfill`);
    expect(await stock()).toMatchObject([{ quantity: 1, unitsInTrades: 0 }]);
  });

  test("sorts the whole list of users, the same way on every page", async () => {
    const { buyer: rich } = await market.accepted({ pricePerItem: 4_000 });
    type Users = { readonly users: readonly { uid: string; heldForTrades: number }[] };
    const page = async (query: string) =>
      (await get<Users>(admin, `/api/auth/all-users?sort=held&${query}`)).users;
    const all = await page("order=desc&limit=100");
    expect(all[0]).toMatchObject({ uid: rich.uid, heldForTrades: 84 });
    const sums = all.map(({ heldForTrades }) => heldForTrades);
    expect(sums).toEqual(sums.toSorted((one, next) => next - one));
    const parts = await Promise.all([1, 2, 3].map((n) => page(`order=desc&limit=5&page=${n}`)));
    expect(parts.flat()).toEqual(all.slice(0, 15));
    expect(await page("order=asc&limit=1")).toMatchObject([{ heldForTrades: 0 }]);
  });
});
