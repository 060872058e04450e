// Failures of a queue's work are in the process's log: when they begin, when a job is given up, and when it works again.
import type { PgBoss } from "pg-boss";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeBoss, ensureQueue, openBoss } from "#jobs/boss.ts";
import { workOn } from "#jobs/work-on.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";

const queue = "letters";
const lines: unknown[] = [];
const logger = pino(
  { base: null, timestamp: false },
  { write: (line: string) => lines.push(JSON.parse(line)) },
);
let database: TestDatabase;
let boss: PgBoss;

beforeAll(async () => {
  database = await testDatabase();
  const url = database.appUrl;
  boss = await openBoss({ url, applicationName: "work-on", role: "sender", logger });
});

afterAll(async () => {
  await closeBoss(boss);
  await database.close();
});

test("a failure of a job is one line until the work succeeds, and another one when the job is given up", async () => {
  await ensureQueue(boss, { name: queue, policy: "standard", retryLimit: 2, retryDelay: 0 });
  let isAway = true;
  const stop = await workOn(
    { boss, logger },
    {
      queue,
      pollingIntervalSeconds: 0.5,
      failure: "a letter could not be sent",
      retryLimit: 2,
      ending: null,
      work: () => (isAway ? Promise.reject(new Error("no server")) : Promise.resolve()),
    },
  );
  await boss.send(queue);
  await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(2);
  isAway = false;
  await boss.send(queue);
  await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(3);
  await stop();
  const failure = { level: 50, queue, err: { message: "no server" } };
  expect(lines).toMatchObject([
    { ...failure, msg: "a letter could not be sent; it is tried again" },
    { ...failure, msg: "a letter could not be sent; that was its last try" },
    { level: 30, queue, msg: "works again (before: a letter could not be sent)" },
  ]);
});
