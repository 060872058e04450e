// The till's days over HTTP: payments by tender from the ledger, a count as an event, and what a later change does to it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { noteChecks } from "#identity/note-check.ts";
import { toCents } from "#ledger/money.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { fieldsOf, openSaleShop, saleIdOf, saleOf, statusesOf } from "#testing/shop/sale-shop.ts";
import type { Fields, ItemOwner, SaleShop } from "#testing/shop/sale-shop.ts";
import { refoldEachKey } from "#testing/shop/refold-each-key.ts";
import { batchesOf } from "#testing/service/batches-of.ts";
import type { TestAnswer } from "#testing/service/test-app.ts";
import { events, projections, streams } from "../../features.ts";
import { tillChecks } from "#features/till/checks.ts";
import { tillDaysResponse } from "#features/till/contract.ts";
import { closeTillDay } from "#features/till/decider.ts";
import { exportClosings } from "#features/till/exports.ts";
import { tillClosingsProjection } from "#features/till/projection.ts";

let books: SaleShop;
let owner: ItemOwner;

beforeAll(async () => {
  books = await openSaleShop();
  owner = await books.consignorWith(50);
});

afterAll(() => books.close());

const today = "2026-11-21";

/** One lamp at the till for $10.00 and $0.83 tax. */
async function sold(tender: string | undefined, given: Fields = {}): Promise<string> {
  const paid = tender === undefined ? {} : { tender };
  const price = { salePrice: 10, salesTax: 0.83, shippingCost: 0, quantitySold: 1 };
  const answer = await books.record(saleOf(owner, { ...price, channel: "pos", ...paid, ...given }));
  expect(answer.status).toBe(200);
  return saleIdOf(answer);
}

async function dayNow(day = today): Promise<Fields> {
  const answer = await books.shop.call("GET", `/api/till/day?day=${day}`, { as: books.admin });
  expect(answer.status).toBe(200);
  return fieldsOf(answer);
}

const counted = { day: today, openingAmount: 100, countedAmount: 100, note: "Change was short" };

function close(body: Fields, headers: Record<string, string> = {}): Promise<TestAnswer> {
  return books.shop.call("POST", "/api/till/days", { as: books.admin, body, headers });
}

test("a day's payments are the till's sales and refunds by tender, with tax, as they are after corrections", async () => {
  await sold("cash");
  const refunded = await sold("cash");
  const corrected = await sold("card");
  await sold(undefined);
  await sold("other", { soldAt: "2026-11-20T10:00:00Z" });
  await sold(undefined, { channel: "online" });
  const custom = { consignorID: owner.person.uid, itemName: "Cable lot", amount: 19.99 };
  const body = { ...custom, soldAt: `${today}T10:00:00Z` };
  await books.shop.call("POST", "/api/sales/custom", { as: books.admin, body });
  const back = { quantity: 1, restock: true, reason: "Broken", tender: "card" };
  expect((await books.refund(refunded, back)).status).toBe(200);
  expect((await books.correct(corrected, { salePrice: 20 })).status).toBe(200);
  expect(await dayNow()).toMatchObject({
    day: today,
    today,
    version: 0,
    leftBefore: null,
    closing: null,
    payments: [
      { tender: "cash", soldAmount: 21.66, refundedAmount: 0 },
      { tender: "card", soldAmount: 20.83, refundedAmount: 10.83 },
      { tender: "other", soldAmount: 0, refundedAmount: 0 },
      { tender: null, soldAmount: 10.83, refundedAmount: 0 },
    ],
    // The online sale and the custom one.
    elsewhere: { sales: 2, soldAmount: 30.82, refundedAmount: 0 },
  });
  // Each amount opens exactly its sales.
  const { from, to } = await dayNow();
  for (const [paidBy, cents] of Object.entries({
    cash: 2166,
    card: 2083,
    other: 0,
    unsaid: 1083,
  })) {
    const query = new URLSearchParams({ from: String(from), to: String(to), paidBy });
    const totals = await books.shop.call("GET", `/api/sales/totals?${query}`, { as: books.admin });
    const { salePrice, salesTax, refundedAmount } = Object(fieldsOf(totals)["totals"]);
    // The list has the sold price before refunds, and the tax after them.
    const backTax = refundedAmount > 0 ? 0.83 : 0;
    expect([paidBy, toCents(salePrice) + toCents(salesTax) + toCents(backTax)]).toEqual([
      paidBy,
      cents,
    ]);
  }
  expect((await dayNow("2026-11-20"))["payments"]).toMatchObject([
    { tender: "cash", soldAmount: 0 },
    { tender: "card", soldAmount: 0 },
    { tender: "other", soldAmount: 10.83 },
  ]);
});

