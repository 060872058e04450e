// A report while the store goes on: pages of a list that moves, and sales that get their price between two reads.
import { afterAll, beforeAll, expect, test } from "vitest";
import { reportConsignorsResponse } from "#features/reports/contract.ts";
import { readUnpriced } from "#features/reports/queries-unpriced.ts";
import { readHead } from "#ledger/log/read.ts";
import { openTestApp, type TestApp, type TestPerson } from "#testing/service/test-app.ts";

let shop: TestApp;
let admin: TestPerson;

beforeAll(async () => {
  shop = await openTestApp();
  admin = await shop.person("Admin", "admin");
  const [name, street, city] = ["Harbor Resale", "12 Pier Road", "Duluth"];
  await send("PUT", "/settings/details", {
    storeName: name,
    returnPolicy: "",
    chatLink: "",
    venmoName: "",
    shippingAddress: { name, street, city, state: "MN", zip: "55802", country: "" },
  });
});

afterAll(() => shop.close());

async function send(method: string, path: string, body: object): Promise<unknown> {
  const answer = await shop.call(method, `/api${path}`, { as: admin, body });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}

test("the next page of consignors has the rest, although the last one of the page before was renamed", async () => {
  const names = ["Avery", "Blake", "Casey"];
  for (const name of names) {
    const { uid } = await shop.person(name);
    await send("POST", "/sales/custom", { consignorID: uid, itemName: "Lamp", amount: 5 });
  }
  await shop.runner.catchUp();
  const page = async (cursor: string) => {
    const query = `from=2026-01-01&to=2026-12-31&sort=name&order=asc&limit=1${cursor}`;
    const { body } = await shop.call("GET", `/api/reports/consignors?${query}`, { as: admin });
    return reportConsignorsResponse.parse(body);
  };
  const first = await page("");
  expect(first.consignors.map(({ displayName }) => displayName)).toEqual(["Avery"]);
  const { ownerSql } = shop.database;
  await ownerSql`update identity.profiles set display_name = 'Zoe' where display_name = 'Avery'`;
  const next = await page(`&cursor=${first.nextCursor ?? ""}`);
  expect(next.consignors.map(({ displayName }) => displayName)).toEqual(["Blake"]);
});

test("sales without a price are counted as of a position, whatever was recorded or priced since", async () => {
  const item = { itemName: "Chair", barcode1: "C-1", quantity: 5 };
  const id: unknown = Reflect.get(Object(await send("POST", "/inventory/master", item)), "id");
  const sold = { masterItemID: id, quantitySold: 1, soldAt: "2026-10-05T12:00:00.000Z" };
  const sale = await send("POST", "/inventory/master/sale", sold);
  const { position } = await readHead(shop.database.sql);
  await send("PUT", `/sales/${String(Reflect.get(Object(sale), "saleID"))}`, {
    salePrice: 30,
    reason: "Found the receipt",
  });
  await send("POST", "/inventory/master/sale", sold);
  await send("POST", "/inventory/master/sale", sold);
  await shop.runner.catchUp();
  const bounds = [new Date("2026-01-01"), new Date("2027-01-01")];
  const count = (at: number) => readUnpriced(shop.deps.searches, bounds, { kind: "store" }, at);
  expect(await count(position)).toEqual([{ recorded: 1, left: 1 }]);
  const { position: head } = await readHead(shop.database.sql);
  expect(await count(head)).toEqual([{ recorded: 3, left: 2 }]);
});

test.each(["months", "consignors"])(
  "a file of %s has the entries up to the position that it names, and none of those recorded while it is made",
  async (view) => {
    const { uid } = await shop.person("Drew");
    const sell = () =>
      send("POST", "/sales/custom", { consignorID: uid, itemName: "Lamp", amount: 5 });
    await sell();
    await shop.runner.catchUp();
    const query = `from=2026-01-01&to=2026-12-31&view=${view}&format=csv`;
    const ask = () => shop.call("GET", `/api/reports/file?${query}`, { as: admin });
    const before = await ask();
    expect(before.status).toBe(200);
    const { ownerSql } = shop.database;
    const late = await ownerSql.begin(async (own) => {
      // The file waits for the store's name, when its position is known and its numbers are not read yet.
      await own`lock table store.details in access exclusive mode`;
      const file = ask();
      await expect
        .poll(
          () =>
            own`select from pg_locks where not granted and relation = 'store.details'::regclass`,
        )
        .toHaveLength(1);
      await sell();
      await shop.runner.catchUp();
      return { file };
    });
    expect((await late.file).body).toBe(before.body);
    expect((await ask()).body).not.toBe(before.body);
  },
);
