// What is erased of the security log with a person: rows about them, and who they were where they acted on others. That
// somebody else saved their data stays: it has no name and no address of theirs, and erasing must not hide it.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { createReservationKeys } from "#identity/reservation-keys.ts";

/** Of the row `l`: somebody else saved a file with this person's data, with an address that is not this person's. */
export function savedByAnother(sql: Sql | TransactionSql) {
  return sql`(l.kind = 'exported' and coalesce(l.by_uid, l.uid) <> l.uid)`;
}

/** In the transaction that erases the person. The addresses are all that the person ever had here. */
export async function forgetNotes(
  transaction: TransactionSql,
  uid: string,
  addresses: readonly string[],
): Promise<void> {
  const keys = createReservationKeys(transaction);
  const hashes = await Promise.all(addresses.map((address) => keys.keyOf("typed-email", address)));
  await transaction`
    delete from security.log l
    where (l.uid = ${uid} and not ${savedByAnother(transaction)}) or l.email_hash = any(${hashes}::text[])`;
  await transaction`
    update security.log set by_uid = null, network = 'none', address = null, user_agent = null
    where by_uid = ${uid}`;
}

/** Rows about people who are being erased, written by requests that were running at the time. */
export async function forgetLateNotes(sql: Sql): Promise<void> {
  await sql`
    delete from security.log l using identity.erasures e
    where e.purged_at is null and l.uid = e.uid and not ${savedByAnother(sql)}`;
  await sql`
    update security.log l set by_uid = null, network = 'none', address = null, user_agent = null
    from identity.erasures e where e.purged_at is null and l.by_uid = e.uid`;
}
