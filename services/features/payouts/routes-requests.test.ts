// Requests over HTTP before they are paid: two admins do not both send the money, and consignors correct or withdraw their own.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import { personWith } from "#testing/service/person-with.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { events, projections, streams } from "../../features.ts";
import { payoutChecks } from "#features/payouts/checks.ts";

let shop: TestApp;
let robin: TestPerson;
let sam: TestPerson;
let avery: TestPerson;

beforeAll(async () => {
  shop = await openTestApp();
  robin = await shop.person("Robin", "admin");
  sam = await shop.person("Sam", "admin");
  avery = await personWith(shop, robin, "Avery", 50_000);
});

afterAll(() => shop.close());

async function request(): Promise<string> {
  const { body } = await shop.call("POST", `/api/payouts/${avery.uid}/request`, {
    as: avery,
    body: { amount: 10, method: "cashapp", paymentUsername: "avery" },
  });
  return `/api/payouts/${avery.uid}/${String(Reflect.get(Object(body), "payoutId"))}`;
}

async function firstOf(path: string, as: TestPerson): Promise<unknown> {
  const { body } = await shop.call("GET", path, { as });
  const payouts: unknown = Reflect.get(Object(body), "payouts");
  return Array.isArray(payouts) ? payouts.at(-1) : undefined;
}
const seenBy = (admin: TestPerson) => firstOf(`/api/payouts/pending?consignor=${avery.uid}`, admin);
const own = () => firstOf(`/api/sales/payouts/${avery.uid}?sort=date&order=asc`, avery);

test("who opens the transfer has the request for ten minutes: others see by name who is paying, the consignor only that the store is", async () => {
  const payout = await request();
  expect(await seenBy(sam)).toMatchObject({ claim: null });
  expect(await shop.call("POST", `${payout}/claim`, { as: robin })).toMatchObject({ status: 200 });
  expect(await seenBy(sam)).toMatchObject({ claim: { by: "Robin", isOwn: false } });
  expect(await seenBy(robin)).toMatchObject({ claim: { by: "Robin", isOwn: true } });
  expect(await own()).toMatchObject({ claim: { by: "the store", isOwn: false } });
  expect(await firstOf(`/api/sales/payouts/${avery.uid}?sort=date&order=asc`, robin)).toMatchObject(
    { claim: { by: "Robin", isOwn: true } },
  );
  for (const [method, path] of [
    ["POST", `${payout}/claim`],
    ["DELETE", `${payout}/claim`],
    ["DELETE", payout],
  ] as const) {
    expect(await shop.call(method, path, { as: sam })).toMatchObject({
      status: 409,
      body: { error: "payout_claimed" },
    });
  }
  shop.advance(10 * 60_000);
  expect(await shop.call("POST", `${payout}/claim`, { as: sam })).toMatchObject({ status: 200 });
  const paid = await shop.call("PATCH", `${payout}/paid`, {
    as: sam,
    body: { reference: " #D-4F9K2 " },
  });
  expect(paid).toMatchObject({ status: 200 });
  expect(await own()).toMatchObject({ status: "paid", claim: null, reference: "#D-4F9K2" });
});

