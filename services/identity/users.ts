// One person as the profile screen and the admins see them: finds, searches, changes and erases.
import { createHash } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { asSearched, containing } from "#db/like.ts";
import { normalEmail } from "#identity/accounts.ts";
import { forgetNotes } from "#identity/forget-notes.ts";
import { lockProfile } from "#identity/lock-order.ts";
import { forgetKeptAnswers } from "#identity/kept-answers.ts";
import { wordsOfPerson } from "#identity/people-search.ts";
import type { Role } from "#identity/profiles.ts";
import { endLinksToOthers } from "#identity/provider-links.ts";
import { hashOf } from "#identity/secrets.ts";

/** Where a person starts after signing in. */
export type LandsOn = "dashboard" | "today";

/** Everything identity shows of a user to the user and to admins. Times are ISO 8601. */
export type UserProfile = {
  readonly uid: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly displayName: string | null;
  readonly username: string | null;
  readonly role: Role;
  readonly discord: {
    readonly id: string;
    readonly username: string | null;
    readonly linkedAt: string | null;
  } | null;
  readonly discordNotificationsEnabled: boolean;
  /** The screen after signing in. */
  readonly landsOn: LandsOn;
  readonly migratedFrom: string | null;
  readonly deactivated: boolean;
  readonly createdAt: string;
};

/** Somebody who can be chosen as a consignor. */
export type FoundUser = {
  readonly uid: string;
  readonly username: string | null;
  readonly displayName: string | null;
  readonly email: string;
  readonly emailVerified: boolean;
};

/** The columns of a profile that make a `UserProfile`. */
export type UserRow = {
  uid: string;
  email: string | null;
  email_verified: boolean;
  display_name: string | null;
  username: string | null;
  role: Role;
  discord_id: string | null;
  discord_username: string | null;
  discord_linked_at: Date | null;
  discord_notifications_enabled: boolean;
  lands_on: LandsOn;
  migrated_from: string | null;
  deactivated_at: Date | null;
  created_at: Date;
};

/** The role of the profile `p` in the log, the only one that counts; looked up per row by primary key. */
export const ROLE_OF_PROFILE = `coalesce(
  (select u.state ->> 'role' from log.streams u where u.id = log.user_stream(p.uid)), 'user')`;

const MAX_FOUND = 20;

export async function findUser(
  sql: Sql | TransactionSql,
  uid: string,
): Promise<UserProfile | undefined> {
  const [row] = await sql<UserRow[]>`
    select p.uid, p.email, p.email_verified_at is not null as email_verified, p.display_name, p.username,
      ${sql.unsafe(ROLE_OF_PROFILE)} as role, p.discord_id, p.discord_username, p.discord_linked_at,
      p.discord_notifications_enabled, p.lands_on, p.migrated_from, p.deactivated_at, p.created_at
    from identity.profiles p where p.uid = ${uid}`;
  return row === undefined ? undefined : profileOf(row);
}

export function profileOf(row: UserRow): UserProfile {
  return {
    uid: row.uid,
    email: row.email,
    emailVerified: row.email_verified,
    displayName: row.display_name,
    username: row.username,
    role: row.role,
    discord:
      row.discord_id === null
        ? null
        : {
            id: row.discord_id,
            username: row.discord_username,
            linkedAt: row.discord_linked_at?.toISOString() ?? null,
          },
    discordNotificationsEnabled: row.discord_notifications_enabled,
    landsOn: row.lands_on,
    migratedFrom: row.migrated_from,
    deactivated: row.deactivated_at !== null,
    createdAt: row.created_at.toISOString(),
  };
}

/**
 * At most 20 people who can be chosen as a consignor: a non-empty email, not deactivated, and the term in name,
 * username or email. Exact matches come first, then prefixes, then the rest by name.
 */
