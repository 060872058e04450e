// The sample store on a real database: complete, in the past, proved right, and unchanged by a second start.
import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bookChecks, events, projections, streams } from "../services/features.ts";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { testSealed } from "#testing/service/test-secrets.ts";
import { createIdentity } from "#identity/identity.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { readHead } from "#ledger/log/read.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";
import { unexplainedEvents } from "#testing/shop/unexplained-events.ts";
import { loadSampleStore } from "./sample-store.ts";
import type { SampleLoaded, SampleTarget } from "./sample-store.ts";

// Shortly after midnight: anything dated "today" but later in the day would be in the future.
const NOW = new Date("2026-11-21T00:00:30.000Z");
const LATER = new Date("2026-12-01T12:00:00.000Z");

/** What its past must have. It is a tour of the store: a new event may join, but need not. */
const PAST = [
  "BalanceSet",
  "CustomSaleRecorded",
  "ItemAdded",
  "ItemArchived",
  "ItemCountAdjusted",
  "ItemEdited",
  "ItemPriced",
  "ItemRestored",
  "MasterSaleRecorded",
  "MonthClosed",
  "PayoutDeleted",
  "PayoutPaid",
  "PayoutRequested",
  "PayoutReturned",
  "SaleCorrected",
  "SaleRecorded",
  "SaleRefunded",
  "TillDayClosed",
  "TradeCancelled",
  "TradeCompleted",
  "TradeFulfilled",
  "TradeReported",
  "UnitsAllocated",
  "UnitsReceived",
  "UnitsRemoved",
  "UserRoleChanged",
  "UsernameChanged",
];

let database: TestDatabase;
let sql: Sql;
let writerSql: Sql;
let ledger: LedgerWriter;
let first: Extract<SampleLoaded, { kind: "loaded" }>;

function load(now: Date, isOlder = false): Promise<SampleLoaded> {
  const clock = (): Date => now;
  const identity = createIdentity({
    sql,
    logger: pino({ level: "silent" }),
    clock,
    sealed: testSealed,
    mailer: { send: () => Promise.reject(new Error("Nobody is written to here")) },
    google: null,
    discord: null,
  });
  const target: SampleTarget = { ledger, clock, sql, identity };
  const runner = createRunner({ sql, projections, events });
  return loadSampleStore(target, runner, isOlder);
}

beforeAll(async () => {
  database = await readableDatabase();
  ({ sql } = database);
  writerSql = connect(database.appUrl, { applicationName: "sample", maxConnections: 1 });
  ledger = openLedger({ sql: writerSql, streams, events, newId: randomUUID });
  const loaded = await load(NOW);
  if (loaded.kind !== "loaded") {
    throw new Error("An empty store has a sample");
  }
  first = loaded;
}, 240_000);

afterAll(async () => {
  await ledger.close();
  await writerSql.end();
  await database.close();
});

async function availableOf(email: string): Promise<number> {
  const [row] = await sql<{ cents: number }[]>`
    select b.balance_cents as cents from read.balances b
    join identity.profiles p on b.account = log.consignor_available_account(p.uid)
    where p.email = ${email}`;
  return row?.cents ?? 0;
}

