// Accounts that an admin made for somebody: nobody can sign in until the person opens the letter's link or proves the address elsewhere.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { newUid } from "#identity/accounts.ts";
import { endInvitation } from "#identity/invited.ts";
import { lockAddress, lockProfile } from "#identity/lock-order.ts";
import { findMailLink, lastLinkEnd, useMailLink } from "#identity/mail-links.ts";
import { hashOf } from "#identity/secrets.ts";
import { findUser } from "#identity/users.ts";

export type Invitation = {
  readonly uid: string;
  readonly invitedBy: string;
  readonly invitedAt: Date;
  /** Null if no letter could be sent. */
  readonly sentAt: Date | null;
  /** When the last link ends; null if none works. */
  readonly expiresAt: Date | null;
  /** The store was restored since: an admin may have revoked it after the back-up. */
  readonly mayBeRevoked: boolean;
};

type NewInvitation = {
  /** In lower case. */
  readonly email: string;
  readonly invitedBy: string;
};

/**
 * Nobody could sign in to an invited account, so only a restore ends its sign-ins (`restored-sign-ins.ts`). Of the
 * invitation `i` and its profile `p`.
 */
function mayBeRevoked(sql: Sql | TransactionSql) {
  return sql`coalesce(p.sessions_ended_at > greatest(i.invited_at, i.sent_at), false)`;
}

/** The account that has this address already, invited or not; undefined if it is free. */
async function findHolder(transaction: TransactionSql, email: string): Promise<string | undefined> {
  const [row] = await transaction<{ uid: string }[]>`
    select uid from identity.credentials where email = ${email}
    union all select uid from identity.profiles where lower(email) = ${email} and deactivated_at is null
    union all select uid from identity.invitations where email_hash = ${hashOf(email)}
    limit 1`;
  return row?.uid;
}

/** Makes the account that somebody is invited to. `taken`: an account has this address already. */
export async function createInvited(
  sql: Sql,
  now: Date,
  { email, invitedBy, displayName }: NewInvitation & { readonly displayName: string | null },
): Promise<{ readonly kind: "created" | "taken"; readonly uid: string }> {
  return sql.begin(async (transaction) => {
    await lockAddress(transaction, email);
    const holder = await findHolder(transaction, email);
    if (holder !== undefined) {
      return { kind: "taken", uid: holder };
    }
    const uid = newUid();
    await transaction`
      insert into identity.profiles (uid, email, display_name, created_at)
      values (${uid}, ${email}, ${displayName}, ${now})`;
    await inviteIn(transaction, now, uid, { email, invitedBy });
    return { kind: "created", uid };
  });
}

async function inviteIn(
  transaction: TransactionSql,
  now: Date,
  uid: string,
  { email, invitedBy }: NewInvitation,
): Promise<void> {
  await transaction`
    insert into identity.invitations (uid, email_hash, invited_by, invited_at)
    values (${uid}, ${hashOf(email)}, ${invitedBy}, ${now})
    on conflict (uid) do update
    set email_hash = excluded.email_hash, invited_by = excluded.invited_by,
      invited_at = excluded.invited_at`;
}

/**
 * Invites the person of an account without a way to sign in, or again. `taken`: another account has the address;
 * `changed`: the person's address is another one by now.
 */
export async function inviteAgain(
  sql: Sql,
  now: Date,
  uid: string,
  invited: NewInvitation,
): Promise<"invited" | "taken" | "changed" | "is-admin"> {
  return sql.begin(async (transaction) => {
    await lockAddress(transaction, invited.email);
    const [profile] = await transaction`
      select from identity.profiles where uid = ${uid} and lower(email) = ${invited.email} for update`;
    if (profile === undefined) {
      return "changed";
    }
    // A letter's link must not lead to an admin's rights.
    if ((await findUser(transaction, uid))?.role === "admin") {
      return "is-admin";
    }
    const [other] = await transaction`
      select from identity.credentials where email = ${invited.email} and uid <> ${uid}
      union all select from identity.invitations where email_hash = ${hashOf(invited.email)} and uid <> ${uid}
      union all select from identity.profiles
      where lower(email) = ${invited.email} and email_verified_at is not null and uid <> ${uid}`;
    if (other !== undefined) {
      return "taken";
    }
    await inviteIn(transaction, now, uid, invited);
    return "invited";
  });
}

export async function noteSent(sql: Sql, now: Date, uid: string): Promise<void> {
  await sql`update identity.invitations set sent_at = ${now} where uid = ${uid}`;
}

