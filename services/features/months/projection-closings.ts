// What closed months change in read tables: an event that is dated into one counts when the open month begins.
import { MONTHS } from "#features/months/streams.ts";

/**
 * SQL of a step: when each month ended that was closed before or in the range. Of those before it, the last one is
 * enough. Each event is looked up by its position, so that no other is read: one may be unreadable.
 */
export const closingsSql = `
  select c.position, (c.data ->> 'to')::timestamptz as ends_at
  from (
    (select s.position from {streams} s
      where s.stream_id = '${MONTHS}' and s.position <= $1::bigint order by s.version desc limit 1)
    union all
    select s.position from {streams} s
    where s.stream_id = '${MONTHS}' and s.position > $1::bigint and s.position <= $2::bigint) s
  cross join lateral (select e.position, e.data from {events} e where e.position = s.position offset 0) c`;

/**
 * SQL: when an event happened, but not before the end of the last month that had been closed when it was recorded: what
 * is dated into a closed month belongs to the open one. `closings` are the rows of `closingsSql`.
 */
export function afterClosingsSql(happenedAt: string, position: string): string {
  return `greatest(${happenedAt}, (
    select max(closing.ends_at) from closings closing where closing.position < ${position}))`;
}
