// The old app's accounts that identity stores, for code that must know whether one waits for a person.
import type { Sql } from "#db/connect.ts";

/** The ids of accounts with this address that nobody has taken over yet; at most 20. */
export async function findWaitingAccounts(sql: Sql, email: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from identity.legacy_users
    where migrated_uid is null and lower(email) = lower(${email})
    order by loaded_at, id limit 20`;
  return rows.map(({ id }) => id);
}
