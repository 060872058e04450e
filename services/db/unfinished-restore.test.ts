// A restore that was killed before its database existed: no start makes a new store in its place.
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "#db/open.ts";
import { unfinishedRestoreIn } from "#db/unfinished-restore.ts";
import { makeEmptyStore } from "#process/empty-store.ts";

test("a start in its folder is refused, and so is another restore until what is left was removed", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "unfinished-restore-"));
  try {
    await writeFile(unfinishedRestoreIn(dataDir), "");
    const start = openDatabase(
      {
        dataDir,
        database: { kind: "embedded" },
        isProduction: false,
        backup: { folder: null, passphrase: null },
      },
      "service",
      () => undefined,
    );
    await expect(start).rejects.toThrow(/^A restore into .* did not end/u);
    expect(await readdir(dataDir)).toEqual(["unfinished-restore"]);
    await mkdir(join(dataDir, "postgres"));
    const again = makeEmptyStore({ dataDir, durability: "test", report: () => undefined });
    await expect(again).rejects.toThrow(
      /did not end, .* Remove .*postgres and .*unfinished-restore/u,
    );
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
