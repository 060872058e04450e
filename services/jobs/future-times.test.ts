// A clock that was ahead and was set back keeps no schedule and no job waiting until the time that it had.
import type { PgBoss } from "pg-boss";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { closeBoss, ensureQueue, openBoss } from "#jobs/boss.ts";
import { bringBackToNow } from "#jobs/future-times.ts";
import { steadyClock } from "#jobs/steady-clock.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { testDatabase } from "#testing/database/test-database.ts";

let database: TestDatabase;
let boss: PgBoss;

beforeAll(async () => {
  database = await testDatabase();
  const logger = pino({ level: "silent" });
  boss = await openBoss({
    url: database.appUrl,
    applicationName: "future",
    role: "sender",
    logger,
  });
  await ensureQueue(boss, { name: "each-minute", policy: "short" });
});

afterAll(async () => {
  await closeBoss(boss);
  await database.close();
});

test("nothing changes where no time lies ahead", async () => {
  await boss.send("each-minute", {}, { startAfter: 3_600 });
  expect(await bringBackToNow(database.sql)).toBe(0);
  await boss.deleteAllJobs("each-minute");
});

test("schedules, passes over queues, and jobs that wait or run are brought back", async () => {
  const { sql } = database;
  await boss.send("each-minute", {});
  await sql.unsafe(`
    update pgboss.version set cron_on = now() + interval '40 days', flow_on = now() - interval '1 hour';
    update pgboss.queue set maintain_on = now() + interval '1 day' where name = 'each-minute';
    update pgboss.job set created_on = now() + interval '40 days', start_after = now() + interval '40 days'`);
  // Only one may wait in this queue, so until that one's time has come there is no other.
  expect(await boss.send("each-minute", {})).toBeNull();
  expect(await boss.fetch("each-minute")).toEqual([]);
  expect(await bringBackToNow(sql)).toBe(3);
  const [row] = await sql`
    select cron_on <= now() as is_past, flow_on < now() - interval '59 minutes' as is_kept
    from pgboss.version`;
  expect(row).toEqual({ is_past: true, is_kept: true });
  expect(await boss.fetch("each-minute")).toHaveLength(1);
  await sql`update pgboss.job set started_on = now() + interval '40 days' where state = 'active'`;
  expect(await bringBackToNow(sql)).toBe(1);
  expect(await bringBackToNow(sql)).toBe(0);
});

test("what the queue waits for is not moved by the machine's clock", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const before = steadyClock.now();
    vi.setSystemTime(Date.now() - 40 * 86_400_000);
    const passed = steadyClock.now() - before;
    expect(passed).toBeGreaterThanOrEqual(0);
    expect(passed).toBeLessThan(10_000);
  } finally {
    vi.useRealTimers();
  }
});
