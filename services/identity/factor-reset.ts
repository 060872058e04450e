// Takes every second factor from somebody who lost them, so that their password signs them in again. Sessions end.
import type { Sql } from "#db/connect.ts";
import { normalEmail } from "#identity/accounts.ts";
import { removeAllFactors } from "#identity/factors.ts";
import { endAllSessions } from "#identity/session-list.ts";

export type FactorReset = {
  readonly removed: number;
  /** Where to write to; null without an address. */
  readonly email: string | null;
};

/** Undefined if there is no such person, or they were deleted. */
export async function resetFactors(
  sql: Sql,
  now: Date,
  uid: string,
): Promise<FactorReset | undefined> {
  return sql.begin(async (transaction) => {
    const [person] = await transaction<{ email: string | null }[]>`
      select email from identity.profiles
      where uid = ${uid} and deactivated_at is null for update`;
    if (person === undefined) {
      return undefined;
    }
    const removed = await removeAllFactors(transaction, uid);
    await endAllSessions(transaction, uid, now);
    return { removed, email: person.email };
  });
}

/** For the operator: the person who signs in with this email, else the one who has verified it. */
export async function findPersonByEmail(sql: Sql, email: string): Promise<string | undefined> {
  const wanted = normalEmail(email);
  const [row] = await sql<{ uid: string }[]>`
    select p.uid from identity.profiles p left join identity.credentials c on c.uid = p.uid
    where p.deactivated_at is null
      and (c.email = ${wanted} or (lower(p.email) = ${wanted} and p.email_verified_at is not null))
    order by (c.email = ${wanted}) is true desc limit 1`;
  return row?.uid;
}
