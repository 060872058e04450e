// A table's file of a back-up has all of its bytes, or the back-up fails.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MORE_THAN_FITS, runWithLimitedFiles } from "#testing/service/limited-files.ts";

test("a back-up fails where the disk takes only a part of a file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ledger-table-file-"));
  // Random bytes do not become fewer when they are compressed.
  const said = await runWithLimitedFiles(`
    import { randomBytes } from "node:crypto";
    import { Readable } from "node:stream";
    import { writeTable } from "#db/backup/table-file.ts";
    const rows = Readable.from([randomBytes(${MORE_THAN_FITS})]);
    const transaction = { unsafe: () => ({ readable: async () => rows }) };
    const table = { schema: "log", table: "events", name: "log.events", columns: ["id"], where: null };
    const options = { folder: ${JSON.stringify(folder)}, run: 1, key: null, signal: AbortSignal.timeout(60_000) };
    console.log(await writeTable(transaction, table, options).catch(({ code }) => code));`);
  expect(said).toBe("EFBIG\n");
  expect((await readdir(folder)).filter((name) => !name.endsWith(".part"))).toEqual([]);
  await rm(folder, { recursive: true });
});
