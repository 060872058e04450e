// Reads a sale's story: the events of its stream, with people's names, reasons, and the lines of the consignor's ledger.
import { sql } from "kysely";
import { consignorStreamId } from "#features/accounts/streams.ts";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import type { ValueOf } from "#http/statement.ts";
import { statement } from "#http/statement.ts";
import type { Notes } from "#identity/notes.ts";
import { STORE_NAME } from "#identity/profiles.ts";
import type { Profiles } from "#identity/profiles.ts";
import { spelledOut } from "#ledger/explain.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { toDollars } from "#ledger/money.ts";
import type { SaleStoryResponse, StoryEntry } from "#features/sales/contract-story.ts";
import type { SaleTender } from "#features/sales/events.ts";
import {
  RefundTenderCorrected,
  SaleRefunded,
  SaleTenderCorrected,
} from "#features/sales/events.ts";
import { saleRefundsTable } from "#features/sales/projection.ts";
import { storyOf } from "#features/sales/story.ts";
import { saleStreamId } from "#features/sales/streams.ts";

type Row = {
  readonly version: number;
  readonly position: number;
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
  readonly actor: string;
  readonly happened_at: Date;
  readonly recorded_at: Date;
  /** The line of the consignor's ledger; null if it is none. */
  readonly line: number | null;
};

const readEvents = statement(
  (
    _reads,
    value: ValueOf<{
      readonly stream: string;
      readonly consignor: string;
      readonly before: number;
      readonly through: number;
      readonly limit: number;
    }>,
  ) => sql<Row>`
    select s.version, e.position, e.type, e.schema_version, e.data, e.actor, e.happened_at, e.recorded_at,
      (select c.version from log.event_streams c
        where c.position = e.position and c.stream_id || '' = ${value("consignor")}) as line
    from log.event_streams s join log.events e on e.position = s.position
    where s.stream_id = ${value("stream")} and s.version < ${value("before")}::bigint
      and s.position <= ${value("through")}::bigint
    order by s.version desc limit ${value("limit")}::bigint`,
);

const inRefunds = withTables(saleRefundsTable);

const refundsOf = statement((reads, value: ValueOf<{ readonly sale: string }>) =>
  inRefunds(reads)
    .selectFrom("read.sale_refunds")
    .select(["position", "tender"])
    .select(sql<number>`row_number() over (order by position)`.as("number"))
    .where("sale_id", "=", sql<string>`${value("sale")}::text::uuid`)
    .orderBy("position"),
);

type StoryDeps = {
  readonly reads: Reads;
  readonly profiles: Profiles;
  readonly notes: Notes;
  readonly readEvent: ReadEvent;
};

type Asked = {
  readonly saleId: string;
  readonly consignorId: string | null;
  /** Who reads it. */
  readonly reader: { readonly uid: string; readonly isAdmin: boolean };
  /** Up to this position. */
  readonly freshTo: number;
  readonly cursor: string | undefined;
  readonly limit: number;
};

/** How the buyer paid does not concern the consignor. */
const ofBuyer: ReadonlySet<string> = new Set([
  SaleTenderCorrected.type,
  RefundTenderCorrected.type,
]);

/** A page of a sale's story, newest first. */
export async function readStory(
  { reads, profiles, notes, readEvent }: StoryDeps,
  { saleId, consignorId, reader, freshTo, cursor, limit }: Asked,
): Promise<SaleStoryResponse> {
  const rows = await readEvents(reads, {
    stream: saleStreamId(saleId),
    consignor: consignorId === null ? "" : consignorStreamId(consignorId),
    before: cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor),
    through: freshTo,
    limit: limit + 1,
  });
  const read = rows.slice(0, limit);
  const shown = read.filter(({ type }) => reader.isAdmin || !ofBuyer.has(type));
  const page = shown.map((row) => {
    const fact = readEvent(row);
    if (fact.kind === "unreadable") {
      return { row, words: null };
    }
    const happenedAt = row.happened_at.toISOString();
    const event = { ...fact, postings: [], movements: [], happenedAt };
    return { row, words: storyOf(event, reader.isAdmin) };
  });
  const isNamed = ({ actor }: Row) => reader.isAdmin || actor === reader.uid;
  const people = page.flatMap(({ row }) =>
    isNamed(row) && !row.actor.startsWith("system:") ? [row.actor] : [],
  );
  const isRefund = ({ type }: Row) => type === SaleRefunded.type;
  const [refunds, names, reasons] = await Promise.all([
    reader.isAdmin && shown.some(isRefund) ? refundsOf(reads, { sale: saleId }) : [],
    profiles.displayNames(new Set(people)),
    notes.findMany(page.flatMap(({ words }) => words?.noteId ?? [])),
  ]);
  const refundAt = new Map(refunds.map((row) => [row.position, row]));
  const entries = page.map(({ row, words }): StoryEntry => {
    const noteId = words?.noteId ?? null;
    return {
      version: row.version,
      position: row.position,
      kind: words?.kind ?? "corrected",
      title: words?.title ?? spelledOut(row.type),
      notes: [...(words?.notes ?? [])],
      amounts: words === null ? [] : [...words.amounts],
      changes: words === null ? [] : [...words.changes],
      reason: noteId === null ? null : (reasons.get(noteId) ?? null),
      actor: isNamed(row)
        ? { uid: row.actor, name: names.get(row.actor) ?? row.actor.replace("system:", "System: ") }
        : { uid: null, name: STORE_NAME },
      happenedAt: row.happened_at.toISOString(),
      recordedAt: row.recorded_at.toISOString(),
      ledger:
        row.line === null ? null : { line: row.line, amount: toDollars(words?.balanceCents ?? 0) },
      refund: refundOf(refundAt.get(row.position)),
    };
  });
  const last = read.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { saleID: saleId, entries, nextCursor: hasMore ? String(last.version) : null };
}

type RefundRow = { readonly number: number; readonly tender: SaleTender | null };

function refundOf(row: RefundRow | undefined): StoryEntry["refund"] {
  return row === undefined ? null : { number: row.number, tender: row.tender };
}
