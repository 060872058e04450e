// A program that is older than its store proves nothing, raises no alert about the books, and leaves what is due to a newer one.
import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readProof } from "#features/alerts/proof-now.ts";
import { ALERTS, alertsStream } from "#features/alerts/streams.ts";
import { recordCustomSale } from "#features/sales/decider-record.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { readState } from "#ledger/log/read-state.ts";
import type { Problem } from "#ledger/verify/problem.ts";
import { events } from "../features.ts";
import { proofDepsOf } from "#testing/service/proof-deps.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import type { NightlyDeps } from "./prove-books.ts";
import { proveBooksIfDue } from "./prove-books.ts";
import { createAgeCheck, createGate, workWhile } from "./too-old.ts";

let shop: TestApp;
let avery: TestPerson;

beforeAll(async () => {
  shop = await openTestApp();
  avery = await shop.person("avery@store.test", "user");
});

afterAll(() => shop.close());

/** Of a program that does not know custom sales. */
const olderEvents = new Map([...events].filter(([type]) => type !== "CustomSaleRecorded"));

function sell(): Promise<unknown> {
  const context = { actor: "system:test", scope: "store", key: randomUUID(), requestHash: "00" };
  const happenedAt = "2026-11-20T10:00:00.000Z";
  const sale = { saleId: randomUUID(), consignorId: avery.uid, itemName: "Rug", amountCents: 100 };
  return shop.deps.ledger.execute(recordCustomSale, { ...sale, happenedAt }, context);
}

test("is told by the first event that it does not know, as soon as there is one", async () => {
  const { sql } = shop.database;
  const older = createAgeCheck(sql, olderEvents);
  expect(await older.ofEvents()).toBeNull();
  await sell();
  await sell();
  expect(await older.ofEvents()).toMatch(
    /^Event \d+ is CustomSaleRecorded version \d+, which this program does not know$/u,
  );
  expect(await older.ofEvents()).toBe(await older.ofEvents());
  expect(await createAgeCheck(sql, events).ofEvents()).toBeNull();
});

test("is told by a migration that it does not have", async () => {
  const { sql, ownerSql } = shop.database;
  const age = createAgeCheck(sql, events);
  expect(await age.ofSchema()).toBeNull();
  await ownerSql`
    insert into ledger_meta.migrations (number, name, sha256) values (9999, '9999_newer', ${"0".repeat(64)})`;
  expect(await age.ofSchema()).toMatch(/^Migration 9999_newer was applied, but this program/u);
  await ownerSql`delete from ledger_meta.migrations where number = 9999`;
  expect(await age.ofSchema()).toBeNull();
});

test("it says once why it proves nothing, and goes on when it is no longer too old", async () => {
  const logged: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line: string) => void logged.push(line) });
  let why: string | null = "Event 5 is of tomorrow";
  const may = createGate(logger, [() => Promise.resolve(null), () => Promise.resolve(why)]);
  expect([await may(), await may()]).toEqual([false, false]);
  expect(logged).toEqual([expect.stringContaining("Event 5 is of tomorrow")]);
  why = null;
  expect(await may()).toBe(true);
});

test("it takes no jobs that a newer program could do, and takes them again when it may", async () => {
  const acts: string[] = [];
  let mayWork = false;
  const start = () => {
    acts.push("starts");
    return Promise.resolve(() => Promise.resolve(void acts.push("stops")));
  };
  const working = workWhile(() => Promise.resolve(), {
    may: () => Promise.resolve(mayWork),
    start,
    instead: () => Promise.resolve(),
  });
  await working.look();
  expect(acts).toEqual([]);
  mayWork = true;
  await working.look();
  await working.look();
  expect(acts).toEqual(["starts"]);
  mayWork = false;
  await working.look();
  await working.look();
  expect(acts).toEqual(["starts", "stops"]);
  mayWork = true;
  await working.look();
  await working.close();
  expect(acts).toEqual(["starts", "stops", "starts", "stops"]);
});

test("a nightly proof of such a program raises no alert and stays due, unless the published heads differ", async () => {
  const { sql } = shop.database;
  const readEvent = createReadEvent(events);
  const openAlerts = async () => (await readState({ sql, readEvent }, alertsStream, ALERTS)).open;
  const proofWith = (problems: readonly Problem[]): NightlyDeps => ({
    ...proofDepsOf(shop),
    proofTime: "03:00",
    timeZone: () => Promise.resolve("America/Chicago"),
    prove: () =>
      Promise.resolve({
        report: { position: 1, problems, unlistedProblems: 0, replayedProjections: [] },
        differences: [],
      }),
  });
  const tooOld = { check: "program", position: 1, message: "Event 1 is of tomorrow" } as const;
  expect(await proveBooksIfDue(proofWith([tooOld]))).toBe(false);
  expect(await openAlerts()).toEqual([]);
  expect(await readProof(sql)).toMatchObject({ provedAt: null });
  const wrong = {
    check: "balances",
    position: 0,
    message: "The trial balance is not zero",
  } as const;
  expect(await proveBooksIfDue(proofWith([wrong]))).toBe(true);
  await sql`update read.proof set asked_at = now()`;
  // Heads need no knowledge of events. Nothing else was looked at, so nothing is right again.
  const rewritten = { check: "head", position: 1, message: "the log was rewritten" } as const;
  expect(await proveBooksIfDue(proofWith([tooOld, rewritten]))).toBe(false);
  expect((await openAlerts()).map(({ key }) => key).toSorted()).toEqual([
    "books:balances",
    "books:head",
  ]);
  expect(await proveBooksIfDue(proofWith([]))).toBe(true);
  expect(await openAlerts()).toEqual([]);
});