describe("the sample store", () => {
  it("has told its people what happened, and left the last days unread", async () => {
    const rows = await sql<{ email: string; told: number; unread: number }[]>`
      select p.email, count(*) as told, count(*) filter (where n.read_at is null) as unread
      from identity.notifications n join identity.profiles p on p.uid = n.uid
      where n.channel = 'in-app' and p.email in ('admin@demo.test', 'avery@demo.test')
      group by p.email order by p.email`;
    expect(rows.map(({ email }) => email)).toEqual(["admin@demo.test", "avery@demo.test"]);
    for (const { told, unread } of rows) {
      expect(unread).toBeGreaterThan(0);
      expect(told).toBeGreaterThan(unread);
      expect(unread).toBeLessThan(20);
    }
  });

  it("has people, goods, months of sales and what else happens in a store", async () => {
    expect(first.alreadyThere).toBe(0);
    const [counts] = await sql<{ people: number; items: number; empty: number; sales: number }[]>`
      select (select count(*) from identity.profiles where role = 'user') as people,
        count(*) filter (where not archived) as items,
        count(*) filter (where not archived and out_of_stock) as empty,
        (select count(*) from read.sales) as sales
      from read.inventory_items`;
    expect(counts?.people).toBe(12);
    expect(counts?.items).toBeGreaterThan(280);
    expect(counts?.items).toBeLessThan(330);
    expect(counts?.empty).toBeGreaterThan(10);
    expect(counts?.sales).toBeGreaterThan(500);
    const types = await sql<{ type: string }[]>`select distinct type from log.events`;
    const there = new Set(types.map(({ type }) => type));
    expect(
      PAST.filter((type) => !there.has(type)),
      "make them in scripts/sample",
    ).toEqual([]);
  });

  it("has no event in a history that its explanation leaves out", async () => {
    expect(await unexplainedEvents(sql)).toEqual([]);
  });

  it("is dated to the half year before, with nothing in the future", async () => {
    const [span] = await sql<{ first: Date; last: Date; late: number }[]>`
      select min(happened_at) as first, max(happened_at) as last,
        count(*) filter (where happened_at > ${NOW}) as late from log.events`;
    expect(span?.late).toBe(0);
    expect(NOW.getTime() - (span?.first.getTime() ?? 0)).toBeGreaterThan(180 * 86_400_000);
    expect(NOW.getTime() - (span?.last.getTime() ?? 0)).toBeLessThan(86_400_000);
  });

  it("leaves Avery money, a paid, a returned and a pending payout, a refund and a correction, and Logan in debt", async () => {
    expect(await availableOf("avery@demo.test")).toBeGreaterThan(10_000);
    expect(await availableOf("logan@demo.test")).toBeLessThan(0);
    const avery = await sql<{ type: string }[]>`
      select distinct e.type from log.events e
      join log.event_streams s on s.position = e.position
      join identity.profiles p on s.stream_id = log.consignor_stream(p.uid)
      where p.email = 'avery@demo.test'`;
    expect(avery.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        "SaleRecorded",
        "SaleRefunded",
        "SaleCorrected",
        "CustomSaleRecorded",
        "PayoutRequested",
        "PayoutPaid",
      ]),
    );
    const payouts = await sql<{ status: string; averys: number }[]>`
      select status, count(*) filter (where p.email = 'avery@demo.test') as averys
      from read.payouts join identity.profiles p on p.uid = consignor_uid
      group by status order by status`;
    expect(payouts.map(({ status }) => status)).toEqual(["deleted", "paid", "pending", "returned"]);
    expect(payouts.find(({ status }) => status === "pending")?.averys).toBe(1);
    expect(payouts.find(({ status }) => status === "returned")?.averys).toBe(1);
  });

  it("suggests the handle of the last payout for the next request", async () => {
    const [used] = await sql<{ handle: string }[]>`
      select h.handle from identity.payout_handles h join identity.profiles p on p.uid = h.uid
      where p.email = 'avery@demo.test' and h.last_used_at is not null`;
    expect(used?.handle).toBe("$AveryStone");
  });

  it("adds nothing at a second start, however much later", async () => {
    const head = await readHead(sql);
    const people = await sql`select * from identity.profiles order by uid`;
    const again = await load(LATER);
    expect(again).toEqual({ kind: "kept" });
    expect(await readHead(sql)).toEqual(head);
    expect([...(await sql`select * from identity.profiles order by uid`)]).toEqual([...people]);
  });

  it("has books that prove right", async () => {
    const report = await verifyBooks({
      sql,
      events,
      streams,
      projections,
      heads: [],
      checks: bookChecks,
    });
    expect(report.problems).toEqual([]);
  });

  it("that was broken off is continued, without what no longer fits it", async () => {
    // As if these two had not been sent: they are sent now, and what they make is there already.
    await database.ownerSql`
      delete from log.command_keys where key in ('sample:loaded', 'sample:item:1', 'sample:refund:1')`;
    const head = await readHead(sql);
    const again = await load(LATER);
    expect(again).toEqual({
      kind: "loaded",
      commands: first.commands,
      alreadyThere: first.commands - 2,
      leftOut: 2,
    });
    expect(await readHead(sql)).toEqual(head);
    expect(await load(LATER)).toEqual({ kind: "kept" });
  });

  it("of an older version stays as it is: a newer sample adds nothing to it", async () => {
    // As that version left it: with no mark, and without a command that this one has.
    await database.ownerSql`
      delete from log.command_keys where key in ('sample:loaded', 'sample:refund:1')`;
    const head = await readHead(sql);
    const keys = async () => (await sql`select key from log.command_keys order by key`).length;
    const before = await keys();
    expect(await load(LATER, true)).toEqual({ kind: "kept" });
    // Only the mark was added.
    expect(await keys()).toBe(before + 1);
    expect(await readHead(sql)).toEqual(head);
    expect(await load(LATER)).toEqual({ kind: "kept" });
  });
});
