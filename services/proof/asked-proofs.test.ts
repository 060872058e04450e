// When the proof of everything runs: after a clock was ahead, and when an admin asks for it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { readProof } from "#features/alerts/proof-now.ts";
import { readHead } from "#ledger/log/read.ts";
import { proofDepsOf } from "#testing/service/proof-deps.ts";
import type { TestApp } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import { proofHealth } from "./health.ts";
import type { BooksProof, NightlyDeps } from "./prove-books.ts";
import { proveBooksIfDue } from "./prove-books.ts";

let shop: TestApp;
let deps: NightlyDeps;
let now = new Date("2026-11-21T10:00:00.000Z");

/** Right books: what a proof finds is not what is tried here. */
async function prove(): Promise<BooksProof> {
  const { position } = await readHead(shop.database.sql);
  const report = { position, problems: [], unlistedProblems: 0, replayedProjections: [] };
  return { report, differences: [] };
}

beforeAll(async () => {
  shop = await openTestApp();
  deps = {
    ...proofDepsOf(shop, { clock: () => now }),
    proofTime: "03:00",
    timeZone: () => Promise.resolve("America/Chicago"),
    prove,
  };
});

afterAll(() => shop.close());

test("one that was made while the clock was ahead keeps no other off, neither tonight's nor one that is asked for", async () => {
  const { sql } = shop.database;
  const real = now;
  now = new Date(real.getTime() + 40 * 86_400_000);
  await sql`update read.proof set asked_at = ${now}`;
  expect(await proveBooksIfDue(deps)).toBe(true);
  now = new Date(real.getTime() + 60_000);
  expect(await proofHealth({ ...deps, sql }).look()).not.toBeNull();
  expect(await proveBooksIfDue(deps)).toBe(true);
  expect(await readProof(sql)).toMatchObject({ provedAt: now, askedAt: null });
  expect(await proveBooksIfDue(deps)).toBe(false);
  await sql`update read.proof set asked_at = ${now}`;
  expect(await proveBooksIfDue(deps)).toBe(true);
  expect(await proveBooksIfDue(deps)).toBe(false);
});

test("who asks while a proof runs gets another one", async () => {
  const { sql } = shop.database;
  await sql`update read.proof set asked_at = ${now}`;
  const askedMeanwhile = {
    ...deps,
    prove: async () => {
      await sql`update read.proof set asked_at = ${new Date(now.getTime() + 1_000)}`;
      return prove();
    },
  };
  expect(await proveBooksIfDue(askedMeanwhile)).toBe(true);
  expect(await proveBooksIfDue(deps)).toBe(true);
  expect(await proveBooksIfDue(deps)).toBe(false);
});
