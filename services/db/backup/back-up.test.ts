// A back-up that waits for another one's turn to end can be stopped.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { backUp } from "#db/backup/back-up.ts";
import { testDatabase } from "#testing/database/test-database.ts";

test("a back-up is stopped while it waits for another one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ledger-turn-"));
  const database = await testDatabase();
  const { ownerUrl } = database;
  const usual = { ownerUrl, folder, passphrase: null, clock: () => new Date() };
  const stop = new AbortController();
  const onWaiting = () => stop.abort(new Error("no patience"));
  await backUp({
    ...usual,
    onSnapshot: async () => {
      const waiting = backUp({ ...usual, onWaiting, signal: stop.signal });
      await expect(waiting).rejects.toThrow("no patience");
    },
  });
  await database.close();
  await rm(folder, { recursive: true });
});
