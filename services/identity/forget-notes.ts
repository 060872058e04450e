// What is erased of the security log with a person: rows about them, and who they were where they acted on others. That
// somebody else saved their data stays, and what they saved and became as an admin: without a name and an address of theirs.
// Erasing a person must not hide what was done by them or to them.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { createReservationKeys } from "#identity/reservation-keys.ts";

/** Every event about who is an admin extends this stream. */
const ADMINS = "admins";

/**
 * Of the row `l`: somebody else saved a file with this person's data, with an address that is not this person's; or the person
 * was an admin, and the row says what they saved or who changed their role.
 */
export function staysAfterErasure(sql: Sql | TransactionSql) {
  return sql`((l.kind = 'exported' and coalesce(l.by_uid, l.uid) <> l.uid)
    or (l.kind in ('exported', 'role-changed') and exists (
      select from log.event_streams own
      join log.event_streams admins on admins.position = own.position and admins.stream_id = ${ADMINS}
      where own.stream_id = log.user_stream(l.uid))))`;
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
    where (l.uid = ${uid} and not ${staysAfterErasure(transaction)}) or l.email_hash = any(${hashes}::text[])`;
  await transaction`
    update security.log set by_uid = null, network = 'none', address = null, user_agent = null
    where by_uid = ${uid} or (uid = ${uid} and by_uid is null)`;
}

/** Rows about people who are being erased, written by requests that were running at the time. */
export async function forgetLateNotes(sql: Sql): Promise<void> {
  await sql`
    delete from security.log l using identity.erasures e
    where e.purged_at is null and l.uid = e.uid and not ${staysAfterErasure(sql)}`;
  await sql`
    update security.log l set by_uid = null, network = 'none', address = null, user_agent = null
    from identity.erasures e
    where e.purged_at is null and (l.by_uid = e.uid or (
      l.uid = e.uid and l.by_uid is null and (l.network <> 'none' or l.address is not null or l.user_agent is not null)))`;
}
