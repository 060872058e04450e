// A person who starts an older store in a terminal reads how far its upgrade is, also where the log says only warnings.
import { pino } from "pino";
import { expect, test } from "vitest";
import { readableDatabase } from "#testing/database/readable-database.ts";
import { upgradeStore } from "./store-parts.ts";

test("an upgrade tells which migrations were applied, and when each read table begins and is shown", async () => {
  const database = await readableDatabase();
  try {
    await database.sql`update read.projections set version = version + 1 where name = 'payouts'`;
    const logger = pino({ level: "silent" });
    const lines: string[] = [];
    const upgrade = (migrated: readonly string[]) =>
      upgradeStore({ migrated }, database.sql, logger, { tell: (line) => void lines.push(line) });
    expect(await upgrade(["0099_one", "0100_two"])).toMatchObject({ rebuilt: ["payouts"] });
    expect(lines).toEqual([
      "the schema was migrated (2 migrations, 0099_one to 0100_two)",
      expect.stringMatching(
        /^the read tables of payouts \(version \d+, 1 of 1\) are built again from \d+ events; this process serves nothing until then$/u,
      ),
      expect.stringMatching(
        /^the read tables of payouts .+ were built again in .+ s and are shown now$/u,
      ),
    ]);
    lines.length = 0;
    await upgrade([]);
    expect(lines).toEqual([]);
  } finally {
    await database.close();
  }
});
