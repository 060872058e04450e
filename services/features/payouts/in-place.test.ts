// A payout that an admin requests in a consignor's place: everybody sees that, and it suggests no handle to the consignor.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import { requestPayout } from "#features/payouts/decider.ts";
import { readPending } from "#features/payouts/queries.ts";
import { personWith } from "#testing/service/person-with.ts";

let shop: TestApp;
let admin: TestPerson;

beforeAll(async () => {
  shop = await openTestApp();
  admin = await shop.person("Admin", "admin");
});

afterAll(() => shop.close());

const ask = (as: TestPerson, person: TestPerson, amount: number, paymentUsername: string) =>
  shop.call("POST", `/api/payouts/${person.uid}/request`, {
    as,
    body: { amount, method: "cashapp", paymentUsername },
  });

test("a request in a consignor's place is told as such to admins and to the consignor, and never changes which handle is suggested", async () => {
  const avery = await personWith(shop, admin, "Avery", 10_000);
  await ask(avery, avery, 5, "avery");
  expect((await ask(admin, avery, 6, "mallory")).status).toBe(200);
  const listed = await shop.call("GET", `/api/payouts/pending?consignor=${avery.uid}`, {
    as: admin,
  });
  expect(listed.body).toMatchObject({
    payouts: [
      { amount: 5, handle: "$avery", requestedBy: null },
      { amount: 6, handle: "$mallory", requestedBy: "Admin" },
    ],
  });
  const own = await shop.call("GET", `/api/sales/payouts/${avery.uid}`, { as: avery });
  expect(own.body).toMatchObject({
    payouts: [
      { amount: 6, requestedBy: "the store" },
      { amount: 5, requestedBy: null },
    ],
  });
  const path = `/api/payouts/${avery.uid}/payment-info`;
  const suggested = await shop.call("GET", path, { as: avery });
  expect(suggested.body).toMatchObject({ cashtag: "$avery" });
});

test("the list asks for its consignors' names without waiting for who made the requests", async () => {
  const casey = await personWith(shop, admin, "Casey", 10_000);
  await ask(admin, casey, 8, "casey");
  await shop.runner.catchUp();
  const { profiles } = shop.deps;
  const asked: string[][] = [];
  const people = {
    ...shop.deps,
    profiles: {
      ...profiles,
      findMany: (uids: Iterable<string>) => {
        asked.push([...uids]);
        return profiles.findMany(asked.at(-1) ?? []);
      },
    },
  };
  const query = { q: undefined, method: undefined, sort: undefined, cursor: undefined };
  const { payouts } = await readPending(shop.deps.reads, people, shop.deps.clock(), {
    ...query,
    consignor: casey.uid,
    order: "asc",
    limit: 10,
  });
  expect(payouts).toMatchObject([{ amount: 8, displayName: "Casey", requestedBy: "Admin" }]);
  expect(asked).toEqual([[casey.uid], [admin.uid]]);
});

test("a request by a script, or by somebody who is not a person, is the store's", async () => {
  const blake = await personWith(shop, admin, "Blake", 10_000);
  const command = {
    payoutId: crypto.randomUUID(),
    consignorId: blake.uid,
    amountCents: 700,
    method: "venmo",
    handleId: crypto.randomUUID(),
    handleHash: "0".repeat(64),
    happenedAt: "2026-11-20T10:00:00.000Z",
  } as const;
  const context = { actor: "system:test", scope: "store", key: "by-script", requestHash: "00" };
  await shop.deps.ledger.execute(requestPayout, command, context);
  const path = `/api/payouts/pending?consignor=${blake.uid}`;
  expect((await shop.call("GET", path, { as: admin })).body).toMatchObject({
    payouts: [{ amount: 7, requestedBy: "the store" }],
  });
});
