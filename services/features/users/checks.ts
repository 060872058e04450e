// What must hold of profiles, asked of the log itself: part of `npm run verify`.
import type { BookCheck } from "#ledger/verify/verify.ts";

export const userChecks: readonly BookCheck[] = [
  {
    // A restored backup of one schema, or an owner's own hand, could have parted the two.
    check: "users",
    sql: `
      select (select max(e.position) from log.event_streams e where e.stream_id = s.id) as position,
        'identity.profiles, row ' || p.uid || ': ' || p.role
          || case when p.deactivated_at is null then '' else ', deleted' end
          || ', but the log says ' || coalesce(s.state ->> 'role', p.role)
          || case when s.state ->> 'deactivatedAt' is null then '' else ', deleted' end as message
      from log.streams s
      join identity.profiles p on p.uid = substr(s.id, 6)
      where s.id >= 'user-' and s.id < 'user.'
        and (p.role <> coalesce(s.state ->> 'role', p.role)
          or (p.deactivated_at is null) <> (s.state ->> 'deactivatedAt' is null))
      order by 1, 2 limit 10`,
  },
  {
    check: "users",
    sql: `
      select 0 as position,
        'identity.profiles, row ' || p.uid || ': was erased, and has personal data again' as message
      from identity.profiles p
      where p.deactivated_at is not null
        and coalesce(p.email, p.display_name, p.username, p.discord_id) is not null
      order by 2 limit 10`,
  },
];
