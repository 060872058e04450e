// Before a production service opens: the roles it connects as must not be able to write the log behind the append function.
import type { Sql } from "#db/connect.ts";

/** Why each of these database roles could write the log; empty if none of them can. */
export async function findLogWriters(sql: Sql, roles: readonly string[]): Promise<string[]> {
  const rows = await sql<{ role: string; reason: string }[]>`
    select r.rolname as role, w.reason from pg_roles r
    cross join lateral (
      -- What a role may do by becoming another one counts too.
      select 'is a superuser' as reason
      where exists (select from pg_roles m where m.rolsuper and pg_has_role(r.oid, m.oid, 'member'))
      union all
      select 'owns schema log, or may act as its owner' from pg_namespace n
      where n.nspname = 'log' and pg_has_role(r.oid, n.nspowner, 'member')
      union all
      select 'owns ' || t.oid::regclass || ', or may act as its owner' from pg_class t
      where t.relnamespace = to_regnamespace('log') and pg_has_role(r.oid, t.relowner, 'member')
      union all
      select 'may ' || p.privilege || ' ' || t.oid::regclass
      from pg_class t cross join unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) as p (privilege)
      where t.relnamespace = to_regnamespace('log') and t.relkind in ('r', 'p') and exists (
        select from pg_roles m
        where pg_has_role(r.oid, m.oid, 'member') and (
          has_table_privilege(m.oid, t.oid, p.privilege)
          or (p.privilege in ('INSERT', 'UPDATE') and has_any_column_privilege(m.oid, t.oid, p.privilege))))
      limit 3
    ) as w
    where r.rolname = any(${[...roles]}::text[])
    order by r.rolname limit 20`;
  return rows.map(({ role, reason }) => `${role} ${reason}`);
}

/** Throws if one of these roles could write the log. */
export async function refuseLogWriters(sql: Sql, roles: readonly string[]): Promise<void> {
  const reasons = await findLogWriters(sql, roles);
  if (reasons.length > 0) {
    throw new Error(
      "In production, the service must not connect as a role that can write the log:\n" +
        `${reasons.map((reason) => `  ${reason}`).join("\n")}\n` +
        "Connect as a role of its own, to which DATABASE_OWNER_URL gives its rights by migrating.",
    );
  }
}
