// A store closes within a limit, whatever its database does.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { parseConfig } from "#config";
import { addLamp } from "#testing/backup/copied-rows.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";
import { openStore } from "./open-store.ts";

test("a store closes though a command waits behind a lock that nobody gives up, and says how many got no answer", async () => {
  const database = await readableDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "open-store-"));
  const said: unknown[] = [];
  const store = await openStore({
    config: parseConfig({
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      DATA_DIR: dataDir,
    }),
    logger: pino({ level: "warn" }, { write: (line) => said.push(JSON.parse(line)) }),
    name: "open-store-test",
    works: false,
    closesWithinMs: 200,
  });
  try {
    await database.ownerSql.begin(async (blocking) => {
      await blocking`lock table log.events, log.streams in access exclusive mode`;
      // The first is in a batch of its own when the second comes. They fail when the writer gives up its connection.
      void Promise.allSettled([addLamp(store), addLamp(store)]);
      await expect
        .poll(() => database.sql`select from pg_locks where not granted`, { timeout: 10_000 })
        .not.toEqual([]);
      await store.close();
      expect(said).toContainEqual(expect.objectContaining({ commands: 2 }));
    });
  } finally {
    await store.close();
    await rm(dataDir, { recursive: true });
    await database.close();
  }
});
