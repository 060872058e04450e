// A deleted user gets nothing any more: neither by a request that began before, nor in the very same moment.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import { forKnownConsignor } from "#features/users/known-consignor.ts";
import { openTestApp, TEST_NOW, type TestApp, type TestPerson } from "#testing/service/test-app.ts";
import { routesOf } from "#testing/shop/feature-routes.ts";
import { userFeatureWithTables } from "#testing/shop/user-feature.ts";

let shop: TestApp;
let boss: TestPerson;

beforeAll(async () => {
  const routes = routesOf("users", "inventory", "payouts", "accounts", "sales");
  shop = await openTestApp({ ...userFeatureWithTables, routes });
  boss = await shop.person("Boss", "admin");
});

afterAll(() => shop.close());

const remove = (uid: string) => shop.call("DELETE", `/api/auth/users/${uid}`, { as: boss });

test("of a deletion and goods at the same moment one is refused, whichever comes first", async () => {
  const people = await Promise.all(["Ada", "Ben", "Cai", "Dee"].map((name) => shop.person(name)));
  await Promise.all(
    people.map(async ({ uid }, index) => {
      const item = { consignorID: uid, itemName: "Lamp", barcode1: "1", quantity: 1 };
      const add = () => shop.call("POST", "/api/inventory/consignor", { as: boss, body: item });
      const [first, second] = index % 2 === 0 ? [add, remove] : [remove, add];
      const answers = await Promise.all([first(uid), second(uid)]);
      const accepted = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status === 404 || status === 409);
      expect([accepted.length, refused.length]).toEqual([1, 1]);
    }),
  );
});

test("neither goods nor money reach a deleted user, nor who was still known when the request began", async () => {
  const lou = await shop.person("Lou");
  const add = (body: object) =>
    shop.call("POST", "/api/inventory/consignor", { as: boss, body: { ...lamp, ...body } });
  const lamp = { consignorID: lou.uid, itemName: "Lamp", barcode1: "1", quantity: 0 };
  const { body } = await add({});
  const { id } = z.object({ id: z.string() }).parse(body);
  const massInput = { consignorID: lou.uid, itemName: "Lamp", barcodes: "1" };
  const begun = await forKnownConsignor(shop.deps, lou.uid, recordCustomSale);
  expect(await remove(lou.uid)).toMatchObject({ status: 200 });
  const sale = { saleId: randomUUID(), consignorId: lou.uid, itemName: "Thing" };
  const late = await shop.deps.ledger.execute(
    begun,
    { ...sale, amountCents: 100, happenedAt: TEST_NOW.toISOString() },
    { actor: boss.uid, scope: "store", key: "too-late", requestHash: "00" },
  );
  expect(late).toMatchObject({ kind: "rejected", rejection: { code: "consignor_not_found" } });
  const item = `/api/inventory/consignor/${lou.uid}/${id}`;
  const edit = { itemName: "Lamp", barcode1: "1", quantity: 5 };
  for (const [method, path, sent] of [
    ["PUT", item, edit],
    ["POST", "/api/inventory/consignor", { ...lamp, quantity: 1 }],
    ["POST", "/api/inventory/consignor/mass-input", massInput],
    [
      "POST",
      `/api/payouts/${lou.uid}/request`,
      { amount: 1, method: "venmo", paymentUsername: "@lou" },
    ],
  ] as const) {
    const answer = await shop.call(method, path, { as: boss, body: sent });
    expect([path, answer.status, answer.body]).toMatchObject([
      path,
      404,
      { error: "consignor_not_found" },
    ]);
  }
  const [kept] = await shop.database.sql<{ handles: number }[]>`
    select count(*) as handles from identity.payout_handles where uid = ${lou.uid}`;
  expect(kept?.handles).toBe(0);
});

test("a sale of a deleted user is still refunded, without restocking, and what they then owe is written off", async () => {
  const max = await shop.person("Max");
  const send = (method: "POST" | "PUT", path: string, body: unknown) =>
    shop.call(method, `/api/${path}`, { as: boss, body });
  const lamp = { itemName: "Lamp", barcode1: "1", quantity: 1 };
  const added = await send("POST", "inventory/consignor", { consignorID: max.uid, ...lamp });
  const sold = await send("POST", "sales/record", {
    consignorID: max.uid,
    itemUID: z.object({ id: z.string() }).parse(added.body).id,
    barcode1: "1",
    salePrice: 10,
    quantitySold: 1,
  });
  const { saleID } = z.object({ saleID: z.string() }).parse(sold.body);
  const balance = (wanted: number) =>
    send("PUT", `sales/balance/${max.uid}`, { balance: wanted, reason: "Settled" });
  expect(await balance(0)).toMatchObject({ status: 200 });
  expect(await remove(max.uid)).toMatchObject({ status: 200 });
  const refund = (restock: boolean) =>
    send("POST", `sales/${saleID}/refund`, { quantity: 1, restock, reason: "Broken" });
  expect(await refund(true)).toMatchObject({ status: 404, body: { error: "consignor_not_found" } });
  expect(await refund(false)).toMatchObject({ status: 200 });
  expect(await balance(1)).toMatchObject({ status: 404, body: { error: "consignor_not_found" } });
  expect(await balance(0)).toMatchObject({
    status: 200,
    body: { balanceBefore: -5, balance: 0 },
  });
});
