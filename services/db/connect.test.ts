// What every connection brings along, whatever the role's own settings are.
import { expect, test } from "vitest";
import { connect } from "#db/connect.ts";
import { testDatabase } from "#testing/database/test-database.ts";

test("a statement's time is what the program says, not what somebody set for its role", async () => {
  const database = await testDatabase();
  const { sql } = database;
  const [at] = await sql<{ role: string; name: string }[]>`
    select current_user as role, current_database() as name`;
  await sql.unsafe(
    `alter role "${at?.role}" in database "${at?.name}" set statement_timeout = '5ms'`,
  );
  const slow = async (statementTimeoutMs?: number) => {
    const options = statementTimeoutMs === undefined ? {} : { statementTimeoutMs };
    const pool = connect(database.appUrl, { applicationName: "timed", ...options });
    const [asked] = await Promise.allSettled([pool`select pg_sleep(0.05)`]);
    await pool.end({ timeout: 5 });
    return asked.status;
  };
  expect(await slow()).toBe("fulfilled");
  expect(await slow(10_000)).toBe("fulfilled");
  expect(await slow(10)).toBe("rejected");
  await database.close();
});

test("no statement is compiled, on servers that would compile it too", async () => {
  const database = await testDatabase();
  const [at] = await database.sql<{ name: string }[]>`select current_database() as name`;
  await database.ownerSql.unsafe(`alter database "${at?.name}" set jit = on`);
  const pool = connect(database.appUrl, { applicationName: "compiled" });
  const [row] = await pool<{ jit: string }[]>`select current_setting('jit') as jit`;
  await pool.end({ timeout: 5 });
  expect(row?.jit).toBe("off");
  await database.close();
});
