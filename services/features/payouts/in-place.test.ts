// A payout that an admin requests in a consignor's place: everybody sees that, and it suggests no handle to the consignor.
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
