// People are found over HTTP by their names without accents, and the other way round, and by an index.
import { afterAll, beforeAll, expect, it } from "vitest";
import { asSearched, containing } from "#db/like.ts";
import { wordsOfPerson } from "#identity/people-search.ts";
import type { TestPerson } from "#testing/service/test-app.ts";
import { openTradeShop, type TradeShop } from "#testing/shop/trade-shop.ts";

let market: TradeShop;

beforeAll(async () => {
  market = await openTradeShop();
  const { shop } = market;
  for (const name of ["José Peña", "Jose Pena"]) {
    const seller = await market.buyerWith(50_000);
    await shop.database
      .ownerSql`update identity.profiles set display_name = ${name} where uid = ${seller.uid}`;
    await done(seller, `payouts/${seller.uid}/request`, {
      amount: 20,
      method: "venmo",
      paymentUsername: `@pay-${seller.uid.slice(0, 8)}`,
    });
    await done(seller, `shipments/${seller.uid}`, {
      carrier: "UPS",
      trackingNumber: "1Z999AA10123456784",
      contents: "shoes",
    });
    await done(market.admin, "sales/custom", {
      consignorID: seller.uid,
      itemName: "Lamp",
      amount: 5,
    });
    await done(market.admin, "inventory/consignor", {
      consignorID: seller.uid,
      itemName: `Lamp of ${name}`,
      barcode1: market.newBarcode(),
      quantity: 1,
    });
  }
  const users = ["José Peña", "Jose Pena"].map((displayName, id) => ({ id: `${id}`, displayName }));
  await done(market.admin, "auth/legacy-users", { users });
  await shop.runner.catchUp();
});

afterAll(() => market.close());

async function done(as: TestPerson, path: string, body: object): Promise<void> {
  const { status, body: answer } = await market.shop.call("POST", `/api/${path}`, { as, body });
  expect([path, status, answer]).toEqual([path, expect.toSatisfy((code) => code < 300), answer]);
}

const searches: readonly string[] = [
  "auth/search?q=",
  "auth/all-users?q=",
  "auth/legacy-users?q=",
  "reports/consignors?from=2026-01-01&to=2026-12-31&q=",
  "payouts/pending?q=",
  "shipments/admin/all?q=",
  "inventory/search?consignor=",
  "lookup?by=text&q=",
  "audit/events?q=",
];

it.each(["jose", "JOSÉ PEÑA", "José pena", "Jose\u0301"])(
  "José and Jose are both found by %s, wherever people are searched",
  async (text) => {
    for (const path of searches) {
      const { status, body } = await market.shop.call(
        "GET",
        `/api/${path}${encodeURIComponent(text)}`,
        { as: market.admin },
      );
      const answer = JSON.stringify(body);
      expect([path, status, answer.includes("José Peña"), answer.includes("Jose Pena")]).toEqual([
        path,
        200,
        true,
        true,
      ]);
    }
  },
);

it("another name is not found", async () => {
  const { body } = await market.shop.call("GET", "/api/auth/search?q=jos%C3%A8f", {
    as: market.admin,
  });
  expect(body).toEqual({ users: [] });
});

it("the index of people's words answers, also for a name with accents", async () => {
  const rows = await market.shop.database.ownerSql.begin(async (transaction) => {
    await transaction`set local enable_seqscan = off`;
    return transaction`explain select p.uid from identity.profiles p
      where ${transaction.unsafe(wordsOfPerson("p"))} like ${containing(asSearched("José"))}`;
  });
  expect(JSON.stringify(rows)).toContain("profiles_words");
});
