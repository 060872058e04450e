// Joins notifications that replace each other, such as those of an offer that is raised again and again: the newest one counts.
import type { TransactionSql } from "#db/connect.ts";

/** At most one message goes out in this time about the same thing of the same trade. */
export const REST_MS = 10 * 60_000;

/**
 * Of rows about the same thing of the same trade, the newest stays: older ones that are unread, or wait for their
 * first attempt, are deleted. The newest waits if a message about it has just gone out.
 */
export async function joinRows(
  transaction: TransactionSql,
  now: Date,
  positions: readonly number[],
): Promise<void> {
  if (positions.length === 0) {
    return;
  }
  const since = new Date(now.getTime() - REST_MS);
  await transaction`
    with fresh as materialized (
      select n.id, n.uid, n.kind, n.channel, n.position, e.type, e.data ->> 'tradeId' as trade,
        coalesce(e.data ->> 'sellerUid', '') as seller
      from identity.notifications n join log.events e on e.position = n.position
      where n.position = any(${[...positions]}::bigint[]) and e.data ->> 'tradeId' is not null
    ),
    -- Candidates first: the trade of each is read from the log.
    older as materialized (
      select n.id, n.position, n.state, n.tried_at, f.id as fresh_id
      from fresh f
      join identity.notifications n on n.uid = f.uid and n.id < f.id and n.kind = f.kind
        and n.channel = f.channel and n.position < f.position
        and (n.state = 'waiting' and n.attempts = 0
          or n.state = 'shown' and n.read_at is null
          or n.state in ('sending', 'sent') and n.tried_at > ${since})
      join log.events e on e.position = n.position and e.type = f.type
        and e.data ->> 'tradeId' = f.trade and coalesce(e.data ->> 'sellerUid', '') = f.seller
    ),
    replaced as (
      delete from identity.notifications n using older o
      where n.id = o.id and (n.state = 'waiting' and n.attempts = 0 or n.state = 'shown')
    )
    update identity.notifications n
    set due_at = greatest(n.due_at, o.tried_at + ${REST_MS} * interval '1 millisecond')
    from (
      select fresh_id, max(tried_at) as tried_at from older where state in ('sending', 'sent')
      group by fresh_id
    ) o
    where n.id = o.fresh_id and n.state = 'waiting'
      -- A row that a newer one of the same batch replaces is deleted, not changed.
      and n.id not in (select id from older)`;
}
