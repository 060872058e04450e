// The worker's parts start together or not at all, and end within a limit.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { parseConfig } from "#config";
import { openStore } from "./open-store.ts";
import { startWorker } from "./start-worker.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";

test("if the last part of the worker cannot start, the parts before it end; it can be started again, and ends though the database is blocked", async () => {
  const database = await readableDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "start-worker-"));
  const { ownerSql } = database;
  const store = await openStore({
    config: parseConfig({
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      DATA_DIR: dataDir,
      PROOF_TIME: "off",
    }),
    logger: pino({ level: "silent" }),
    name: "start-worker-test",
    works: true,
  });
  try {
    await ownerSql.unsafe(`
      create function public.refuse_queue() returns trigger language plpgsql as
        $$ begin raise 'no queue for the proof'; end $$;
      create trigger refuse_queue before insert on pgboss.queue
        for each row when (new.name = 'prove-accounts') execute function public.refuse_queue()`);
    await expect(startWorker(store)).rejects.toThrow("no queue for the proof");
    expect(store.boss.getWipData()).toEqual([]);
    await ownerSql`drop trigger refuse_queue on pgboss.queue`;
    // A clock that was ahead when the queue was used last: until then, no schedule would run.
    await ownerSql`update pgboss.version set cron_on = now() + interval '40 days'`;
    const worker = await startWorker(store);
    await expect
      .poll(() => ownerSql`select cron_on <= now() as is_past from pgboss.version`)
      .toEqual([{ is_past: true }]);
    expect(store.boss.getWipData().map(({ name }) => name)).toContain("prove-accounts");
    await worker.close();
    expect(store.boss.getWipData()).toEqual([]);

    // Every part waits for a statement that gets no answer.
    const stuck = await startWorker(store, undefined, 200);
    await ownerSql.begin(async (blocking) => {
      await blocking`lock table read.projections in access exclusive mode`;
      await expect
        .poll(() => database.sql`select from pg_locks where not granted`, { timeout: 10_000 })
        .not.toEqual([]);
      await stuck.close();
      await store.close();
    });
  } finally {
    await store.close();
    await rm(dataDir, { recursive: true });
    await database.close();
  }
});
