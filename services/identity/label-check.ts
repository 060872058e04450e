// Checks that the labels in use can be opened, for the features whose events name labels: part of `npm run verify`.
import type { BookCheck } from "#ledger/verify/book-checks.ts";

/** Less than the 400 days that labels are kept, as the clocks of the service and the database may differ. */
const CHECKED_DAYS = 365;

/**
 * `named` selects the events whose label is still in use, with the columns position, recorded_at, subject, owner and id.
 * A key is missing only where the owner was erased. Whether the bytes are the right ones shows when a label is opened.
 */
export function labelCheck(named: string): BookCheck {
  return {
    check: "identity",
    sql: `
      select n.position, n.subject || ', label ' || n.id || case
          when k.id is null then ': its key is gone, but its owner was not deleted'
          when l.id is null then ': its file is gone'
          else ': it is another person''s' end as message
      from (${named}) n
      left join identity.label_keys k on k.id::text = n.id
      left join files.labels l on l.id = k.id
      left join log.streams s on s.id = log.user_stream(n.owner)
      where case
        when k.id is null
          then s.state ->> 'deactivatedAt' is null
            and n.recorded_at > now() - make_interval(days => ${CHECKED_DAYS})
        else l.id is null or k.uid <> n.owner end
      order by 1, 2 limit 100`,
  };
}
