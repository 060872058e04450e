// The worker's parts start together or not at all.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { parseConfig } from "#config";
import { openStore } from "./open-store.ts";
import { startWorker } from "./start-worker.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";

test("if the last part of the worker cannot start, the parts before it end, and it can be started again", async () => {
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
    const worker = await startWorker(store);
    expect(store.boss.getWipData().map(({ name }) => name)).toContain("prove-accounts");
    await worker.close();
    expect(store.boss.getWipData()).toEqual([]);
  } finally {
    await store.close();
    await rm(dataDir, { recursive: true });
    await database.close();
  }
});
