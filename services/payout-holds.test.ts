// A poison event in the middle of load: only its account's payouts are held, all others go on, and a repair leaves nothing.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bookChecks, events, projections, streams } from "./features.ts";
import { placeHolds } from "#features/holds/place-holds.ts";
import { HOLDS, holdsStream } from "#features/holds/streams.ts";
import { PayoutRequested } from "#features/payouts/events.ts";
import { payoutStream } from "#features/payouts/streams.ts";
import { requestPayout } from "#features/payouts/decider.ts";
import type { EventDefinition } from "#ledger/event.ts";
import { defineEvent } from "#ledger/event.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { readState } from "#ledger/log/read-state.ts";
import { refoldHeld } from "#ledger/projection/refold.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import type { Shape } from "#testing/shop/older-events.ts";
import { writingShapes } from "#testing/shop/older-events.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

/** A request of version 1 whose amount is a word. */
const POISON: Shape = {
  schemaVersion: 1,
  dataOf: (data) => {
    const { handleHash: _hash, ...first } = Object(data) as Record<string, unknown>;
    return { ...first, amountCents: "twenty" };
  },
};

/** The next program, which can read it. */
const repairing: ReadonlyMap<string, EventDefinition> = new Map([
  ...events,
  [
    PayoutRequested.type,
    defineEvent("PayoutRequested", 2, PayoutRequested.schema, {
      1: (data) => ({ ...Object(data), amountCents: 2000, handleHash: null }),
    }),
  ],
]);

let shop: TestApp;
let boss: TestPerson;
let people: readonly TestPerson[];
let avery: TestPerson;
let blake: TestPerson;

const payout = { amount: 3, method: "venmo", paymentUsername: "@somebody" };

function request(person: TestPerson) {
  return shop.call("POST", `/api/payouts/${person.uid}/request`, { as: person, body: payout });
}

async function sell(consignor: TestPerson, itemName: string) {
  const body = { consignorID: consignor.uid, itemName, amount: 100 };
  return shop.call("POST", "/api/sales/custom", { as: boss, body });
}

const holdDeps = () => ({ ...shop.deps, projections });

const openHolds = async () => (await readState(shop.deps, holdsStream, HOLDS)).open;

/** Avery's request for $20.00 as a broken program wrote it. */
async function writePoison(): Promise<void> {
  const ledger = openLedger({
    sql: shop.database.sql,
    // That program's states are of another version, so this one folds the stream again.
    streams: new Map([
      ...streams,
      ["payout", { ...payoutStream, stateVersion: 0, evolve: () => payoutStream.initial }],
    ]),
    events,
    newId: () => crypto.randomUUID(),
  });
  const command = {
    payoutId: poisoned,
    consignorId: avery.uid,
    amountCents: 2000,
    method: "venmo" as const,
    handleId: "00000000-0000-4000-8000-000000000009",
    handleHash: "9".repeat(64),
    happenedAt: shop.deps.clock().toISOString(),
  };
  const written = await writingShapes(ledger, () => new Map([["PayoutRequested", POISON]])).execute(
    requestPayout,
    command,
    { actor: avery.uid, scope: "store", key: "poison", requestHash: "ab".repeat(32) },
  );
  expect(written.kind).toBe("accepted");
  await ledger.close();
}

const poisoned = "00000000-0000-4000-8000-000000000666";

beforeAll(async () => {
  shop = await openTestApp();
  boss = await shop.person("Boss", "admin");
  avery = await shop.person("Avery");
  blake = await shop.person("Blake");
  people = [blake, await shop.person("Casey"), await shop.person("Drew")];
  await Promise.all([avery, ...people].map((person) => sell(person, "Lamp")));
});

afterAll(() => shop.close());

