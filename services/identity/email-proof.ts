// What opening a letter's link changes: an address is verified, or a password is reset and every session ends.
import type { Sql, TransactionSql } from "#db/connect.ts";
import { normalEmail } from "#identity/accounts.ts";
import { forgetStranger } from "#identity/forget-stranger.ts";
import { useMailLink } from "#identity/mail-links.ts";
import { endLinksToOthers } from "#identity/provider-links.ts";
import { hashOf } from "#identity/secrets.ts";
import { endAllSessions } from "#identity/session-list.ts";

export type Verification =
  | { readonly kind: "verified"; readonly email: string }
  | { readonly kind: "invalid" }
  /** Another person has already verified the same address. */
  | { readonly kind: "taken" };

/** Verifies the address that the link was sent to, if it is still the person's. */
export async function verifyEmail(sql: Sql, now: Date, token: string): Promise<Verification> {
  try {
    return await sql.begin(async (transaction) => {
      const link = await useMailLink(transaction, now, "verify-email", token);
      if (link === undefined) {
        return { kind: "invalid" };
      }
      const [profile] = await transaction<{ email: string | null }[]>`
        select email from identity.profiles
        where uid = ${link.uid} and deactivated_at is null`;
      const email = normalEmail(profile?.email ?? "");
      if (email === "" || !hashOf(email).equals(link.emailHash)) {
        return { kind: "invalid" };
      }
      await transaction`
        update identity.profiles set email_verified_at = coalesce(email_verified_at, ${now})
        where uid = ${link.uid}`;
      return { kind: "verified", email };
    });
  } catch (error) {
    if (isProvenElsewhere(error)) {
      return { kind: "taken" };
    }
    throw error;
  }
}

/**
 * Sets a new password, and ends every session and the links to providers with another address. The letter verifies the address, so an account that a stranger signed
 * up with it now belongs to the owner. Returns the email; undefined for an invalid link.
 */
export async function resetPassword(
  sql: Sql,
  now: Date,
  token: string,
  passwordHash: string,
): Promise<string | undefined> {
  return sql
    .begin(async (transaction) => {
      const link = await useMailLink(transaction, now, "reset-password", token);
      if (link === undefined) {
        return undefined;
      }
      await endAllSessions(transaction, link.uid, now);
      const [account] = await transaction<{ email: string }[]>`
      update identity.credentials c set password_hash = ${passwordHash}, updated_at = ${now}
      from identity.profiles p
      where c.uid = ${link.uid} and p.uid = c.uid and p.deactivated_at is null
      returning c.email`;
      if (account === undefined || !hashOf(account.email).equals(link.emailHash)) {
        throw new StaleLink("The link was sent to an address that has changed");
      }
      await forgetStranger(transaction, now, link.uid);
      await endLinksToOthers(transaction, link.uid, account.email);
      await markProven(transaction, now, link.uid, account.email);
      return account.email;
    })
    .catch((error: unknown) => {
      if (error instanceof StaleLink) {
        return undefined;
      }
      throw error;
    });
}

/** Rolls its transaction back. */
class StaleLink extends Error {}

/** Unless the profile has another address by now, or somebody else has verified this one. */
async function markProven(
  transaction: TransactionSql,
  now: Date,
  uid: string,
  email: string,
): Promise<void> {
  try {
    await transaction.savepoint(
      (inner) => inner`
        update identity.profiles set email_verified_at = ${now}
        where uid = ${uid} and lower(email) = ${email} and email_verified_at is null`,
    );
  } catch (error) {
    if (!isProvenElsewhere(error)) {
      throw error;
    }
  }
}

function isProvenElsewhere(error: unknown): boolean {
  return (
    error instanceof Error && Reflect.get(error, "constraint_name") === "profiles_verified_email"
  );
}
