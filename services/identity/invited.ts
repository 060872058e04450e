// Whether an address belongs to an account that somebody was invited to, and the end of an invitation.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { lockProfile } from "#identity/lock-order.ts";
import { hashOf } from "#identity/secrets.ts";

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