test("two admins who open a transfer at once: one of them has it", async () => {
  const payout = await request();
  const answers = await Promise.all(
    [robin, sam].map((as) => shop.call("POST", `${payout}/claim`, { as })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const winner = answers[0]?.status === 200 ? robin : sam;
  expect(await shop.call("DELETE", `${payout}/claim`, { as: winner })).toMatchObject({
    status: 200,
    body: { claimedUntil: null },
  });
  expect(await shop.call("DELETE", payout, { as: avery })).toMatchObject({ status: 200 });
});

test("a consignor corrects where a request goes, and withdraws it, until the store begins to pay", async () => {
  const payout = await request();
  const handle = { method: "venmo", paymentUsername: "avery-stone" };
  const corrected = await shop.call("PUT", `${payout}/handle`, { as: avery, body: handle });
  expect(corrected).toMatchObject({ status: 200, body: { warning: null } });
  expect(await seenBy(sam)).toMatchObject({
    method: "venmo",
    handle: "@avery-stone",
    handleChanged: false,
    requestedBy: null,
  });
  await shop.call("POST", `${payout}/claim`, { as: robin });
  const refused = { status: 409, body: { error: "payout_being_paid" } };
  const again = { as: avery, body: { ...handle, paymentUsername: "mallory" } };
  expect(await shop.call("PUT", `${payout}/handle`, again)).toMatchObject(refused);
  expect(await shop.call("DELETE", payout, { as: avery })).toMatchObject(refused);
  expect(await seenBy(sam)).toMatchObject({ handle: "@avery-stone" });
  await shop.call("DELETE", `${payout}/claim`, { as: robin });
  expect(await shop.call("DELETE", payout, { as: avery })).toMatchObject({
    status: 200,
    body: { message: "Payout request deleted and balance refunded", amount: 10 },
  });
  expect(await own()).toMatchObject({ status: "deleted", withdrawn: true });
});

test("a payment that was sent before the consignor corrected the request is recorded where it was sent", async () => {
  const payout = await request();
  const handle = { method: "venmo", paymentUsername: "avery-stone" };
  const shown = Object(await seenBy(robin)) as { readonly handleId: string };
  await shop.call("PUT", `${payout}/handle`, { as: avery, body: handle });
  const unknown = { handleId: "00000000-0000-4000-8000-000000000001" };
  expect(await shop.call("PATCH", `${payout}/paid`, { as: robin, body: unknown })).toMatchObject({
    status: 409,
    body: { error: "payout_handle_unknown" },
  });
  const body = { handleId: shown.handleId, reference: "D-1" };
  expect(await shop.call("PATCH", `${payout}/paid`, { as: robin, body })).toMatchObject({
    status: 200,
  });
  expect(await own()).toMatchObject({
    status: "paid",
    method: "cashapp",
    handle: "$avery",
    handleChanged: false,
  });
  await shop.runner.catchUp();
  const { sql } = shop.database;
  const books = { sql, streams, events, projections, heads: [], checks: payoutChecks };
  expect((await verifyBooks({ ...books, withoutReplay: true })).problems).toEqual([]);
});

test.each(["Avery Stone, 555 1234", "née", "a\tb"])(
  "a reference is a number: %j is refused",
  async (reference) => {
    const payout = await request();
    expect(
      await shop.call("PATCH", `${payout}/paid`, { as: robin, body: { reference } }),
    ).toMatchObject({ status: 400 });
  },
);

test("nobody corrects or withdraws somebody else's request, and no admin says in a consignor's name where it goes", async () => {
  const payout = await request();
  const blake = await shop.person("Blake");
  const handle = { method: "venmo", paymentUsername: "mallory" };
  for (const as of [blake, robin]) {
    expect(await shop.call("PUT", `${payout}/handle`, { as, body: handle })).toMatchObject({
      status: 403,
    });
  }
  expect(await shop.call("DELETE", payout, { as: blake })).toMatchObject({ status: 403 });
  const ofBlake = payout.replace(avery.uid, blake.uid);
  expect(await shop.call("DELETE", ofBlake, { as: blake })).toMatchObject({ status: 404 });
  expect(await shop.call("DELETE", payout, { as: robin })).toMatchObject({ status: 200 });
  expect(await own()).toMatchObject({ status: "deleted", withdrawn: false });
});

test("the proof notices a corrected handle that was changed in the database", async () => {
  const payout = await request();
  const handle = { method: "cashapp", paymentUsername: "averystone" };
  await shop.call("PUT", `${payout}/handle`, { as: avery, body: handle });
  await shop.runner.catchUp();
  const { sql, ownerSql } = shop.database;
  const books = { sql, streams, events, projections, heads: [], checks: payoutChecks };
  const problems = async () =>
    (await verifyBooks({ ...books, withoutReplay: true })).problems.filter(
      ({ check }) => check === "identity",
    );
  expect(await problems()).toEqual([]);
  await ownerSql`update identity.payout_handles set handle = '$mallory' where handle = '$averystone'`;
  expect(await problems()).toMatchObject([
    { message: expect.stringContaining("its row is not the handle that was requested") },
  ]);
  expect(await seenBy(sam)).toMatchObject({ handle: null, handleChanged: true, cashAppLink: null });
});
