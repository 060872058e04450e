// The one order in which rows about a person are locked, so that no two transactions wait for each other.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";

/*
 * Whoever writes or locks more than one row about a person in a transaction takes the address first (if accounts are
 * found by it), then the profile, then whatever refers to the profile: links, invitation, password, sessions, second
 * factors. The erasure locks the profile and then deletes all of these, and while it waits, so does every writer of the
 * log. A single statement that writes a row which refers to the profile needs no lock: the erasure passes it.
 */

/** Whoever gives this address to an account waits here for others who do: each sees the account of the one before. */
export async function lockAddress(transaction: TransactionSql, email: string): Promise<void> {
  await transaction`select pg_advisory_xact_lock(hashtextextended(${`invitation:${email}`}, 0))`;
}

/** Held until the transaction ends. */
export async function lockProfile(sql: Sql | TransactionSql, uid: string): Promise<void> {
  await sql`select from identity.profiles where uid = ${uid} for update`;
}