test("a count is kept with what was expected, moves no balance, and is answered once per key", async () => {
  const before = await books.balanceOf(owner);
  const key = { "Idempotency-Key": "count-1" };
  const body = {
    ...counted,
    paidOutAmount: 5,
    countedAmount: 116,
    leftAmount: 100,
    expectedAmount: 116.66,
    expectedVersion: 0,
    note: "Bought tape",
  };
  const answer = await close(body, key);
  expect(answer).toMatchObject({
    status: 200,
    body: { message: "Day closed", version: 1, expectedAmount: 116.66, differenceAmount: -0.66 },
  });
  expect((await close(body, key)).body).toEqual(answer.body);
  expect(await books.balanceOf(owner)).toBe(before);
  expect(await dayNow()).toMatchObject({
    version: 1,
    closing: {
      expectedAmount: 116.66,
      countedAmount: 116,
      differenceAmount: -0.66,
      leftAmount: 100,
      note: "Bought tape",
      closedBy: { uid: books.admin.uid },
      isReplaced: false,
    },
  });
  expect(await dayNow("2026-11-22")).toMatchObject({ leftBefore: 100 });
  expect(await books.looseNotes()).toEqual([]);
});

test("a count that differs is refused without a note", async () => {
  for (const note of [undefined, "", "  "]) {
    expect(await close({ ...counted, note })).toMatchObject({
      status: 409,
      body: { error: "note_required", message: "Say in the note why the count differs" },
    });
  }
});

test("a sale after the count leaves the count as it was, and the day can be counted again", async () => {
  await sold("cash");
  const now = await dayNow();
  expect(now["payments"]).toMatchObject([{ tender: "cash", soldAmount: 32.49 }, {}, {}, {}]);
  expect(now["closing"]).toMatchObject({ expectedAmount: 116.66 });
  expect(await close({ ...counted, expectedVersion: 0 })).toMatchObject({
    status: 409,
    body: { error: "day_counted", current: { version: 1 } },
  });
  expect(await close({ ...counted, expectedAmount: 116.66 })).toMatchObject({
    status: 409,
    body: { error: "payments_changed", current: { expectedCents: 13_249 } },
  });
  expect((await close({ ...counted, expectedVersion: 1 })).status).toBe(200);
  const days = await books.shop.call("GET", "/api/till/days", { as: books.admin });
  expect(fieldsOf(days)).toMatchObject({
    closings: [
      { day: today, expectedAmount: 132.49, isReplaced: false },
      { day: today, expectedAmount: 116.66, isReplaced: true },
    ],
    nextBefore: null,
  });
});

test("a wrong tender is corrected for the whole receipt, and the count before stays true", async () => {
  const receiptID = "0f1e2d3c-0000-4000-8000-000000000001";
  const soldAt = "2026-11-18T10:00:00Z";
  const first = await sold("card", { receiptID, soldAt });
  const second = await sold("card", { receiptID, soldAt });
  const countedDay = { ...counted, day: "2026-11-18" };
  expect((await close(countedDay)).status).toBe(200);
  const path = `/api/sales/${first}/tender`;
  const correct = (body: Fields, headers: Record<string, string> = {}) =>
    books.shop.call("PUT", path, { as: books.admin, body, headers });
  const body = { tender: "cash", expectedVersion: 1, reason: "Pressed the wrong key" };
  const key = { "Idempotency-Key": "tender-1" };
  const answer = await correct(body, key);
  expect(answer).toMatchObject({
    status: 200,
    body: { message: "Payment updated", saleID: first, version: 2, sales: 2 },
  });
  expect((await correct(body, key)).body).toEqual(answer.body);
  const both = await Promise.all([
    correct({ tender: "other", expectedVersion: 2 }),
    correct({ tender: "other", expectedVersion: 2 }),
  ]);
  expect(statusesOf(both)).toEqual([200, 409]);
  expect((await correct({ tender: "cash" })).status).toBe(200);
  expect(await books.saleNow(second)).toMatchObject({ tender: "cash", version: 4, corrections: 0 });
  expect(await dayNow("2026-11-18")).toMatchObject({
    payments: [{ tender: "cash", soldAmount: 21.66 }, { tender: "card", soldAmount: 0 }, {}],
    closing: { expectedAmount: 100 },
  });
  const story = await books.shop.call("GET", `/api/sales/${first}/story`, { as: books.admin });
  expect(fieldsOf(story)["entries"]).toMatchObject([
    { title: "Payment corrected", changes: [{ before: "another way", after: "cash" }] },
    { changes: [{ before: "cash", after: "another way" }] },
    { changes: [{ before: "card", after: "cash" }], reason: "Pressed the wrong key" },
    { title: "Sold 1 unit" },
  ]);
  const own = await books.shop.call("GET", `/api/sales/${first}/story`, { as: owner.person });
  expect(fieldsOf(own)["entries"]).toMatchObject([{ title: "Sold 1 unit" }]);
  expect((await books.shop.call("PUT", path, { as: owner.person, body })).status).toBe(403);
  expect((await close({ ...countedDay, openingAmount: 78.34, countedAmount: 100 })).status).toBe(
    200,
  );
});

