// The look-up over HTTP: what codes and words belong to, for admins and for consignors.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lookupResponse, type FoundThing } from "#features/lookup/contract.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import { offerPath, openTradeShop, tradeIdIn, type TradeShop } from "#testing/shop/trade-shop.ts";

const RECEIPT = "5eed0001-0000-4000-8000-000000000001";

let market: TradeShop;
let admin: TestPerson;
let avery: TestPerson & { readonly itemId: string };
let blake: TestPerson & { readonly itemId: string };
let buyer: TestPerson;
let tillSale: string;
let otherSale: string;
let tradeId: string;
let shipmentId: string;

beforeAll(async () => {
  market = await openTradeShop();
  admin = market.admin;
  avery = await market.sellerWith("012345678905", 9);
  blake = await market.sellerWith("012345678905", 9);
  buyer = await market.buyerWith(50_000);
  tillSale = await sold(avery);
  otherSale = await sold(blake);
  tradeId = tradeIdIn(await market.request(buyer, "012345678905", { quantity: 1 }));
  await market.post(avery, offerPath(tradeId, 1, "accept"), {});
  await market.post(blake, offerPath(tradeId, 2, "accept"), {});
  await market.upload(admin, tradeId, { trackingNumber: "9400 1118 9922 3100 0012 34" });
  await market.shop.call("POST", `/api/shipments/${avery.uid}`, {
    as: avery,
    body: { carrier: "UPS", trackingNumber: "1Z 999AA1 0123456784" },
  });
  await market.shop.runner.catchUp();
  const [row] = await market.shop.database.sql<{ id: string }[]>`
    select shipment_id::text as id from read.shipments`;
  shipmentId = row?.id ?? "";
});

afterAll(() => market.close());

async function sold({ uid, itemId }: TestPerson & { readonly itemId: string }): Promise<string> {
  const { body } = await market.shop.call("POST", "/api/sales/record", {
    as: admin,
    body: { consignorID: uid, itemUID: itemId, salePrice: 40, quantitySold: 1, receiptID: RECEIPT },
  });
  return String(Object(body)["saleID"]);
}

async function found(as: TestPerson, q: string, by = "code"): Promise<readonly FoundThing[]> {
  const query = new URLSearchParams({ q, by }).toString();
  const { status, body } = await market.shop.call("GET", `/api/lookup?${query}`, { as });
  expect(status).toBe(200);
  return lookupResponse.parse(body).things;
}

const idsOf = async (as: TestPerson, q: string, by?: string) =>
  (await found(as, q, by)).map(({ kind, id }) => `${kind} ${id}`).toSorted();

