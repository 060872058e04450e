// What the audit log says of a payout: which handle was replaced by which, to admins and to the consignor whose payout it is.
import { afterAll, beforeAll, expect, it } from "vitest";
import Papa from "papaparse";
import type {
  AuditEvent,
  AuditEventResponse,
  AuditEventsResponse,
} from "#features/audit/contract.ts";
import { personWith } from "#testing/service/person-with.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

let shop: TestApp;
let robin: TestPerson;
let avery: TestPerson;
/** Requested at a wrong Venmo handle, corrected to CashApp, begun, given back, begun again, and paid. */
let paid: string;
/** Requested, and corrected to another handle of the same method. */
let pending: string;

const handle = (method: "cashapp" | "venmo", paymentUsername: string) => ({
  method,
  paymentUsername,
});

beforeAll(async () => {
  shop = await openTestApp();
  robin = await shop.person("Robin", "admin");
  avery = await personWith(shop, robin, "Avery", 50_000);
  paid = await requested(handle("venmo", "@mistyped"));
  await call(avery, "PUT", `${pathOf(paid)}/handle`, handle("cashapp", "$averystone"));
  await call(robin, "POST", `${pathOf(paid)}/claim`);
  await call(robin, "DELETE", `${pathOf(paid)}/claim`);
  await call(robin, "POST", `${pathOf(paid)}/claim`);
  await call(robin, "PATCH", `${pathOf(paid)}/paid`, { reference: "#CA-778812" });
  pending = await requested(handle("cashapp", "$mistyped"));
  await call(avery, "PUT", `${pathOf(pending)}/handle`, handle("cashapp", "$averystone"));
  await shop.runner.catchUp();
});

afterAll(() => shop.close());

const pathOf = (payoutId: string) => `/api/payouts/${avery.uid}/${payoutId}`;

async function call(as: TestPerson, method: string, path: string, body?: unknown) {
  const answer = await shop.call(method, path, { as, ...(body === undefined ? {} : { body }) });
  expect(answer.status).toBe(200);
  return Object(answer.body) as Record<string, unknown>;
}

async function requested(where: object): Promise<string> {
  const path = `/api/payouts/${avery.uid}/request`;
  return String((await call(avery, "POST", path, { amount: 10, ...where }))["payoutId"]);
}

async function list(as: TestPerson, query: string): Promise<AuditEventsResponse> {
  return (await call(as, "GET", `/api/audit/events?${query}`)) as AuditEventsResponse;
}

async function open(as: TestPerson, payoutId: string, type: string): Promise<AuditEvent> {
  const [line] = (await list(robin, `payout=${payoutId}&type=${type}`)).events;
  const path = `/api/audit/events/${line?.position}`;
  return ((await call(as, "GET", path)) as AuditEventResponse).event;
}

async function changesIn(as: TestPerson, payoutId: string, type: string) {
  const { streams } = await open(as, payoutId, type);
  return streams.find(({ thing }) => thing.kind === "payout")?.changes;
}

it("a corrected request shows the handle before and after, to admins and to its consignor", async () => {
  for (const as of [robin, avery]) {
    expect(await changesIn(as, paid, "PayoutHandleCorrected")).toEqual([
      { field: "Method", before: "Venmo", after: "CashApp" },
      { field: "Handle", before: "@mistyped", after: "$averystone" },
    ]);
    expect(await changesIn(as, pending, "PayoutHandleCorrected")).toEqual([
      { field: "Handle", before: "$mistyped", after: "$averystone" },
    ]);
  }
});

it("the request, its correction and the payment each say the handle that they name", async () => {
  for (const as of [robin, avery]) {
    expect((await open(as, paid, "PayoutRequested")).handle).toBe("@mistyped");
    expect((await open(as, paid, "PayoutHandleCorrected")).handle).toBe("$averystone");
    expect((await open(as, paid, "PayoutPaid")).handle).toBe("$averystone");
    expect((await open(as, pending, "PayoutRequested")).handle).toBe("$mistyped");
  }
  expect((await open(robin, paid, "PayoutClaimed")).handle).toBeNull();
});

it("a correction reads right whether the method changed or not", async () => {
  const said = async (payoutId: string) =>
    (await list(robin, `payout=${payoutId}&type=PayoutHandleCorrected`)).events[0]?.title;
  const words = "Payout request: to be paid to another handle (CashApp)";
  expect([await said(paid), await said(pending)]).toEqual([words, words]);
});

it("a consignor reads the own correction and that the store began to pay, in the list and in the file, without an admin's name", async () => {
  const { events } = await list(avery, `payout=${paid}&order=oldest`);
  const said = events.map(({ title, group, actor }) => [title, group, actor.name]);
  expect(said).toEqual([
    ["Payout of $10.00 requested (Venmo)", "payout", "You"],
    ["Payout request: to be paid to another handle (CashApp)", "payout", "You"],
    ["Payout request: the store began to pay it", "payout", "Store"],
    ["Payout request: no money was sent", "payout", "Store"],
    ["Payout request: the store began to pay it", "payout", "Store"],
    ["Payout of $10.00 paid (CashApp)", "payout", "Store"],
  ]);
  const path = `/api/audit/events/export?payout=${paid}&order=oldest`;
  const file = String((await shop.call("GET", path, { as: avery })).body);
  const lines = Papa.parse<Record<string, string>>(file.trimEnd(), { header: true }).data;
  expect(lines.map((line) => line["What happened"])).toEqual(said.map(([title]) => title));
  const claim = await open(avery, paid, "PayoutClaimed");
  expect(claim.streams).toMatchObject([{ changes: [{ field: "Being paid until" }] }]);
  expect(JSON.stringify([events, claim, file])).not.toMatch(new RegExp(`Robin|${robin.uid}`, "u"));
});

