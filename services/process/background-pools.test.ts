// The connections of background work, as PostgreSQL sees them.
import { expect, test } from "vitest";
import type { Sql } from "#db/connect.ts";
import { connect } from "#db/connect.ts";
import { openBackgroundPools } from "#process/background-pools.ts";
import { testDatabase } from "#testing/database/test-database.ts";

async function commitOf(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ commit: string }[]>`
    select current_setting('synchronous_commit') as commit`;
  return row?.commit;
}

test("a rebuild's commits do not wait for the disk, where everybody else's do", async () => {
  await using parts = new AsyncDisposableStack();
  const database = await testDatabase();
  parts.defer(database.close);
  // The server of the tests lets no commit wait; that of a store does.
  await database.ownerSql.unsafe(`alter database ${database.name} set synchronous_commit = on`);
  const workSql = connect(database.appUrl, { applicationName: "work", maxConnections: 1 });
  parts.defer(() => workSql.end({ timeout: 5 }));
  const { appUrl } = database;
  const { pools, gentle } = openBackgroundPools(
    parts,
    { appUrl, isEmbedded: true },
    { name: "test", workSql, requestTimeoutMs: 1_000 },
  );
  expect(await commitOf(pools.rebuildSql)).toBe("off");
  expect(await commitOf(gentle.sql)).toBe("on");
  expect(await commitOf(workSql)).toBe("on");
});
