// A machine's store is filled before anything works on it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { parseConfig } from "#config";
import { readableDatabase } from "#testing/database/readable-database.ts";
import { startMachine } from "./machine.ts";

test("no deadline, proof or other regular work runs while a store is being filled", async () => {
  const database = await readableDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "machine-"));
  const config = parseConfig({
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATA_DIR: dataDir,
    PROOF_TIME: "off",
  });
  const working: string[] = [];
  try {
    const started = startMachine(config, pino({ level: "silent" }), {
      prepare: ({ boss }) => {
        working.push(...boss.getWipData().map(({ name }) => name));
        return Promise.reject(new Error("The filling has looked around"));
      },
    });
    await expect(started).rejects.toThrow("The filling has looked around");
    expect(working).toEqual([]);
  } finally {
    await rm(dataDir, { recursive: true });
    await database.close();
  }
});