test("two counts of one day at once: one of them is refused", async () => {
  const body = { day: "2026-11-19", openingAmount: 0, countedAmount: 0, expectedVersion: 0 };
  const answers = await Promise.all([close(body), close(body), close(body)]);
  expect(statusesOf(answers)).toEqual([200, 409, 409]);
});

test("a day that has not begun cannot be counted, and nobody but admins reads or counts days", async () => {
  expect(await close({ ...counted, day: "2026-11-22" })).toMatchObject({
    status: 400,
    body: { error: "day_in_future" },
  });
  expect((await close({ ...counted, day: "2026-02-30" })).status).toBe(400);
  const as = owner.person;
  expect((await books.shop.call("GET", "/api/till/day", { as })).status).toBe(403);
});

type Row = Record<string, unknown>;

/** The rows as a plain fold of the log makes them. */
async function fold(): Promise<Row[]> {
  const logged = await books.shop.deps.sql<
    { position: number; data: Row; actor: string; happened_at: Date }[]
  >`select position, data, actor, happened_at from log.events where type = 'TillDayClosed' order by position`;
  return logged.map(({ position, data, actor, happened_at: at }) => ({
    position,
    day: data["day"],
    begins_at: new Date(String(data["from"])),
    ends_at: new Date(String(data["to"])),
    payments: data["payments"],
    opening_cents: data["openingCents"],
    paid_in_cents: data["paidInCents"],
    paid_out_cents: data["paidOutCents"],
    expected_cents: data["expectedCents"],
    counted_cents: data["countedCents"],
    left_cents: data["leftCents"],
    note_id: data["noteId"],
    closed_by: actor,
    closed_at: at,
  }));
}

test("live, replayed and folded by hand or day by day the counts are the same, and verify finds them right", async () => {
  const { sql } = books.shop.database;
  const rows = () => sql<Row[]>`select * from read.till_closings order by position`;
  const expected = await fold();
  expect(expected).toHaveLength(5);
  expect([...(await rows())]).toEqual(expected);
  await refoldEachKey(sql, tillClosingsProjection, events, 0);
  expect([...(await rows())]).toEqual(expected);
  await rebuildProjection(sql, tillClosingsProjection, { events });
  expect([...(await rows())]).toEqual(expected);
  expect(await problems()).toEqual([]);
});

async function problems() {
  const { sql } = books.shop.database;
  const store = {
    sql,
    events,
    streams,
    projections,
    checks: [...noteChecks, ...tillChecks],
    heads: [],
  };
  return (await verifyBooks({ ...store, withoutReplay: true })).problems;
}

test("verify names a counted day whose payments are not those of the log", async () => {
  const { ledger } = books.shop.deps;
  const wrong = { tender: "cash" as const, soldCents: 1, refundedCents: 0 };
  const none = { openingCents: 0, paidInCents: 0, paidOutCents: 0, countedCents: 1, leftCents: 0 };
  const unchecked = { seenExpectedCents: null, expectedVersion: null, noteId: null };
  const [from, to] = ["2026-11-21T00:00:00.000Z", "2026-11-22T00:00:00.000Z"];
  const happenedAt = "2026-11-21T10:00:00.000Z";
  const given = { day: today, from, to, throughPosition: 10_000, payments: [wrong] };
  await ledger.execute(
    closeTillDay,
    { ...given, ...none, ...unchecked, happenedAt },
    books.under("wrong"),
  );
  const found = await problems();
  expect(found).toHaveLength(3);
  expect(found.every(({ check }) => check === "till")).toBe(true);
  expect(found.map(({ message }) => message)).toContainEqual(
    expect.stringContaining("payments by cash of 1 and refunds of 0 cents, where the log has 3249"),
  );
});

