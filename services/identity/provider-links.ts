// Ends the links to other providers that somebody who had the account, or its old address, may have made.
import type { TransactionSql } from "postgres";
import { hashOf } from "#identity/secrets.ts";

/**
 * Those to accounts with this verified address stay; they would be linked anew by it anyway. So does every link of
 * somebody without a password, who could not sign in any more.
 */
export async function endLinksToOthers(
  transaction: TransactionSql,
  uid: string,
  email: string,
): Promise<void> {
  await transaction`
    delete from identity.issuer_subjects
    where uid = ${uid} and email_hash is distinct from ${hashOf(email)}
      and exists (select from identity.credentials where uid = ${uid})`;
}
