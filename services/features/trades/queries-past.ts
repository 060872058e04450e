// Reads a trade's events up to a position, for showing it as it was recorded then.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import type { PastTrade, TradeEvent } from "#features/trades/past-trade.ts";
import { pastTrade } from "#features/trades/past-trade.ts";
import type { ReadEvent, StoredFact } from "#ledger/log/read-event.ts";
import type { Posting } from "#ledger/posting.ts";

type EventRow = StoredFact & {
  readonly position: number;
  readonly happened_at: Date;
  readonly postings: readonly Posting[];
};

/** Null if it was not requested yet. An event that cannot be read changes nothing. */
export async function readPastTrade(
  reads: Reads,
  readEvent: ReadEvent,
  tradeId: string,
  position: number,
): Promise<PastTrade | null> {
  const { rows } = await sql<EventRow>`
    select e.position, e.type, e.schema_version, e.data, e.happened_at,
      coalesce((select jsonb_agg(jsonb_build_object('from', p.from_account, 'to', p.to_account, 'cents', p.cents)
        order by p.ordinal) from log.postings p where p.position = e.position), '[]') as postings
    from log.event_streams s join log.events e on e.position = s.position
    where s.stream_id = log.trade_stream(${tradeId}::text) and s.position <= ${position}::bigint
    order by s.version`.execute(reads);
  const events = rows.flatMap((row): TradeEvent[] => {
    const fact = readEvent(row);
    const happenedAt = row.happened_at.toISOString();
    return fact.kind === "unreadable"
      ? []
      : [{ ...fact, position: row.position, postings: row.postings, movements: [], happenedAt }];
  });
  return pastTrade(tradeId, events);
}