it("nobody else reads of a request, its correction or who began to pay it", async () => {
  const blake = await shop.person("Blake");
  expect((await list(blake, `payout=${paid}`)).events).toEqual([]);
  for (const { position } of (await list(robin, `payout=${paid}`)).events) {
    const answer = await shop.call("GET", `/api/audit/events/${position}`, { as: blake });
    expect(answer.status).toBe(404);
  }
});

it("the filter of payouts has what happened to a request too, not only what moved money", async () => {
  const types = async (as: TestPerson, query: string) =>
    (await list(as, `payout=${paid}&order=oldest&${query}`)).events.map(({ type }) => type);
  for (const as of [robin, avery]) {
    expect(await types(as, "group=payout")).toEqual([
      "PayoutRequested",
      "PayoutHandleCorrected",
      "PayoutClaimed",
      "PayoutClaimReleased",
      "PayoutClaimed",
      "PayoutPaid",
    ]);
    expect(await types(as, "group=other")).toEqual([]);
  }
});

it("a consignor's amounts are changes of the available balance, so that they sum to it", async () => {
  const { events } = await list(avery, "limit=200");
  expect(events.find(({ type }) => type === "PayoutPaid")?.amount).toBe(0);
  const cents = events.reduce((sum, { amount }) => sum + Math.round((amount ?? 0) * 100), 0);
  expect(cents).toBe(50_000 - 2 * 1_000);
});

it("every handle that a payout's events name leads to it, also one that was replaced", async () => {
  const blake = await personWith(shop, robin, "Blake", 5_000);
  const path = `/api/payouts/${blake.uid}/request`;
  await call(blake, "POST", path, { amount: 10, ...handle("venmo", "@blake-b") });
  await shop.runner.catchUp();
  const found = async (as: TestPerson, text: string) => {
    const { events, understood } = await list(as, `q=${encodeURIComponent(text)}&limit=200`);
    return [understood, [...new Set(events.map(({ about }) => about?.id ?? ""))].toSorted()];
  };
  const both = [paid, pending].toSorted();
  for (const as of [robin, avery]) {
    expect(await found(as, "@mistyped")).toEqual([[expect.stringMatching(/mistyped$/u)], both]);
    expect(await found(as, "$averystone")).toEqual([["Payouts with the handle $averystone"], both]);
  }
  expect(await found(blake, "mistyped")).toEqual([[], []]);
});

it("the payment says the reference of its transfer, to admins and to its consignor", async () => {
  for (const as of [robin, avery]) {
    expect((await open(as, paid, "PayoutPaid")).reference).toBe("#CA-778812");
    expect((await open(as, paid, "PayoutRequested")).reference).toBeNull();
  }
});

it("the reference of a transfer leads to its payout, with its sign or without, to nobody else", async () => {
  const blake = await personWith(shop, robin, "Blair", 5_000);
  const found = async (as: TestPerson, text: string) => {
    const { events, understood } = await list(as, `q=${encodeURIComponent(text)}&limit=200`);
    return [understood, [...new Set(events.map(({ about }) => about?.id))]];
  };
  const words = "Payouts with the transfer reference #CA-778812";
  for (const as of [robin, avery]) {
    expect(await found(as, "#CA-778812")).toEqual([[words], [paid]]);
    expect(await found(as, "ca-778812")).toEqual([[words], [paid]]);
  }
  expect(await found(robin, "CA-778813")).toEqual([[], []]);
  expect(await found(blake, "CA-778812")).toEqual([[], []]);
});

it("a handle that was changed in the database is not shown as the one that was recorded", async () => {
  const { ownerSql } = shop.database;
  await ownerSql`update identity.payout_handles set handle = '@mallory' where handle = '@mistyped'`;
  expect((await open(robin, paid, "PayoutRequested")).handle).toBe("Changed in the database");
  await ownerSql`update identity.payout_handles set handle = '@mistyped' where handle = '@mallory'`;
});

it("an erased handle is said to be erased", async () => {
  await call(avery, "DELETE", pathOf(pending));
  await call(robin, "PUT", `/api/sales/balance/${avery.uid}`, { balance: 0, reason: "Left" });
  await call(robin, "DELETE", `/api/auth/users/${avery.uid}`);
  await shop.runner.catchUp();
  expect((await open(robin, paid, "PayoutRequested")).handle).toBe("Erased");
  expect(await changesIn(robin, pending, "PayoutHandleCorrected")).toEqual([
    { field: "Handle", before: "Erased", after: "Erased" },
  ]);
});
