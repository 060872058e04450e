// Whether an address belongs to an account that somebody was invited to.
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
