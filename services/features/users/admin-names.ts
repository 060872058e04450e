// Keeps the name of an admin from other admins: the audit log and payouts say by it alone who acted.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { looksLike } from "#http/store-name.ts";
import type { Profile } from "#identity/profiles.ts";
import { nameOf } from "#identity/profiles.ts";
import { ADMINS } from "#features/users/streams.ts";

type Named = Pick<Profile, "uid" | "displayName" | "username" | "email">;

/** What others read as this admin's name. */
export function shownName(admin: Named): string {
  return nameOf(admin.uid, { ...admin, role: "admin", deactivatedAt: null });
}

/** Whether this person, as an admin, would be read as another admin. */
export async function passesForAdmin(sql: Sql | TransactionSql, person: Named): Promise<boolean> {
  // Who is an admin is in the log alone.
  const admins = await sql<Named[]>`
    select p.uid, p.display_name as "displayName", p.username, p.email
    from log.streams s
    cross join lateral jsonb_array_elements_text(s.state -> 'uids') a (uid)
    join identity.profiles p on p.uid = a.uid
    where s.id = ${ADMINS} and p.uid <> ${person.uid}`;
  const name = shownName(person);
  return admins.some((admin) => looksLike(shownName(admin), name));
}
