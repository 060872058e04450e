// Whether an address belongs to an account that somebody was invited to, and the end of an invitation.
import type { Sql, TransactionSql } from "#db/connect.ts";
import { hashOf } from "#identity/secrets.ts";

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
  await transaction`delete from identity.mail_links where uid = ${uid} and purpose = 'invitation'`;
  const ended = await transaction`delete from identity.invitations where uid = ${uid}`;
  return ended.count === 1;
}
