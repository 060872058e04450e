// The remittances of sales tax as lines of a report: they count for the month that they are for, whenever they were paid.
import type { Reads } from "#http/reads.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { is } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import { SalesTaxRemittanceReversed, SalesTaxRemitted } from "#features/months/events.ts";
import { REMITTANCES } from "#features/months/streams.ts";
import type { Days } from "#features/reports/period.ts";

/** Negative if a remittance was taken back. */
export type RemittedLine = { readonly position: number; readonly cents: Cents };

/** For the months of these days, by what was recorded up to a position: a few a year. */
export async function readRemitted(
  { reads, readEvent }: { readonly reads: Reads; readonly readEvent: ReadEvent },
  { from, to }: Days,
  position: number,
): Promise<readonly RemittedLine[]> {
  const rows = await reads
    .selectFrom("log.event_streams as s")
    .innerJoin("log.events as e", "e.position", "s.position")
    .select(["e.position", "e.type", "e.schema_version", "e.data"])
    .where("s.stream_id", "=", REMITTANCES)
    .where("s.position", "<=", position)
    .orderBy("s.version")
    .execute();
  const isAsked = ({ month }: { readonly month: string }) =>
    month >= from.slice(0, 7) && month <= to.slice(0, 7);
  return rows.flatMap((row) => {
    const fact = { postings: [], movements: [], happenedAt: "", data: null, ...readEvent(row) };
    if (is(SalesTaxRemitted, fact) && isAsked(fact.data)) {
      return [{ position: row.position, cents: fact.data.amountCents }];
    }
    return is(SalesTaxRemittanceReversed, fact) && isAsked(fact.data)
      ? [{ position: row.position, cents: 0 - fact.data.amountCents }]
      : [];
  });
}
