// Deleting an account while the read tables are behind: goods that they do not show yet stop it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { readHead } from "#ledger/log/read.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

let shop: TestApp;
let admin: TestPerson;
let avery: TestPerson;

beforeAll(async () => {
  // The tables follow only when the test says so.
  shop = await openTestApp({ wakeUp: () => undefined });
  admin = await shop.person("Admin", "admin");
  avery = await shop.person("Avery");
});

afterAll(() => shop.close());

type Body = (itemId: string, uid: string) => object;

/** Calls that set all five units of an item aside for somebody, so that none of them is in its quantity. */
const settingAside: Readonly<Record<string, Body>> = {};

const cases: readonly (readonly [what: string, path: string | null, body: Body])[] = [
  ["in stock", null, () => ({})],
  ...Object.entries(settingAside).map(
    ([path, body]) => [`set aside by ${path}`, path, body] as const,
  ),
];

async function post(path: string, body: object): Promise<unknown> {
  const answer = await shop.call("POST", `/api${path}`, { as: admin, body });
  expect(answer).toMatchObject({ status: 200 });
  return Reflect.get(Object(answer.body), "id");
}

it.each(cases)("is refused while a new item's units are %s", async (what, path, body) => {
  const { uid } = await shop.person(`Owner of goods ${what}`);
  await shop.runner.catchUp();
  const { position } = await readHead(shop.database.sql);
  const goods = { itemName: "Lamp", barcode1: "B-1", quantity: 5 };
  const id = await post("/inventory/consignor", { ...goods, consignorID: uid });
  if (path !== null) {
    await post(path, body(String(id), avery.uid));
  }
  const deletion = (seen: number) =>
    shop.call("DELETE", `/api/auth/users/${uid}`, {
      as: admin,
      headers: { "Ledger-Position": String(seen) },
    });
  expect(await deletion(position)).toMatchObject({
    status: 409,
    body: { error: "stock_not_known" },
  });
  await shop.runner.catchUp();
  expect(await deletion(position)).toMatchObject({
    status: 409,
    body: { error: "user_not_settled" },
  });
});
