// The heartbeat is sent only while every check is well, to the address alone, and does not wait for long.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseConfig } from "#config";
import { events, projections } from "../features.ts";
import { raiseAlert, resolveAlert } from "#features/alerts/decider.ts";
import type { Letter } from "#mail/letter.ts";
import type { TestApp } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";
import { sendAlertLetter } from "./alert-letters.ts";
import type { HealthCheck } from "./health.ts";
import { proofHealth, workerHealth } from "./health.ts";
import { beat } from "./heartbeat.ts";
import { observeProof } from "./proof-metrics.ts";
import { workerCheck } from "#http/worker-check.ts";
import { createMetrics } from "#http/metrics.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";

const logger = pino({ level: "silent" });
const HOUR_MS = 3_600_000;

let calls: string[] = [];
const server = createServer((request, response) => {
  calls.push(request.url ?? "");
  if (request.url === "/moved") {
    response.writeHead(302, { Location: "/elsewhere" });
  }
  response.end();
});
let shop: TestApp;
let base = "";
let checks: readonly HealthCheck[];
let now = new Date("2026-11-21T10:00:00.000Z");

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  shop = await openTestApp();
  await shop.person("Avery", "admin");
  await shop.runner.catchUp();
  const { sql } = shop.database;
  const parts = { sql, readEvent: createReadEvent(events), clock: () => now };
  checks = [workerHealth({ ...parts, projections }), proofHealth({ ...parts, proofTime: "03:00" })];
});

afterAll(async () => {
  server.close();
  await shop.close();
});

beforeEach(async () => {
  calls = [];
  await shop.database.sql`
    update read.proof set pass_at = ${now}, proved_at = ${now}, position = 1, findings = 0`;
});

const send = (path = "/beat") => beat({ url: `${base}${path}`, checks, logger });
const alert = (decider: typeof raiseAlert) =>
  shop.deps.ledger.execute(
    decider,
    {
      key: "drift:balances:x",
      kind: "drift",
      subject: "balances",
      rowKey: "x",
      count: 1,
      atPosition: 3,
      happenedAt: now.toISOString(),
    },
    { actor: "system:test", scope: "test", key: shop.deps.newId(), requestHash: "" },
  );

describe("the heartbeat", () => {
  test("is sent while all is well", async () => {
    expect(await send()).toBe(true);
    expect(calls).toEqual(["/beat"]);
  });

  test("follows no redirect", async () => {
    expect(await send("/moved")).toBe(false);
    expect(calls).toEqual(["/moved"]);
  });

  test("is not sent when the last proof is too old, or accounts are not proved", async () => {
    const { sql } = shop.database;
    await sql`update read.proof set proved_at = ${new Date(now.getTime() - 27 * HOUR_MS)}`;
    expect(await send()).toBe(false);
    await sql`update read.proof set proved_at = ${now}, pass_at = ${new Date(now.getTime() - HOUR_MS)}`;
    expect(await send()).toBe(false);
    expect(calls).toEqual([]);
  });

  test("is not sent while the read tables are not fed, but while they are filled for the first time", async () => {
    const { sql, ownerSql } = shop.database;
    // The test's database is a copy of one that may have been made a while ago.
    await sql`
      update read.projections set position = 0, flipped_at = now()
      where name = 'payouts' and state = 'live'`;
    await ownerSql`update log.events set recorded_at = now() - interval '2 minutes' where position = 1`;
    expect(await send(), "the table is newer than the event that it lacks").toBe(true);
    await sql`
      update read.projections set flipped_at = now() - interval '1 hour'
      where name = 'payouts' and state = 'live'`;
    expect(await send()).toBe(false);
    await sql`update read.projections set position = 1 where name = 'payouts' and state = 'live'`;
    expect(await send()).toBe(true);
  });

  test("is not sent while a shown table is missing", async () => {
    const { ownerSql } = shop.database;
    const rename = (from: string, to: string) =>
      ownerSql.unsafe(`alter table read.${from} rename to ${to}`);
    await rename("payouts_g1", "lost");
    expect(await send()).toBe(false);
    await rename("lost", "payouts_g1");
    expect(await send()).toBe(true);
  });

  test("is not sent while the proof's finding is open", async () => {
    await alert(raiseAlert);
    expect(await send()).toBe(false);
  });

  test("goes to https addresses, or to this machine", () => {
    const given = (HEARTBEAT_URL: string) => () => parseConfig({ HEARTBEAT_URL });
    expect(given("http://monitor.example/x")).toThrow("HEARTBEAT_URL: must be https");
    expect(given("https://monitor.example/x")().heartbeatUrl).toBe("https://monitor.example/x");
    expect(given("http://127.0.0.1:9/x")().heartbeatUrl).toBe("http://127.0.0.1:9/x");
  });
});

