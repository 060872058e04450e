// What must be there for the settings' events to mean something: part of `npm run verify`.
import type { BookCheck } from "#ledger/verify/book-checks.ts";

function missingRows(type: string, table: string): BookCheck {
  return {
    check: "settings",
    sql: `
      select e.position, '${table} has no row ' || (e.data ->> 'after') || ', which the log refers to' as message
      from {events} e
      where e.type = '${type}' and e.data ->> 'after' is not null
        and not exists (select from ${table} r where r.id = (e.data ->> 'after')::uuid)
      order by 1 limit 100`,
  };
}

export const settingsChecks: readonly BookCheck[] = [
  missingRows("StoreDetailsChanged", "store.details"),
  missingRows("StoreLogoChanged", "store.logos"),
  {
    check: "settings",
    sql: `
      select coalesce((select max(e.position) from log.event_streams e where e.stream_id = log.user_stream(p.uid)), 0)
          as position,
        'identity.profiles, row ' || p.uid || ': has another agreed share than the log says' as message
      from identity.profiles p
      left join log.streams s on s.id = log.user_stream(p.uid)
      where p.agreed_percentage is distinct from (s.state ->> 'agreedPercentage')::bigint
      order by 1, 2 limit 100`,
  },
];
