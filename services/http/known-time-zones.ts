// Time zones that the store can have: Node.js and PostgreSQL each bring their own list, and both have to know the name.
import type { Sql } from "#db/connect.ts";
import { isTimeZone } from "#http/time-zones.ts";
import { codeOf } from "#ledger/log/failure.ts";

/** What PostgreSQL says of a time zone that it does not know. */
export const NO_SUCH_ZONE = "22023";

/** For a name that `isTimeZone` accepts. */
export async function isKnownToPostgres(sql: Sql, name: string): Promise<boolean> {
  try {
    await sql`select now() at time zone ${name}`;
    return true;
  } catch (error) {
    if (codeOf(error) === NO_SUCH_ZONE) {
      return false;
    }
    throw error;
  }
}

/** Without names such as US/Central, which stand for one of these. */
const REGIONAL =
  "^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)/|^UTC$";

/** The names to choose from, older and newer ones, in order. They are read once: PostgreSQL looks into 600 files. */
export function createTimeZoneNames(sql: Sql): () => Promise<readonly string[]> {
  let names: Promise<readonly string[]> | undefined;
  return () => {
    names ??= readNames(sql).catch((error: unknown) => {
      names = undefined;
      throw error;
    });
    return names;
  };
}

async function readNames(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from pg_catalog.pg_timezone_names where name ~ ${REGIONAL}
    order by name collate "C" limit 2000`;
  return rows.map(({ name }) => name).filter(isTimeZone);
}