test("/readyz names a silent worker", async () => {
  const { sql } = shop.database;
  const look = () => workerCheck(sql).look();
  expect(await look()).toEqual({
    state: "warning",
    message: "No worker is running: lists are no longer updated",
  });
  await sql`
    insert into read.processes (id, name, host, pid, started_at, seen_at, doing)
    values (gen_random_uuid(), 'api', 'here', 1, now(), now(), '[]'),
      (gen_random_uuid(), 'worker', 'there', 2, now(), now(), '[]')`;
  expect(await look()).toMatchObject({ state: "ok" });
  await sql`update read.processes set seen_at = now() - interval '90 seconds' where name = 'worker'`;
  expect(await look()).toMatchObject({
    state: "warning",
    message: expect.stringMatching(/^No worker has reported for 9\d s/u),
  });
});

describe("an open alert", () => {
  test("is in one letter with what to do, until somebody acknowledges it", async () => {
    const { sql } = shop.database;
    const { mailer } = shop.deps.identity.parts;
    const ids: (string | undefined)[] = [];
    const letterDeps = {
      sql,
      readEvent: createReadEvent(events),
      mailer: {
        send: (letter: Letter, id?: string) => {
          ids.push(id);
          return mailer.send(letter, id);
        },
      },
      to: "owner@store.test",
      appUrl: () => "http://app.test",
    };
    await sendAlertLetter(letterDeps, "one");
    await sendAlertLetter(letterDeps, "one");
    await sendAlertLetter(letterDeps, "another");
    const [first, again, another] = ids;
    expect(first).toMatch(/^[0-9a-f]{24}$/u);
    expect([again === first, another === first]).toEqual([true, false]);
    expect(shop.letters.at(-1)).toMatchObject({
      to: "owner@store.test",
      subject: "An alert is open",
      paragraphs: [expect.stringContaining("A row of balances differs from the log")],
    });
    const admin = await shop.person("Boss", "admin");
    const body = { key: "drift:balances:x" };
    const acknowledge = () => shop.call("POST", "/api/alerts/acknowledge", { as: admin, body });
    expect(await acknowledge()).toMatchObject({ status: 200 });
    expect((await shop.call("GET", "/api/alerts", { as: admin })).body).toMatchObject({
      open: [{ kind: "drift", acknowledgedBy: "Boss" }],
    });
    const sent = shop.letters.length;
    await sendAlertLetter(letterDeps, "one");
    expect(shop.letters).toHaveLength(sent);
  });

  test("is in the metrics, with the age of the proof", async () => {
    const metrics = createMetrics();
    observeProof(metrics.registry, {
      sql: shop.database.sql,
      clock: () => now,
      config: { proofTime: "03:00" },
    });
    now = new Date(now.getTime() + 90_000);
    const text = await metrics.registry.metrics();
    expect(text).toContain('ledger_alerts_open{kind="drift"} 1');
    expect(text).toContain('ledger_alerts_open{kind="backup"} 0');
    expect(text).toContain("ledger_payout_holds 0");
    expect(text).toContain("ledger_proof_age_seconds 90");
  });

  test("is listed as resolved once it is over, and cannot be acknowledged any more", async () => {
    await alert(resolveAlert);
    const admin = await shop.person("Later", "admin");
    expect((await shop.call("GET", "/api/alerts", { as: admin })).body).toMatchObject({
      open: [],
      resolved: [{ key: "drift:balances:x", acknowledgedBy: "Boss" }],
    });
    const body = { key: "drift:balances:x" };
    expect(await shop.call("POST", "/api/alerts/acknowledge", { as: admin, body })).toMatchObject({
      status: 404,
      body: { error: "alert_not_open" },
    });
  });
});
