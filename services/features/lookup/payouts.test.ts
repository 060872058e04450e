// The look-up of payouts in the palette: by what is written on the payout or the bank's statement, and never by a scan.
import { afterAll, beforeAll, expect, test } from "vitest";
import { lookupResponse, type FoundThing } from "#features/lookup/contract.ts";
import { personWith } from "#testing/service/person-with.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

let shop: TestApp;
let admin: TestPerson;
let avery: TestPerson;
let blake: TestPerson;
let paid: string;
let pending: string;

async function ask(person: TestPerson, amount: number, paymentUsername: string): Promise<string> {
  const { body } = await shop.call("POST", `/api/payouts/${person.uid}/request`, {
    as: person,
    body: { amount, method: "cashapp", paymentUsername },
  });
  return String(Reflect.get(Object(body), "payoutId"));
}

beforeAll(async () => {
  shop = await openTestApp();
  admin = await shop.person("Admin", "admin");
  avery = await personWith(shop, admin, "Avery", 9_000);
  blake = await personWith(shop, admin, "Blake", 9_000);
  paid = await ask(avery, 30, "averyston");
  await shop.call("PATCH", `/api/payouts/${avery.uid}/${paid}/paid`, {
    as: admin,
    body: { reference: "#D-1A2B3C" },
  });
  pending = await ask(blake, 12.5, "80808080");
  await shop.runner.catchUp();
});

afterAll(() => shop.close());

async function found(as: TestPerson, q: string, by: string): Promise<readonly FoundThing[]> {
  const query = new URLSearchParams({ q, by }).toString();
  const { body } = await shop.call("GET", `/api/lookup?${query}`, { as });
  return lookupResponse.parse(body).things;
}

const payoutsIn = async (as: TestPerson, q: string, by = "text") =>
  (await found(as, q, by)).flatMap((thing) => (thing.kind === "payout" ? [thing.id] : []));

test.each(["#D-1A2B3C", "d-1a2b3c", "$averyston", "AVERYSTON"])(
  "an admin and its consignor find a payout by its transfer's reference and its handle, with and without the sign: %s",
  async (text) => {
    expect(await payoutsIn(admin, text)).toEqual([paid]);
    expect(await payoutsIn(avery, text)).toEqual([paid]);
    expect(await payoutsIn(blake, text)).toEqual([]);
  },
);

test("it is found by its number, also as Venmo's note has it", async () => {
  for (const text of [paid, paid.slice(0, 8).toUpperCase(), `Payout ${paid}`]) {
    expect(await payoutsIn(admin, text)).toEqual([paid]);
    expect(await payoutsIn(blake, text)).toEqual([]);
  }
});

test("what is found says how much, whose, and what became of it", async () => {
  expect(await found(admin, "80808080", "text")).toEqual([
    {
      kind: "payout",
      id: pending,
      amount: 12.5,
      requestedAt: expect.any(String),
      status: "pending",
      consignorName: "Blake",
    },
  ]);
  expect(await found(avery, "averyston", "text")).toMatchObject([
    { amount: 30, status: "paid", consignorName: null },
  ]);
});

test("a part of a handle or a reference finds none, and neither does a text of signs", async () => {
  for (const text of ["avery", "d-1a2b", "$", "#", "%", "Payout"]) {
    expect(await payoutsIn(admin, text)).toEqual([]);
  }
});

test("a scan finds none: whoever chooses a handle could choose a barcode", async () => {
  for (const code of ["80808080", "#D-1A2B3C", paid]) {
    expect(await payoutsIn(admin, code, "code")).toEqual([]);
  }
});
