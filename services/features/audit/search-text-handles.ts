// Looks up payouts by a CashApp or Venmo handle for the audit log's free text: also by one that was replaced.
import { sql } from "kysely";
import { nameOfTable } from "#http/reads.ts";
import type { ValueOf } from "#http/statement.ts";
import { statement } from "#http/statement.ts";
import { auditEventsTable, auditPeopleTable } from "#features/audit/projection.ts";
import type { Found, TextReads } from "#features/audit/search-text-things.ts";
import { PayoutHandleCorrected, PayoutRequested } from "#features/payouts/events.ts";
import { payoutsTable } from "#features/payouts/projection.ts";
import { payoutStreamId } from "#features/payouts/streams.ts";
import type { ReadEvent, StoredFact } from "#ledger/log/read-event.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";

type Asked = { readonly handle: string; readonly owner: string | null };

const isAsked = (value: ValueOf<Asked>) => sql`lower(ltrim(h.handle, '$@')) = ${value("handle")}
  and (${value("owner")}::text is null or h.uid = ${value("owner")})`;

const readPayoutsTo = statement(
  (_reads, value: ValueOf<Asked>) => sql<{
    readonly payout_id: string;
    readonly handle: string;
  }>`
    select p.payout_id::text as payout_id, h.handle
    from identity.payout_handles h
    join ${nameOfTable(payoutsTable)} p on p.consignor_uid = h.uid and p.handle_id = h.id
    where ${isAsked(value)} order by p.position desc limit 200`,
);

type Naming = StoredFact & {
  readonly stream: string;
  readonly handle_id: string;
  readonly handle: string;
};

/** The requests and corrections of the corrected payouts of the handle's owner: few are corrected. */
const readCorrected = statement(
  (_reads, value: ValueOf<Asked>) => sql<Naming>`
    select c.stream_id as stream, h.id::text as handle_id, h.handle, e.type, e.schema_version, e.data
    from identity.payout_handles h
    cross join lateral (
      select distinct s.stream_id
      from ${nameOfTable(auditEventsTable)} a
      join ${nameOfTable(auditPeopleTable)} t on t.uid = h.uid and t.position = a.position
      join log.event_streams s on s.position = a.position
      where a.type = ${sql.lit(PayoutHandleCorrected.type)} and log.is_payout_stream(s.stream_id)) c
    join log.event_streams o on o.stream_id = c.stream_id
    join log.events e on e.position = o.position
    where ${isAsked(value)}
      and e.type in (${sql.lit(PayoutRequested.type)}, ${sql.lit(PayoutHandleCorrected.type)})
    order by e.position desc limit 1000`,
);

/**
 * Payouts whose events name this handle, typed with or without its sign. The last one is in the read table, and only a
 * corrected request named others before.
 */
export async function byHandle(
  { reads, readEvent }: TextReads & { readonly readEvent: ReadEvent },
  text: string,
  owner: string | null,
): Promise<Found[]> {
  const handle = text.toLowerCase().replace(/^[$@]/u, "");
  if (handle === "") {
    return [];
  }
  const [last, corrected] = await Promise.all([
    readPayoutsTo(reads, { handle, owner }),
    readCorrected(reads, { handle, owner }),
  ]);
  const earlier = corrected.filter((row) => fieldsOf(readEvent(row))["handleId"] === row.handle_id);
  const [first] = [...last, ...earlier];
  return first === undefined
    ? []
    : [
        {
          words: `Payouts with the handle ${first.handle}`,
          streams: [
            ...last.map(({ payout_id: payoutId }) => payoutStreamId(payoutId)),
            ...earlier.map(({ stream }) => stream),
          ],
        },
      ];
}
