// Finds people who are admins in identity's tables but not in the log. They are not admins; the start reports them.
import type { Sql } from "#db/connect.ts";

/** One sentence each, with what to do. */
export async function falseAdmins(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ uid: string; is_copy: boolean }[]>`
    select p.uid, p.role = 'admin' as is_copy
    from identity.profiles p
    left join log.streams s on s.id = log.user_stream(p.uid)
    left join identity.before_the_log b on b.uid = p.uid
    where (p.role = 'admin' and coalesce(s.state ->> 'role', 'user') <> 'admin')
      or (b.was_admin and s.state ->> 'role' is null)
    order by p.uid limit 100`;
  return rows.map(
    ({ uid, is_copy: isCopy }) =>
      `${uid} ${isCopy ? "is" : "was"} an admin in identity.profiles, but by no event of the log. Only the log ` +
      "counts, so they are not an admin. If they should be one, an admin can make them one on Users, or if there is no " +
      `admin, the link printed at start can.${isCopy ? " If not, find out who changed the row." : ""}`,
  );
}
