// Workers hear of a commit, and lost, doubled or failed wake-ups do no harm.
import type { PgBoss } from "pg-boss";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { closeBoss, openBoss } from "#jobs/boss.ts";
import { createWaker, ensureWakeUpQueue, onWake } from "#jobs/wake-up.ts";
import type { WakeUpListener } from "#jobs/wake-up.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";

const logger = pino({ level: "silent" });
const neverMs = 3_600_000;
let database: TestDatabase;
let worker: PgBoss;
let sender: PgBoss;
let listener: WakeUpListener | undefined;

beforeAll(async () => {
  database = await testDatabase();
  worker = await open("worker");
  sender = await open("sender");
  await ensureWakeUpQueue(worker);
});

afterEach(async () => {
  await listener?.stop();
  await database.sql`delete from pgboss.job`;
});

afterAll(async () => {
  await closeBoss(sender);
  await closeBoss(worker);
  await database.close();
});

test("a worker hears of wake-ups long before its own timer", async () => {
  const runs = countedRuns();
  listener = await onWake(worker, runs.handler, { logger, timerMs: neverMs });
  await runs.reached(1);
  const waker = createWaker(sender, { logger });
  const startedAt = performance.now();
  for (let run = 2; run <= 17; run += 1) {
    waker.wake();
    await runs.reached(run);
  }
  // With polling, each except the first would take two seconds. Half of that is plenty for a notification, even on a
  // slow machine.
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  await waker.close();
});

test("many wake-ups at once become one or two jobs", async () => {
  const waker = createWaker(sender, { logger });
  for (let asked = 0; asked < 1_000; asked += 1) {
    waker.wake();
  }
  await waker.close();
  const [row] = await database.sql<{ jobs: number }[]>`select count(*) as jobs from pgboss.job`;
  expect(row?.jobs).toBe(1);
});

test("a process that does the work itself is called at once, and others still get a job", async () => {
  const runs = countedRuns();
  listener = await onWake(worker, runs.handler, { logger, timerMs: neverMs });
  await runs.reached(1);
  let calls = 0;
  const waker = createWaker(sender, { logger, leisureMs: neverMs });
  const stopCalling = waker.callHere(() => {
    calls += 1;
  });
  waker.wake();
  expect(calls).toBe(1);
  waker.wake();
  expect(calls).toBe(2);
  await runs.reached(2);
  stopCalling();
  waker.wake();
  expect(calls).toBe(2);
  await waker.close();
});

test("a wake-up that comes while the worker is busy leads to one more run", async () => {
  const runs = countedRuns();
  const release = Promise.withResolvers<void>();
  listener = await onWake(
    worker,
    async () => {
      await runs.handler();
      await (runs.count() === 2 ? release.promise : undefined);
    },
    { logger, timerMs: neverMs },
  );
  await runs.reached(1);
  const waker = createWaker(sender, { logger });
  waker.wake();
  await runs.reached(2);
  const second = createWaker(sender, { logger });
  second.wake();
  await second.close();
  expect(runs.count()).toBe(2);
  release.resolve();
  await runs.reached(3);
  await waker.close();
});

test("stopping waits for a run that a commit in this process started", async () => {
  const runs = countedRuns();
  const release = Promise.withResolvers<void>();
  const done: string[] = [];
  const stopping = await onWake(
    worker,
    async () => {
      await runs.handler();
      if (runs.count() === 2) {
        await release.promise;
        done.push("the run");
      }
    },
    { logger, timerMs: neverMs },
  );
  await runs.reached(1);
  stopping.nudge();
  await runs.reached(2);
  const stopped = stopping.stop().then(() => done.push("stopping"));
  // Stopping a second listener takes as long as stopping the first one, apart from its run.
  const other = await onWake(worker, () => Promise.resolve(), { logger, timerMs: neverMs });
  await other.stop();
  release.resolve();
  await stopped;
  expect(done).toEqual(["the run", "stopping"]);
});

test("without any wake-up the worker runs by its timer, also after a failure", async () => {
  const runs = countedRuns();
  listener = await onWake(
    worker,
    async () => {
      await runs.handler();
      throw new Error("The database is away");
    },
    { logger, timerMs: 10 },
  );
  await runs.reached(3);
  expect(await database.sql`select 1 from pgboss.job`).toHaveLength(0);
});

test("a wake-up that cannot be sent is logged once and does no harm", async () => {
  const lines: string[] = [];
  const closed = await open("sender");
  await closeBoss(closed);
  const waker = createWaker(closed, {
    logger: pino({ level: "warn" }, { write: (line) => lines.push(line) }),
    intervalMs: 0,
  });
  waker.wake();
  await waker.close();
  expect(lines).toEqual([expect.stringContaining("could not be sent")]);
});

test("while the database is away, each cause is logged once a minute, not at every poll", async () => {
  const lines: string[] = [];
  const boss = await openBoss({
    url: database.appUrl,
    applicationName: "test-outage",
    role: "sender",
    logger: pino({ level: "warn" }, { write: (line: string) => void lines.push(line) }),
  });
  for (const code of ["ECONNREFUSED", "57P03", "ECONNREFUSED", "57P03", "ECONNREFUSED"]) {
    boss.emit("error", Object.assign(new Error(`failed with ${code}`), { code }));
  }
  await closeBoss(boss);
  expect(lines).toEqual([
    expect.stringContaining("ECONNREFUSED"),
    expect.stringContaining("57P03"),
  ]);
});

test("two processes that start at once make the queue once", async () => {
  const fresh = await testDatabase();
  try {
    const bosses = await Promise.all([open("worker", fresh), open("worker", fresh)]);
    await Promise.all(bosses.map((boss) => ensureWakeUpQueue(boss)));
    const queues = await bosses[0].getQueues();
    expect(queues.filter(({ name }) => name === "catch-up")).toHaveLength(1);
    await Promise.all(bosses.map((boss) => closeBoss(boss)));
  } finally {
    await fresh.close();
  }
});

function open(role: "sender" | "worker", where = database): Promise<PgBoss> {
  return openBoss({ url: where.appUrl, applicationName: `test-${role}`, role, logger });
}

/** A handler that counts its runs, and lets a test wait for the n-th. */
function countedRuns() {
  let count = 0;
  const waiting = new Map<number, () => void>();
  return {
    count: () => count,
    handler: () => {
      count += 1;
      waiting.get(count)?.();
      return Promise.resolve();
    },
    reached: (wanted: number) =>
      count >= wanted
        ? Promise.resolve()
        : new Promise<void>((resolve) => {
            waiting.set(wanted, resolve);
          }),
  };
}