describe("a code", () => {
  test.each(["012345678905", "0012345678905"])(
    "finds everybody's items for an admin: %s",
    async (code) => {
      expect(await idsOf(admin, code)).toEqual(
        [`item ${avery.itemId}`, `item ${blake.itemId}`].toSorted(),
      );
      expect(await idsOf(avery, code)).toEqual([`item ${avery.itemId}`]);
      expect(await idsOf(buyer, code)).toEqual([]);
    },
  );

  test("of a receipt finds its sales, and for a consignor only the own one", async () => {
    const both = [`sale ${tillSale}`, `sale ${otherSale}`].toSorted();
    expect(await idsOf(admin, "R-5EED0001")).toEqual(both);
    expect(await idsOf(avery, "R-5EED0001")).toEqual([`sale ${tillSale}`]);
  });

  test("that begins an id finds the sale, the trade, the item and the shipment", async () => {
    for (const [kind, id] of [
      ["sale", tillSale],
      ["trade", tradeId],
      ["item", avery.itemId],
      ["shipment", shipmentId],
    ] as const) {
      expect(await idsOf(admin, id.slice(0, 8).toUpperCase())).toContain(`${kind} ${id}`);
      expect(await idsOf(admin, id)).toContain(`${kind} ${id}`);
      expect(await idsOf(blake, id)).toEqual([]);
    }
  });

  test("on a parcel finds its trade or shipment, however it is written, for those it belongs to", async () => {
    for (const code of ["9400111899223100001234", "420787019400111899223100001234"]) {
      expect(await idsOf(admin, code)).toEqual([`trade ${tradeId}`]);
      expect(await idsOf(buyer, code)).toEqual([`trade ${tradeId}`]);
      expect(await idsOf(avery, code)).toEqual([]);
    }
    expect(await idsOf(admin, "1z999aa10123456784")).toEqual([`shipment ${shipmentId}`]);
    expect(await idsOf(avery, "1z999aa10123456784")).toEqual([`shipment ${shipmentId}`]);
    expect(await idsOf(blake, "1z999aa10123456784")).toEqual([]);
  });

  test("on a parcel finds it also if somebody else has submitted it many times since", async () => {
    const parcel = { carrier: "UPS", trackingNumber: "1Z999AA1 01 2345 6799" };
    const submit = (as: TestPerson) =>
      market.shop.call("POST", `/api/shipments/${as.uid}`, { as, body: parcel });
    const first = await submit(avery);
    expect(first.status).toBeLessThan(300);
    for (let times = 0; times < 13; times += 1) {
      await submit(blake);
    }
    await market.shop.runner.catchUp();
    const { body } = await market.shop.call("GET", "/api/lookup?q=1Z999AA10123456799", {
      as: admin,
    });
    const { things, hasMore } = lookupResponse.parse(body);
    const [theirs] = await found(avery, "1Z999AA10123456799");
    expect(things).toHaveLength(12);
    expect(things[0]?.id).toBe(theirs?.id);
    expect(hasMore).toBe(true);
  });

  test("that somebody took as a username finds the item, and the name finds them as words", async () => {
    const casey = await market.sellerWith("80808080", 2);
    await market.shop.database.sql`
      update identity.profiles set username = '80808080' where uid = ${casey.uid}`;
    expect(await idsOf(admin, "80808080")).toEqual([`item ${casey.itemId}`]);
    expect(await idsOf(admin, "80808080", "text")).toContain(`consignor ${casey.uid}`);
  });

  test("of a person finds the person, for admins only", async () => {
    for (const code of [avery.uid, avery.uid.slice(-8).toUpperCase(), avery.email.toUpperCase()]) {
      expect(await idsOf(admin, code)).toEqual([`consignor ${avery.uid}`]);
      expect(await idsOf(avery, code)).toEqual([]);
      expect(await idsOf(blake, code)).toEqual([]);
    }
  });

  test("that belongs to nothing finds nothing, and an empty one is refused", async () => {
    for (const code of ["NOTHING-1", "posSale:%", "'; select 1", "%", "ffffffff"]) {
      expect(await found(admin, code)).toEqual([]);
    }
    const empty = await market.shop.call("GET", "/api/lookup?q=%20", { as: admin });
    expect(empty.status).toBe(400);
  });

  test("of a deleted item finds nothing", async () => {
    const casey = await market.sellerWith("GONE-1", 2);
    await market.shop.call("DELETE", `/api/inventory/consignor/${casey.uid}/${casey.itemId}`, {
      as: admin,
    });
    await market.shop.runner.catchUp();
    expect(await found(admin, "GONE-1")).toEqual([]);
  });
});

describe("the highest earlier price of a unit", () => {
  const priceOf = async (itemId: string, as = admin) => {
    const path = `/api/lookup/earlier-price/${itemId}`;
    const { status, body } = await market.shop.call("GET", path, { as });
    return status === 200 ? Object(body)["highestUnitPrice"] : status;
  };

  test("is that of all sales of the same barcode, and of the item itself", async () => {
    const casey = await market.sellerWith("PRICED-1", 9);
    const drew = await market.sellerWith("PRICED-1", 9);
    expect(await priceOf(casey.itemId)).toBeNull();
    const sell = (price: number, quantitySold: number) =>
      market.shop.call("POST", "/api/sales/record", {
        as: admin,
        body: { consignorID: drew.uid, itemUID: drew.itemId, salePrice: price, quantitySold },
      });
    await sell(30, 3);
    await sell(12.5, 1);
    await market.shop.runner.catchUp();
    expect(await priceOf(casey.itemId)).toBe(12.5);
    expect(await priceOf(drew.itemId)).toBe(12.5);
  });

  test("is for admins, and of an item that exists", async () => {
    expect(await priceOf(avery.itemId, avery)).toBe(403);
    expect(await priceOf("00000000-0000-4000-8000-00000000dead")).toBeNull();
  });
});

describe("words", () => {
  test("find items, people, sales and open trades for an admin", async () => {
    const [item] = await found(admin, avery.itemId);
    const name = item?.kind === "item" ? item.itemName : "";
    const kinds = new Set((await found(admin, name.toLowerCase(), "text")).map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(["item", "sale", "trade"]));
    expect(await idsOf(admin, avery.email.slice(0, 12), "text")).toContain(
      `consignor ${avery.uid}`,
    );
  });

  test("find a consignor's own things only, and no people", async () => {
    const [item] = await found(admin, avery.itemId);
    const name = item?.kind === "item" ? item.itemName : "";
    expect(await idsOf(avery, name, "text")).toEqual(
      [`item ${avery.itemId}`, `sale ${tillSale}`].toSorted(),
    );
    expect(await idsOf(buyer, name, "text")).toEqual([`trade ${tradeId}`]);
    const people = (await found(avery, "a", "text")).filter(({ kind }) => kind === "consignor");
    expect(people).toEqual([]);
    expect(JSON.stringify(await found(avery, name, "text"))).not.toContain(blake.uid);
  });
});