/** False if there was no invitation. */
export async function revokeInvitation(sql: Sql, uid: string): Promise<boolean> {
  return sql.begin((transaction) => endInvitation(transaction, uid));
}

export async function findInvitation(
  sql: Sql,
  now: Date,
  uid: string,
): Promise<Invitation | undefined> {
  const [row] = await sql<
    { invited_by: string; invited_at: Date; sent_at: Date | null; may_be_revoked: boolean }[]
  >`
    select i.invited_by, i.invited_at, i.sent_at, ${mayBeRevoked(sql)} as may_be_revoked
    from identity.invitations i join identity.profiles p on p.uid = i.uid where i.uid = ${uid}`;
  return row === undefined
    ? undefined
    : {
        uid,
        invitedBy: row.invited_by,
        invitedAt: row.invited_at,
        sentAt: row.sent_at,
        expiresAt: await lastLinkEnd(sql, now, "invitation", uid),
        mayBeRevoked: row.may_be_revoked,
      };
}

export async function canSignIn(sql: Sql, uid: string): Promise<boolean> {
  const [row] = await sql<{ can: boolean }[]>`
    select exists (select from identity.credentials where uid = ${uid})
      or exists (select from identity.issuer_subjects where uid = ${uid}) as can`;
  return row?.can === true;
}

export type InvitedPerson = {
  readonly uid: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly username: string | null;
};

/** Whom a letter's link is for; undefined if it was used, revoked or has expired. */
export async function findByInvitationLink(
  sql: Sql,
  now: Date,
  token: string,
): Promise<InvitedPerson | undefined> {
  const link = await findMailLink(sql, now, "invitation", token);
  if (link === undefined) {
    return undefined;
  }
  const [row] = await sql<
    { uid: string; email: string; display_name: string | null; username: string | null }[]
  >`
    select p.uid, lower(p.email) as email, p.display_name, p.username
    from identity.profiles p join identity.invitations i on i.uid = p.uid
    where p.uid = ${link.uid} and p.deactivated_at is null and i.email_hash = ${link.emailHash}`;
  return row === undefined || !hashOf(row.email).equals(link.emailHash)
    ? undefined
    : { uid: row.uid, email: row.email, displayName: row.display_name, username: row.username };
}

/**
 * Uses the link: the account gets its password, and the letter verifies the address. False if the link has ended.
 * PostgreSQL refuses with `credentials_email_key` or `profiles_verified_email` if another account has the address by now.
 */
export async function acceptInvitation(
  transaction: TransactionSql,
  now: Date,
  token: string,
  { uid, email, passwordHash }: Pick<InvitedPerson, "uid" | "email"> & { passwordHash: string },
): Promise<boolean> {
  await lockAddress(transaction, email);
  await lockProfile(transaction, uid);
  const link = await useMailLink(transaction, now, "invitation", token);
  if (link?.uid !== uid || !hashOf(email).equals(link.emailHash)) {
    return false;
  }
  const ended = await transaction`delete from identity.invitations where uid = ${uid}`;
  const proven = await transaction`
    update identity.profiles set email_verified_at = coalesce(email_verified_at, ${now})
    where uid = ${uid} and lower(email) = ${email} and deactivated_at is null`;
  if (ended.count === 0 || proven.count === 0) {
    return false;
  }
  await transaction`
    insert into identity.credentials (uid, email, password_hash, updated_at)
    values (${uid}, ${email}, ${passwordHash}, ${now})`;
  return true;
}

/**
 * Somebody proved the address, which is locked, at another provider: the invited account is theirs. Undefined if nobody
 * was invited; `mayBeRevoked`: only an admin can say whether they still are.
 */
export async function claimInvited(
  transaction: TransactionSql,
  now: Date,
  email: string,
): Promise<
  { readonly uid: string; readonly epoch: number; readonly mayBeRevoked: boolean } | undefined
> {
  const [row] = await transaction<{ uid: string; epoch: number; mayBeRevoked: boolean }[]>`
    select p.uid, p.session_epoch as epoch, ${mayBeRevoked(transaction)} as "mayBeRevoked"
    from identity.profiles p join identity.invitations i on i.uid = p.uid
    where i.email_hash = ${hashOf(email)} and lower(p.email) = ${email} and p.deactivated_at is null
    for update of p`;
  if (row?.mayBeRevoked === true) {
    return row;
  }
  // It may have been revoked while the profile was waited for.
  if (row === undefined || !(await endInvitation(transaction, row.uid))) {
    return undefined;
  }
  await transaction`
    update identity.profiles set email_verified_at = coalesce(email_verified_at, ${now})
    where uid = ${row.uid}`;
  return row;
}