export async function searchUsers(sql: Sql, term: string): Promise<FoundUser[]> {
  if (term === "") {
    return [];
  }
  const wanted = asSearched(term);
  const anywhere = containing(wanted);
  const beginning = anywhere.slice(1);
  const rows = await sql<
    {
      uid: string;
      username: string | null;
      display_name: string | null;
      email: string;
      is_verified: boolean;
    }[]
  >`
    select p.uid, p.username, p.display_name, p.email, p.email_verified_at is not null as is_verified
    from identity.profiles p
    where p.email <> '' and p.deactivated_at is null and ${sql.unsafe(wordsOfPerson("p"))} like ${anywhere}
    order by
      (${wanted} in (log.searchable(p.display_name), p.username, log.searchable(p.email))) is true desc,
      (log.searchable(p.display_name) like ${beginning} or p.username like ${beginning}
        or log.searchable(p.email) like ${beginning}) is true desc,
      lower(coalesce(p.display_name, p.username, p.email)), p.uid
    limit ${MAX_FOUND}`;
  return rows.map((row) => ({
    uid: row.uid,
    username: row.username,
    displayName: row.display_name,
    email: row.email,
    emailVerified: row.is_verified,
  }));
}

const MAX_UIDS = 1_000;

/** The people whose uid is the term, or who have it in their name, username or email. */
export async function findUidsOf(sql: Sql, term: string): Promise<readonly string[] | "too-many"> {
  const rows = await sql<{ uid: string }[]>`
    select p.uid from identity.profiles p
    where p.uid = ${term} or ${sql.unsafe(wordsOfPerson("p"))} like ${containing(asSearched(term))}
    order by p.uid limit ${MAX_UIDS + 1}`;
  return rows.length > MAX_UIDS ? "too-many" : rows.map(({ uid }) => uid);
}

/** Sets where notifications go and whether they are sent; omitted fields stay. Sign-in uses another table. */
export async function changeNotifications(
  sql: Sql,
  now: Date,
  uid: string,
  change: {
    readonly discord: { readonly id: string; readonly username: string | null } | null | undefined;
    readonly enabled: boolean | undefined;
  },
): Promise<void> {
  const { discord, enabled } = change;
  if (discord !== undefined) {
    await sql`
      update identity.profiles
      set discord_id = ${discord?.id ?? null}, discord_username = ${discord?.username ?? null},
        discord_linked_at = case when ${discord?.id ?? null}::text is null then null
          when discord_id = ${discord?.id ?? null} then discord_linked_at else ${now} end
      where uid = ${uid} and deactivated_at is null`;
  }
  if (enabled !== undefined) {
    await sql`
      update identity.profiles set discord_notifications_enabled = ${enabled}
      where uid = ${uid} and deactivated_at is null`;
  }
}

/** Sets where a person starts after signing in. */
export async function changeLanding(sql: Sql, uid: string, landsOn: LandsOn): Promise<void> {
  await sql`
    update identity.profiles set lands_on = ${landsOn} where uid = ${uid} and deactivated_at is null`;
}

export type ChangedField = "username" | "email" | "display-name";

/** A changed text of a profile; an event refers to it by the change's id. */
export type TextChange = {
  readonly id: string;
  readonly field: ChangedField;
  /** Null removes it. */
  readonly after: string | null;
};

/**
 * Writes changed texts to the profile and keeps the previous ones, in the transaction that appends the events which
 * refer to them. A changed address is unverified, and the person signs in with it from now on, with the password or
 * with a provider's account that has it. If somebody else
 * already signs in with it, PostgreSQL refuses with `credentials_email_key`.
 */