test("the days are listed page by page, whole days only", async () => {
  const page = async (query: string) =>
    fieldsOf(await books.shop.call("GET", `/api/till/days?limit=1${query}`, { as: books.admin }));
  expect(await page("")).toMatchObject({ closings: [{}, {}, {}], nextBefore: today });
  expect(await page(`&before=${today}`)).toMatchObject({
    closings: [{ day: "2026-11-19" }],
    nextBefore: "2026-11-19",
  });
});

test("the counted days are a file with a line for each count", async () => {
  const [days, as] = ["/api/till/days", { as: books.admin }] as const;
  const { body } = await books.shop.call("GET", `${days}/export`, as);
  const [, ...lines] = String(body).trimEnd().split("\r\n");
  const { closings } = tillDaysResponse.parse((await books.shop.call("GET", days, as)).body);
  expect(lines.map((line) => line.split(",").slice(0, 6).toSpliced(1, 3).join())).toEqual(
    closings.map(({ day, expectedAmount: expected, countedAmount }) =>
      [day, expected.toFixed(2), countedAmount.toFixed(2)].join(),
    ),
  );
  const batches = await batchesOf(exportClosings(books.shop.deps.reads, books.shop.deps, 1));
  expect(batches.flat().length).toBe(lines.length);
});

test("a day counted again changes what the next counted day should have begun with, until that is counted again", async () => {
  const count = async (day: string, openingAmount: number, leftAmount: number) => {
    const body = { day, openingAmount, countedAmount: 100, leftAmount, note: "Counted" };
    expect((await close(body)).status).toBe(200);
  };
  const openingOf = async (day: string) => Object((await dayNow(day))["closing"]).newOpening;
  await count("2026-11-10", 100, 100);
  await count("2026-11-12", 100, 60);
  await count("2026-11-13", 50, 50);
  expect(await openingOf("2026-11-12")).toBeNull();
  // Ten dollars less than the day before had left: said so on purpose.
  expect(await openingOf("2026-11-13")).toBeNull();

  await count("2026-11-10", 100, 80);
  expect(await openingOf("2026-11-12")).toEqual({ day: "2026-11-10", amount: 80 });
  expect(await openingOf("2026-11-13")).toBeNull();
  expect(await dayNow("2026-11-12")).toMatchObject({ leftBefore: 80 });
  const { body } = await books.shop.call("GET", "/api/till/days?before=2026-11-14&limit=3", {
    as: books.admin,
  });
  expect(
    Array.from(Object(body).closings, (closing) => Object(closing)).map(
      ({ day, isReplaced, newOpening }) => [day, isReplaced, newOpening?.amount ?? null],
    ),
  ).toEqual([
    ["2026-11-13", false, null],
    ["2026-11-12", false, 80],
    ["2026-11-10", false, null],
    ["2026-11-10", true, null],
  ]);

  await count("2026-11-12", 80, 60);
  expect(await openingOf("2026-11-12")).toBeNull();
  // What it leaves is still the same.
  expect(await openingOf("2026-11-13")).toBeNull();
});

test("verify finds a note of a count that is another text, or gone", async () => {
  const { sql } = books.shop.database;
  const found = async () =>
    (await problems())
      .filter(({ message }) => message.startsWith("note"))
      .map(({ position, message }) => [position, message]);
  const body = { ...counted, day: "2026-11-09", countedAmount: 96, note: "Four dollars short" };
  expect((await close(body)).status).toBe(200);
  const [event] = await sql<{ id: string; position: number }[]>`
    select data ->> 'noteId' as id, position from log.events where data ->> 'day' = ${body.day}`;
  const { id = "", position = 0 } = event ?? {};
  await books.shop.database.ownerSql`
    update identity.notes set text = 'Ten dollars short' where id = ${id}`;
  const message = `note ${id}: it is not the text that its event was recorded with: event ${position}, TillDayClosed`;
  expect(await found()).toEqual([[position, message]]);
  await sql`delete from identity.notes where id = ${id}`;
  const gone = `note ${id} is gone, but who it belongs to was not deleted`;
  expect(await found()).toEqual([[position, gone]]);
});
