// A shown table that gets no further or has lost a part is one alert until it moves again; one that is late or new is none.
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { events, projections } from "../features.ts";
import { setBalance } from "#features/accounts/decider.ts";
import type { AlertsResponse } from "#features/alerts/contract.ts";
import { readLive } from "#ledger/projection/generation.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { StuckTables } from "#ledger/projection/stuck-tables.ts";
import type { TestApp, TestPerson } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import { createAlerting } from "./alerting.ts";
import type { StalledDeps, Stalling } from "./stalled-tables.ts";
import { followStalledTables, LOOKS_UNTIL_STALLED } from "./stalled-tables.ts";

let shop: TestApp;
let boss: TestPerson;
let avery: TestPerson;
let deps: StalledDeps;
let spoilt = "";

beforeAll(async () => {
  shop = await openTestApp();
  boss = await shop.person("Boss", "admin");
  avery = await shop.person("Avery");
  await pay(1000);
  await shop.runner.catchUp();
  const { sql } = shop.database;
  const { ledger, clock, readEvent } = shop.deps;
  const logger = pino({ level: "silent" });
  const alerting = createAlerting({ sql, readEvent, ledger, clock, logger, queueLetter: null });
  deps = { sql, readEvent, projections, events, alerting };
  spoilt = `read.balances_g${(await readLive(sql, "balances"))?.generation}`;
  await sql`update read.projections set flipped_at = now() - interval '1 day'`;
});

afterAll(async () => {
  await shop.close();
});

async function pay(balanceCents: number): Promise<void> {
  const happenedAt = shop.deps.clock().toISOString();
  const command = { uid: avery.uid, balanceCents, expectedCents: null, noteId: null, happenedAt };
  const key = shop.deps.newId();
  const context = { actor: "system:test", scope: "store", key, requestHash: "" };
  expect(await shop.deps.ledger.execute(setBalance, command, context)).toMatchObject({
    kind: "accepted",
  });
}

const feed = () => createRunner({ sql: shop.database.sql, projections, events }).catchUp();

async function look(times: number, from: Stalling = new Map()): Promise<Stalling> {
  let stalling = from;
  for (let done = 0; done < times; done += 1) {
    stalling = await followStalledTables(deps, stalling);
  }
  return stalling;
}

async function alerts(): Promise<AlertsResponse> {
  return (await shop.call("GET", "/api/alerts", { as: boss })).body as AlertsResponse;
}

test("tables that are a little late, or are filled for the first time, are no alert", async () => {
  const { sql } = shop.database;
  await pay(2000);
  const late = await look(LOOKS_UNTIL_STALLED - 1);
  await feed();
  await look(1, late);
  await sql`
    update read.projections set position = 0, flipped_at = now() + interval '1 second'
    where name = 'payouts' and state = 'live'`;
  await look(LOOKS_UNTIL_STALLED);
  await feed();
  await sql`update read.projections set flipped_at = now() - interval '1 day'`;
  expect(await alerts()).toEqual({ open: [], resolved: [] });
});

test("tables whose step fails as a whole are one alert, on whichever worker, until they move", async () => {
  const { ownerSql } = shop.database;
  await ownerSql.unsafe(`alter table ${spoilt} rename column balance_cents to spoilt`);
  await pay(3000);
  await expect(feed()).rejects.toThrow(StuckTables);
  await look(LOOKS_UNTIL_STALLED + 2);
  await expect(feed()).rejects.toThrow(StuckTables);
  await look(LOOKS_UNTIL_STALLED);
  const { open } = await alerts();
  expect(open).toMatchObject([
    {
      kind: "stalled",
      description: "The tables of balances get no further, or a part of them is missing",
      advice: expect.stringContaining("rebuild balances"),
    },
  ]);

  await ownerSql.unsafe(`alter table ${spoilt} rename column spoilt to balance_cents`);
  await feed();
  await look(1);
  expect(await alerts()).toMatchObject({ open: [], resolved: [{ kind: "stalled" }] });
});

test("tables that lost their row or a part are one alert each, also where nothing is written, until both are back", async () => {
  const { sql, ownerSql } = shop.database;
  const keys = async () => (await alerts()).open.map(({ key }) => key);
  const payouts = `payouts_g${(await readLive(sql, "payouts"))?.generation}`;
  await feed();
  await ownerSql.unsafe(`
    create table read.lost_row as
      select * from read.projections where name = 'balances' and state = 'live';
    delete from read.projections where name = 'balances' and state = 'live';
    alter table read.${payouts} rename to lost_table`);
  const early = await look(LOOKS_UNTIL_STALLED - 1);
  expect(await keys()).toEqual([]);
  const stalling = await look(2, early);
  expect(await keys()).toEqual(["stalled:balances", "stalled:payouts"]);

  await ownerSql.unsafe(`
    insert into read.projections select * from read.lost_row;
    alter table read.lost_table rename to ${payouts}`);
  await feed();
  await look(1, stalling);
  expect(await keys()).toEqual([]);
});
