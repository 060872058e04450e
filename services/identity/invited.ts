// Whether an address belongs to an account that somebody was invited to, and the end of an invitation.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { hashOf } from "#identity/secrets.ts";

/**
 * Whoever gives this address to an account waits here for others who do: each sees the account of the one before.
 * Held until the transaction ends. What concerns an invitation is locked in one order, so that no two transactions wait
 * for each other: the address, the profile, its links, its invitation.
 */
export async function lockAddress(transaction: TransactionSql, email: string): Promise<void> {
  await transaction`select pg_advisory_xact_lock(hashtextextended(${`invitation:${email}`}, 0))`;
}

/** Held until the transaction ends. */
export async function lockProfile(sql: Sql | TransactionSql, uid: string): Promise<void> {
  await sql`select from identity.profiles where uid = ${uid} for update`;
}

/** Whether an account's invitation is open. In a transaction, none can begin until it ends. */
export async function isInvited(sql: Sql | TransactionSql, uid: string): Promise<boolean> {
  await lockProfile(sql, uid);
  const [row] = await sql`select from identity.invitations where uid = ${uid}`;
  return row !== undefined;
}

/** The invited account with this address. */
export async function findInvited(
  sql: Sql | TransactionSql,
  email: string,
): Promise<string | undefined> {
  const [row] = await sql<{ uid: string }[]>`
    select uid from identity.invitations where email_hash = ${hashOf(email)}`;
  return row?.uid;
}

/** Ends the links and frees the address: revoked, or the account has a way to sign in by now. False if there was none. */
export async function endInvitation(transaction: TransactionSql, uid: string): Promise<boolean> {
  await lockProfile(transaction, uid);
  await transaction`delete from identity.mail_links where uid = ${uid} and purpose = 'invitation'`;
  const ended = await transaction`delete from identity.invitations where uid = ${uid}`;
  return ended.count === 1;
}
