// The reads of sales tax: what was collected, and the remittances.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { Notes } from "#identity/notes.ts";
import type { Profiles } from "#identity/profiles.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { is } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import { toDollars } from "#ledger/money.ts";
import { balancesTable } from "#features/accounts/projection.ts";
import type { RemittanceView } from "#features/months/contract.ts";
import { SalesTaxRemittanceReversed, SalesTaxRemitted } from "#features/months/events.ts";
import { REMITTANCES, TAX_AUTHORITY } from "#features/months/streams.ts";
import { STORE_SALES_TAX } from "#features/sales/streams.ts";

/** The sales tax that customers paid, less what they got back, whether it was remitted or not. */
export async function readCollected(reads: Reads): Promise<Cents> {
  const { rows } = await sql<{ readonly cents: number }>`
    select coalesce(read.total(balance_cents), 0)::bigint as cents from ${nameOfTable(balancesTable)}
    where account in (${STORE_SALES_TAX}, ${TAX_AUTHORITY})`.execute(reads);
  return rows[0]?.cents ?? 0;
}

type Parts = {
  readonly reads: Reads;
  readonly readEvent: ReadEvent;
  readonly profiles: Profiles;
  readonly notes: Notes;
};

function selectEvents(reads: Reads) {
  return reads
    .selectFrom("log.event_streams as s")
    .innerJoin("log.events as e", "e.position", "s.position")
    .select([
      "e.position",
      "e.type",
      "e.schema_version",
      "e.data",
      "e.actor",
      "e.happened_at",
      "e.recorded_at",
    ])
    .where("s.stream_id", "=", REMITTANCES)
    .orderBy("s.version");
}

/** All remittances, the newest first: a few a year. */
export async function readRemittances(parts: Parts): Promise<RemittanceView[]> {
  const rows = await selectEvents(parts.reads).execute();
  const facts = rows.map((row) => ({
    row,
    fact: { postings: [], movements: [], happenedAt: "", data: null, ...parts.readEvent(row) },
  }));
  const noteIds = facts.flatMap(({ fact }) =>
    is(SalesTaxRemitted, fact) || is(SalesTaxRemittanceReversed, fact)
      ? (fact.data.noteId ?? [])
      : [],
  );
  const [names, notes] = await Promise.all([
    parts.profiles.displayNames(new Set(rows.map(({ actor }) => actor))),
    parts.notes.findMany(noteIds),
  ]);
  const views = new Map<string, RemittanceView>();
  for (const { row, fact } of facts) {
    const by = { uid: row.actor, displayName: names.get(row.actor) ?? row.actor };
    const recordedAt = row.recorded_at.toISOString();
    if (is(SalesTaxRemitted, fact)) {
      const { remittanceId, month, amountCents, reference, noteId } = fact.data;
      views.set(remittanceId, {
        remittanceID: remittanceId,
        position: row.position,
        month,
        amount: toDollars(amountCents),
        reference,
        note: notes.get(noteId ?? "") ?? null,
        remittedAt: row.happened_at.toISOString(),
        recordedAt,
        by,
        reversed: null,
      });
    } else if (is(SalesTaxRemittanceReversed, fact)) {
      const { remittanceId, noteId } = fact.data;
      const view = views.get(remittanceId);
      if (view !== undefined) {
        const reason = notes.get(noteId ?? "") ?? null;
        const reversed = { position: row.position, recordedAt, by, reason };
        views.set(remittanceId, { ...view, reversed });
      }
    }
  }
  return [...views.values()].reverse();
}
