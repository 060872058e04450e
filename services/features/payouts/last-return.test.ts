// A pending payout says whether the last transfer to where it goes came back, so that nobody sends it there again unaware.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import { personWith } from "#testing/service/person-with.ts";

let shop: TestApp;
let admin: TestPerson;

beforeAll(async () => {
  shop = await openTestApp();
  admin = await shop.person("Admin", "admin");
});

afterAll(() => shop.close());

const field = (value: unknown, name: string): unknown => Reflect.get(Object(value), name);

/** The path of a new request. */
async function ask(person: TestPerson, amount: number, handle: string, method = "cashapp") {
  const body = { amount, method, paymentUsername: handle };
  const path = `/api/payouts/${person.uid}`;
  const answer = await shop.call("POST", `${path}/request`, { as: person, body });
  expect(answer.status).toBe(200);
  return `${path}/${String(field(answer.body, "payoutId"))}`;
}

async function pay(path: string): Promise<string> {
  shop.advance(1_000);
  const answer = await shop.call("PATCH", `${path}/paid`, { as: admin, body: {} });
  expect(answer.status).toBe(200);
  return path;
}

async function giveBack(path: string): Promise<void> {
  shop.advance(1_000);
  const body = { reason: "Unknown handle" };
  expect((await shop.call("POST", `${path}/return`, { as: admin, body })).status).toBe(200);
}

/** Amount and last return of each of the person's pending payouts, oldest first. */
async function pendingOf(person: TestPerson): Promise<readonly (readonly unknown[])[]> {
  const path = `/api/payouts/pending?consignor=${person.uid}`;
  const { body } = await shop.call("GET", path, { as: admin });
  const payouts = field(body, "payouts");
  return (Array.isArray(payouts) ? (payouts as readonly unknown[]) : []).map((payout) => [
    field(payout, "amount"),
    field(payout, "lastReturn"),
  ]);
}

const back = (amount: number) => ({
  amount,
  returnedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/u),
});

test("a request to the handle at which the last transfer failed says its amount and when, however the handle is typed", async () => {
  const avery = await personWith(shop, admin, "Avery", 100_000);
  await giveBack(await pay(await ask(avery, 65, "$AveryStone")));
  await ask(avery, 10, "$AveryStone");
  await ask(avery, 20, "averystone");
  expect(await pendingOf(avery)).toEqual([
    [10, back(65)],
    [20, back(65)],
  ]);
});

test("of several that came back the newest counts, in whatever order they were requested", async () => {
  const casey = await personWith(shop, admin, "Casey", 100_000);
  const [first, second] = [await ask(casey, 30, "casey"), await ask(casey, 40, "casey")];
  await pay(first);
  await giveBack(await pay(second));
  await giveBack(first);
  await ask(casey, 10, "casey");
  expect(await pendingOf(casey)).toEqual([[10, back(30)]]);
});

test("another handle, another method and another consignor with the same handle have none", async () => {
  const blake = await personWith(shop, admin, "Blake", 100_000);
  const devon = await personWith(shop, admin, "Devon", 100_000);
  await giveBack(await pay(await ask(blake, 65, "blake")));
  await ask(blake, 10, "blakerivers");
  await ask(blake, 20, "blake", "venmo");
  await ask(devon, 30, "blake");
  expect(await pendingOf(blake)).toEqual([
    [10, null],
    [20, null],
  ]);
  expect(await pendingOf(devon)).toEqual([[30, null]]);
});

test("a payout that was paid there since ends it, one that was paid before or deleted does not", async () => {
  const ellis = await personWith(shop, admin, "Ellis", 100_000);
  await pay(await ask(ellis, 5, "ellis"));
  await giveBack(await pay(await ask(ellis, 65, "ellis")));
  const deleted = await ask(ellis, 15, "ellis");
  expect((await shop.call("DELETE", deleted, { as: admin })).status).toBe(200);
  await ask(ellis, 10, "ellis");
  expect(await pendingOf(ellis)).toEqual([[10, back(65)]]);
  await pay(await ask(ellis, 25, "ELLIS"));
  expect(await pendingOf(ellis)).toEqual([[10, null]]);
});
