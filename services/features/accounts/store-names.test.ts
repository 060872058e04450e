// What consignors read about people: admins are "Store" everywhere, and no name is an email or another person's uid.
import { afterAll, beforeAll, expect, it } from "vitest";
import { giveRole } from "#testing/shop/people.ts";
import {
  openTestApp,
  type TestAnswer,
  type TestApp,
  type TestPerson,
} from "#testing/service/test-app.ts";
import { textIn } from "#testing/service/visitor.ts";

let shop: TestApp;
let boss: TestPerson;
let avery: TestPerson;
let itemId: string;
let tradeId: string;
let shipmentId: string;

const as =
  (person: TestPerson) =>
  async (method: string, path: string, body?: unknown): Promise<TestAnswer> => {
    const request = { as: person, ...(body === undefined ? {} : { body }) };
    const answer = await shop.call(method, `/api${path}`, request);
    expect(answer, `${method} ${path} ${JSON.stringify(answer.body)}`).toMatchObject({
      status: 200,
    });
    return answer;
  };

/** Somebody who gave no name, so that an email is all there is to show. */
async function nameless(email: string): Promise<TestPerson> {
  const uid = await shop.identity.ensureUser({ email });
  return { uid, email, token: await shop.identity.issueTokenFor(uid) };
}

beforeAll(async () => {
  shop = await openTestApp();
  boss = await nameless("boss-mail@people.test");
  await giveRole(shop.deps, boss.uid, "admin");
  avery = await nameless("avery-mail@people.test");
  const blake = await nameless("blake-mail@people.test");
  const [admin, own] = [as(boss), as(avery)];
  const itemFor = async ({ uid }: TestPerson) => {
    const thing = { itemName: "Lamp", barcode1: "LAMP-1", quantity: 5, consignorID: uid };
    return textIn(await admin("POST", "/inventory/consignor", thing), "id");
  };
  itemId = await itemFor(avery);
  await itemFor(blake);
  await admin("PUT", `/sales/balance/${avery.uid}`, { balance: 100, reason: "Opening" });
  await admin("POST", "/sales/record", {
    consignorID: avery.uid,
    itemUID: itemId,
    barcode1: "LAMP-1",
    salePrice: 20,
    shippingCost: 0,
    quantitySold: 1,
    consignorPercentage: 50,
  });
  const payout = { amount: 10, method: "venmo", paymentUsername: "@avery" };
  const asked = await own("POST", `/payouts/${avery.uid}/request`, payout);
  await admin("PATCH", `/payouts/${avery.uid}/${textIn(asked, "payoutId")}/paid`, {});
  const box = { carrier: "UPS", trackingNumber: "1Z999" };
  shipmentId = textIn(await own("POST", `/shipments/${avery.uid}`, box), "id");
  await admin("PATCH", `/shipments/admin/${shipmentId}/status`, { delivered: "yes" });
  const trade = await own("POST", "/trades/request", {
    itemName: "Lamp",
    itemBarcode: "LAMP-1",
    quantity: 1,
    pricePerItem: 500,
    providesOwnShipping: true,
    shippingAddress: {
      name: "A",
      street: "1 Way",
      city: "Austin",
      state: "TX",
      zip: "78701",
      country: "USA",
    },
  });
  tradeId = textIn(trade, "tradeId");
  await admin("POST", `/trades/${tradeId}/cancel`, { reason: "Not there" });
  await shop.runner.catchUp();
});

afterAll(() => shop.close());

const paths = () => [
  `/sales/ledger/${avery.uid}`,
  `/sales/ledger/${avery.uid}/export`,
  `/sales/history/${avery.uid}`,
  `/sales/payouts/${avery.uid}`,
  `/accounts/${avery.uid}/statement?from=2026-11-01&to=2026-11-21`,
  `/accounts/${avery.uid}/statement?from=2026-11-01&to=2026-11-21&format=csv`,
  `/audit/history/${avery.uid}?at=6`,
  "/audit/events",
  "/inventory/search",
  "/auth/me/export",
  `/accounts/${avery.uid}/summary`,
  `/audit/compare/${avery.uid}?at=6`,
  `/audit/items/${itemId}?at=6`,
  `/inventory/items/${itemId}`,
  `/inventory/items/${itemId}/timeline`,
  `/shipments/${avery.uid}`,
  `/shipments/${avery.uid}/${shipmentId}`,
  "/trades/my-trades",
  `/trades/${tradeId}/history`,
];

it("no call tells a consignor an admin's uid or email, nor shows an email as a name", async () => {
  const told: string[] = [];
  for (const path of paths()) {
    const answer = await as(avery)("GET", path);
    const text = JSON.stringify(answer.body);
    // One's own data has one's own email.
    const own = path === "/auth/me/export" ? [] : [avery.email];
    const names = [boss.uid, boss.email, ...own].filter((name) => text.includes(name));
    told.push(...names.map((name) => `${path}: ${name}`));
  }
  expect(told).toEqual([]);
});

it("a consignor's ledger says Store where an admin acted, and the admin's own view says who", async () => {
  const path = `/sales/ledger/${avery.uid}`;
  expect((await as(avery)("GET", path)).body).toMatchObject({
    lines: [
      { type: "PayoutPaid", actor: { uid: null, displayName: "Store" } },
      { type: "PayoutRequested", actor: { uid: avery.uid } },
      { type: "SaleRecorded", actor: { uid: null, displayName: "Store" } },
      { type: "BalanceSet", actor: { uid: null, displayName: "Store" } },
    ],
  });
  expect((await as(boss)("GET", path)).body).toMatchObject({
    lines: [{ actor: { uid: boss.uid, displayName: boss.email } }, {}, {}, {}],
  });
});

it("a statement names a person without a name by a short id, never by email", async () => {
  const path = `/accounts/${avery.uid}/statement?from=2026-11-01&to=2026-11-21`;
  for (const person of [avery, boss]) {
    expect((await as(person)("GET", path)).body).toMatchObject({
      displayName: `Consignor ${avery.uid.slice(-8).toUpperCase()}`,
    });
  }
});

it("a trade's history and a shipment's say Store for an admin", async () => {
  expect((await as(avery)("GET", `/trades/${tradeId}/history`)).body).toMatchObject({
    lines: expect.arrayContaining([expect.objectContaining({ by: "Store", actor: null })]),
  });
  expect((await as(avery)("GET", `/shipments/${avery.uid}/${shipmentId}`)).body).toMatchObject({
    changes: expect.arrayContaining([expect.objectContaining({ by: "store", actor: null })]),
  });
});
