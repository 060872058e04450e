// One person as the profile screen and the admins see them, and the search behind the consignor field.
import type { Sql } from "#db/connect.ts";
import type { UserAnswer, UserSearchAnswer } from "#identity/contract.ts";
import type { Role } from "#identity/profiles.ts";

type UserRow = {
  uid: string;
  email: string | null;
  display_name: string | null;
  username: string | null;
  role: Role;
  discord_id: string | null;
  discord_username: string | null;
  discord_linked_at: Date | null;
  discord_notifications_enabled: boolean;
  migrated_from: string | null;
  deactivated_at: Date | null;
};

/** Everything of a user but the balance, which is the ledger's. */
export type UserProfile = Omit<UserAnswer, "balance" | "stale">;

const MAX_FOUND = 20;

export async function findUser(sql: Sql, uid: string): Promise<UserProfile | undefined> {
  const [row] = await sql<UserRow[]>`
    select uid, email, display_name, username, role, discord_id, discord_username,
      discord_linked_at, discord_notifications_enabled, migrated_from, deactivated_at
    from identity.profiles where uid = ${uid}`;
  if (row === undefined) {
    return undefined;
  }
  return {
    uid: row.uid,
    email: row.email,
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
    migratedFrom: row.migrated_from,
    deactivated: row.deactivated_at !== null,
  };
}

/**
 * At most 20 people who can be chosen as a consignor: a non-empty e-mail, not deactivated, and the term in
 * name, username or e-mail. Whole matches come first, then beginnings, then the rest by name.
 */
export async function searchUsers(sql: Sql, term: string): Promise<UserSearchAnswer["users"]> {
  if (term === "") {
    return [];
  }
  const wanted = term.toLowerCase();
  const part = wanted.replaceAll(/[\\%_]/g, "\\$&");
  const rows = await sql<
    { uid: string; username: string | null; display_name: string | null; email: string }[]
  >`
    select uid, username, display_name, email from identity.profiles
    where email <> '' and deactivated_at is null
      and lower(coalesce(display_name, '') || ' ' || coalesce(username, '') || ' ' || coalesce(email, ''))
        like ${`%${part}%`}
    order by
      (${wanted} in (lower(display_name), username, lower(email))) is true desc,
      (lower(display_name) like ${`${part}%`} or username like ${`${part}%`}
        or lower(email) like ${`${part}%`}) is true desc,
      lower(coalesce(display_name, username, email)), uid
    limit ${MAX_FOUND}`;
  return rows.map((row) => ({
    uid: row.uid,
    username: row.username,
    displayName: row.display_name,
    email: row.email,
  }));
}