export async function writeTextChanges(
  transaction: TransactionSql,
  uid: string,
  changes: readonly TextChange[],
): Promise<void> {
  for (const { id, field, after } of changes) {
    await transaction`
      insert into identity.user_changes (id, uid, field, before, after)
      select ${id}, uid, ${field},
        case ${field} when 'username' then username when 'email' then email else display_name end,
        ${after}
      from identity.profiles where uid = ${uid}`;
    if (field === "username") {
      await transaction`update identity.profiles set username = ${after} where uid = ${uid}`;
    } else if (field === "display-name") {
      await transaction`update identity.profiles set display_name = ${after} where uid = ${uid}`;
    } else {
      await transaction`
        update identity.profiles set email = ${after}, email_verified_at = null where uid = ${uid}`;
      await transaction`update identity.credentials set email = ${after} where uid = ${uid}`;
      // A link sent to the old address must not verify the new one or open the account.
      await transaction`delete from identity.mail_links where uid = ${uid}`;
      await transaction`delete from identity.email_changes where uid = ${uid}`;
      await transaction`delete from identity.invitations where uid = ${uid}`;
      await endLinksToOthers(transaction, uid, normalEmail(after ?? ""));
    }
  }
}

/** Whether somebody else signs in with this address or has verified it. */
export async function isEmailTaken(sql: Sql, email: string, byOtherThan: string): Promise<boolean> {
  const wanted = normalEmail(email);
  const [row] = await sql<{ taken: boolean }[]>`
    select exists (select from identity.credentials where email = ${wanted} and uid <> ${byOtherThan})
      or exists (
        select from identity.profiles
        where lower(email) = ${wanted} and email_verified_at is not null and uid <> ${byOtherThan}
      ) or exists (
        select from identity.invitations where email_hash = ${hashOf(wanted)} and uid <> ${byOtherThan}
      ) as taken`;
  return row?.taken === true;
}

/** Lets the list of erased people find their letters without storing the address. */
export function addressHash(address: string): string {
  return createHash("sha256").update(normalEmail(address)).digest("hex");
}

/**
 * Erases a person's data, in the transaction that appends their deactivation. The profile's row stays for the
 * ledger's entries, as a uid that reads "Deleted user". Every other row of this schema that refers to the person is
 * deleted, also in tables added later; dead rows are removed when `erasures` is processed.
 */
export async function erasePerson(
  transaction: TransactionSql,
  now: Date,
  uid: string,
): Promise<void> {
  await lockProfile(transaction, uid);
  const addresses = await transaction<{ address: string }[]>`
    select lower(email) as address from identity.profiles where uid = ${uid} and email is not null
    union select email from identity.credentials where uid = ${uid}
    union select email from identity.email_changes where uid = ${uid}
    union select lower(a.address)
    from identity.user_changes u cross join lateral (values (u.before), (u.after)) as a (address)
    where u.uid = ${uid} and u.field = 'email' and a.address is not null
    limit 1000`;
  await transaction`
    update identity.legacy_users
    set old_id = null, email = null, username = null, display_name = null, holdings = null
    where migrated_uid = ${uid}`;
  const tables = await transaction<{ table: string; column: string }[]>`
    select r.relname as table, a.attname as column
    from pg_constraint c
    join pg_class r on r.oid = c.conrelid
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'identity.profiles'::regclass
      and c.connamespace = 'identity'::regnamespace and r.relname <> 'legacy_users'
    order by r.oid desc limit 1000`;
  for (const { table, column } of tables) {
    await transaction`
      delete from identity.${transaction(table)} where ${transaction(column)} = ${uid}`;
  }
  await transaction`
    update identity.profiles
    set email = null, email_verified_at = null, display_name = null, username = null,
      discord_id = null, discord_username = null, discord_linked_at = null,
      discord_notifications_enabled = false, lands_on = 'dashboard', migrated_from = null, handle_secret = null
    where uid = ${uid}`;
  await forgetKeptAnswers(transaction);
  await forgetNotes(
    transaction,
    uid,
    addresses.map(({ address }) => address),
  );
  await transaction`
    insert into identity.erasures (uid, erased_at, address_hashes)
    values (${uid}, ${now}, ${addresses.map(({ address }) => addressHash(address))})
    on conflict (uid) do nothing`;
}