describe("a poison event in the middle of load", () => {
  test("holds back only its account, while everybody else sells and is paid", async () => {
    const load = async (person: TestPerson) => {
      for (let round = 0; round < 5; round += 1) {
        expect((await sell(person, `Rug ${round}`)).status).toBeLessThan(300);
        expect((await request(person)).status).toBe(200);
      }
    };
    const [first, ...others] = people;
    await Promise.all([
      ...others.map(load),
      writePoison(),
      first === undefined ? undefined : load(first),
    ]);
    await shop.runner.catchUp();
    await placeHolds(holdDeps());
    // Her request, and the lines of her ledger, which read the event too.
    expect(await openHolds()).toMatchObject([
      { uid: avery.uid, cause: "row", projection: "account_history", rowKey: avery.uid },
      { uid: avery.uid, cause: "row", projection: "payouts", rowKey: poisoned },
    ]);
    expect(await request(avery)).toMatchObject({ status: 409, body: { error: "payouts_held" } });
    for (const person of people) {
      expect((await request(person)).status).toBe(200);
    }
  });

  test("its reference names projection, generation, row key and position", async () => {
    const [row] = await shop.database.sql<{ position: number; generation: number }[]>`
      select at_position as position, generation from read.quarantine
      where projection = 'payouts'`;
    expect((await openHolds())[1]?.reference).toBe(
      `hold:payouts:${row?.generation}:${poisoned}:${row?.position}`,
    );
  });

  test("commands on its own stream are refused by name, and the rest of the account goes on", async () => {
    const paid = await shop.call("PATCH", `/api/payouts/${avery.uid}/${poisoned}/paid`, {
      as: boss,
    });
    expect(paid).toMatchObject({ status: 503, body: { error: "stream_unreadable" } });
    expect((await sell(avery, "Chair")).status).toBeLessThan(300);
  });

  test("the consignor reads a plain reason, admins read what it is about, others read nothing", async () => {
    const holds = (of: TestPerson, as: TestPerson) =>
      shop.call("GET", `/api/payouts/${of.uid}/holds`, { as });
    expect((await holds(avery, avery)).body).toMatchObject({
      isHeld: true,
      message: expect.stringContaining("on hold"),
      holds: [],
    });
    expect((await holds(avery, boss)).body).toMatchObject({
      holds: [
        { consignorID: avery.uid, description: expect.stringContaining("account_history") },
        { consignorID: avery.uid, description: expect.stringContaining("payouts") },
      ],
    });
    expect((await holds(blake, blake)).body).toMatchObject({ isHeld: false, message: null });
    expect(await holds(avery, blake)).toMatchObject({ status: 403 });
    expect((await shop.call("GET", "/api/payouts/holds", { as: boss })).body).toMatchObject({
      holds: [{ displayName: "Avery" }, { displayName: "Avery" }],
    });
  });

  test("looking again, in any number of workers, places nothing twice", async () => {
    const before = await shop.database.sql`select count(*) as n from log.events`;
    await Promise.all([placeHolds(holdDeps()), placeHolds(holdDeps())]);
    expect(await shop.database.sql`select count(*) as n from log.events`).toEqual(before);
  });
});

test("an admin lifts one hold with a reason, and it is not placed again", async () => {
  const [first] = await openHolds();
  const body = { consignorID: avery.uid, reference: first?.reference, reason: "Checked by hand" };
  const lift = () => shop.call("POST", "/api/payouts/holds/lift", { as: boss, body });
  expect(await lift()).toMatchObject({ status: 200 });
  expect(await lift()).toMatchObject({ status: 404, body: { error: "hold_not_found" } });
  await placeHolds(holdDeps());
  expect(await openHolds()).toMatchObject([{ projection: "payouts" }]);
  expect(await request(avery)).toMatchObject({ body: { error: "payouts_held" } });
});

test("a repair leaves nothing behind, and a row that is held again later holds its payouts again", async () => {
  const { sql } = shop.database;
  const [held] = await sql`select * from read.quarantine where projection = 'payouts'`;
  expect(await refoldHeld(sql, projections, repairing)).toMatchObject({ failed: [] });
  await placeHolds(holdDeps());
  expect(await openHolds()).toEqual([]);
  expect((await request(avery)).status).toBe(200);
  expect(await sql`select * from read.quarantine`).toEqual([]);
  const report = await verifyBooks({
    sql,
    events: repairing,
    streams,
    projections,
    checks: bookChecks,
    heads: [],
  });
  expect(report.problems.filter(({ check }) => check !== "identity")).toEqual([]);
  // As when the tables from before a switch are shown again.
  for (const _time of ["second", "third"]) {
    await sql`insert into read.quarantine ${sql(held ?? {})}`;
    await placeHolds(holdDeps());
    expect(await openHolds()).toMatchObject([{ uid: avery.uid, projection: "payouts" }]);
    await sql`delete from read.quarantine`;
    await placeHolds(holdDeps());
    expect(await openHolds()).toEqual([]);
  }
});
