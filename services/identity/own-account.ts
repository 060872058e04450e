// How one person can sign in: their verified address, their password, and their linked providers.
import type { Sql, TransactionSql } from "#db/connect.ts";
import { normalEmail } from "#identity/accounts.ts";
import { lockProfile } from "#identity/lock-order.ts";
import { endOtherSessions } from "#identity/session-list.ts";

export type OwnAccount = {
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly hasPassword: boolean;
  /** Since when each provider has an account linked to this one. */
  readonly providers: readonly { readonly issuer: string; readonly linkedAt: Date }[];
  /** Those that the person unlinked, and has not allowed again. */
  readonly unlinked: readonly { readonly issuer: string; readonly unlinkedAt: Date }[];
};

const MAX_PROVIDERS = 20;

export async function readOwnAccount(sql: Sql | TransactionSql, uid: string): Promise<OwnAccount> {
  const [[profile], providers, unlinked] = await Promise.all([
    sql<{ email: string | null; email_verified: boolean; has_password: boolean }[]>`
      select p.email, p.email_verified_at is not null as email_verified,
        c.uid is not null as has_password
      from identity.profiles p left join identity.credentials c on c.uid = p.uid
      where p.uid = ${uid}`,
    sql<{ issuer: string; linkedAt: Date }[]>`
      select issuer, min(linked_at) as "linkedAt" from identity.issuer_subjects
      where uid = ${uid} group by issuer order by min(linked_at), issuer limit ${MAX_PROVIDERS}`,
    sql<{ issuer: string; unlinkedAt: Date }[]>`
      select issuer, unlinked_at as "unlinkedAt" from identity.unlinked_providers
      where uid = ${uid} order by unlinked_at, issuer limit ${MAX_PROVIDERS}`,
  ]);
  return {
    email: profile?.email ?? null,
    emailVerified: profile?.email_verified ?? false,
    hasPassword: profile?.has_password ?? false,
    providers,
    unlinked,
  };
}

export type PasswordLink =
  | { readonly kind: "linked"; readonly email: string }
  | {
      readonly kind: "refused";
      readonly code:
        | "email_missing"
        | "email_not_verified"
        | "email_has_password"
        | "provider_already_linked";
    };

/**
 * Gives somebody who signs in another way a password for their own verified email. `hash` is called only once
 * everything else is checked.
 */
export async function linkPassword(
  sql: Sql,
  now: Date,
  uid: string,
  hash: () => Promise<string>,
): Promise<PasswordLink> {
  const account = await readOwnAccount(sql, uid);
  const email = normalEmail(account.email ?? "");
  if (account.hasPassword) {
    return { kind: "refused", code: "provider_already_linked" };
  }
  if (email === "") {
    return { kind: "refused", code: "email_missing" };
  }
  // An unverified address may belong to somebody else, who would then find it taken.
  if (!account.emailVerified) {
    return { kind: "refused", code: "email_not_verified" };
  }
  const passwordHash = await hash();
  const inserted = await sql.begin(async (transaction) => {
    // Somebody who is erased at the same time gets no password.
    await lockProfile(transaction, uid);
    return transaction`
      insert into identity.credentials (uid, email, password_hash, updated_at)
      select uid, ${email}, ${passwordHash}, ${now} from identity.profiles
      where uid = ${uid} and lower(email) = ${email} and email_verified_at is not null
        and deactivated_at is null
      on conflict do nothing`;
  });
  if (inserted.count > 0) {
    return { kind: "linked", email };
  }
  const isOwn = (await readOwnAccount(sql, uid)).hasPassword;
  return { kind: "refused", code: isOwn ? "provider_already_linked" : "email_has_password" };
}

export type PasswordChange = {
  readonly uid: string;
  /** The session that stays; null if it is not one of ours. */
  readonly sessionId: string | null;
  readonly oldHash: string;
  readonly newHash: string;
};

/**
 * Sets a new password and ends every other session and every sign-in under way. Returns how many sessions it ended;
 * undefined if the password was changed in the meantime.
 */
export async function changePassword(
  sql: Sql,
  now: Date,
  { uid, sessionId, oldHash, newHash }: PasswordChange,
): Promise<number | undefined> {
  return sql.begin(async (transaction) => {
    await lockProfile(transaction, uid);
    const changed = await transaction`
      update identity.credentials set password_hash = ${newHash}, updated_at = ${now}
      where uid = ${uid} and password_hash = ${oldHash}`;
    if (changed.count === 0) {
      return undefined;
    }
    await transaction`delete from identity.mail_links where uid = ${uid} and purpose = 'reset-password'`;
    return endOtherSessions(transaction, uid, sessionId, now);
  });
}
