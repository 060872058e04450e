// People as the rest of the program sees them: found by uid, many with one query. Personal data stays in schema identity.
import type { Sql } from "#db/connect.ts";
import { createBatchLookup } from "#identity/batch-lookup.ts";
import { rememberFound } from "#identity/remember-found.ts";

export type Role = "user" | "admin";

/** A person's profile. A deactivated one keeps its uid and role; personal data may be erased. */
export type Profile = {
  readonly uid: string;
  readonly email: string | null;
  readonly displayName: string | null;
  readonly username: string | null;
  readonly role: Role;
  readonly deactivatedAt: Date | null;
};

export type Profiles = {
  readonly find: (uid: string) => Promise<Profile | undefined>;
  /** Whether somebody ever had this uid. Profiles are never removed, so each process asks once for who has one. */
  readonly exists: (uid: string) => Promise<boolean>;
  readonly findMany: (uids: Iterable<string>) => Promise<ReadonlyMap<string, Profile>>;
  /** The display name of each of these people; the answer contains every given uid. */
  readonly displayNames: (uids: Iterable<string>) => Promise<ReadonlyMap<string, string>>;
};

type ProfileRow = {
  uid: string;
  email: string | null;
  display_name: string | null;
  username: string | null;
  role: Role;
  deactivated_at: Date | null;
};

/** What consignors read instead of the name of somebody who acts for the store. */
export const STORE_NAME = "Store";

/** "Deleted user" for a deactivated person, else the best name available, or the uid. For admins: it may be an email. */
export function nameOf(uid: string, profile: Profile | undefined): string {
  if (profile === undefined) {
    return uid;
  }
  if (profile.deactivatedAt !== null) {
    return "Deleted user";
  }
  return profile.displayName ?? profile.username ?? profile.email ?? uid;
}

/** The same people as consignors read about them: no name is an email or a whole uid. */
export function withoutEmails(profiles: Profiles): Profiles {
  return {
    ...profiles,
    async displayNames(uids) {
      const wanted = [...uids];
      const found = await profiles.findMany(wanted);
      return new Map(wanted.map((uid) => [uid, publicNameOf(uid, found.get(uid))]));
    },
  };
}

/** The profiles that somebody of this role reads. */
export function profilesFor(role: Role, profiles: Profiles): Profiles {
  return role === "admin" ? profiles : withoutEmails(profiles);
}

function publicNameOf(uid: string, profile: Profile | undefined): string {
  const isNamed = profile?.displayName ?? profile?.username ?? profile?.deactivatedAt ?? null;
  return isNamed === null ? `Consignor ${uid.slice(-8).toUpperCase()}` : nameOf(uid, profile);
}

/** Profiles read from PostgreSQL on every call: nothing that can change is cached, so a change is seen at once. */
export function createProfiles(sql: Sql): Profiles {
  async function findMany(uids: Iterable<string>): Promise<ReadonlyMap<string, Profile>> {
    const distinct = [...new Set(uids)];
    if (distinct.length === 0) {
      return new Map();
    }
    const rows = await sql<ProfileRow[]>`
      select uid, email, display_name, username, role, deactivated_at
      from identity.profiles where uid = any(${distinct}::text[])`;
    return new Map(rows.map((row) => [row.uid, fromRow(row)]));
  }
  const find = createBatchLookup<Profile>(findMany);
  return {
    find,
    exists: rememberFound(find),
    findMany,
    async displayNames(uids) {
      const wanted = [...uids];
      const found = await findMany(wanted);
      return new Map(wanted.map((uid) => [uid, nameOf(uid, found.get(uid))]));
    },
  };
}

function fromRow(row: ProfileRow): Profile {
  return {
    uid: row.uid,
    email: row.email,
    displayName: row.display_name,
    username: row.username,
    role: row.role,
    deactivatedAt: row.deactivated_at,
  };
}
