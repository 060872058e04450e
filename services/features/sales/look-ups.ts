// Look-ups on the primary before commands about sales are decided.
import type { Sql } from "#db/connect.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";
import type { ReadEvent, ReadFact, StoredFact } from "#ledger/log/read-event.ts";
import { saleStreamId } from "#features/sales/streams.ts";

/** A sale's consignor, from its stream; null for the store's own sale and for an unknown one. */
export async function consignorOfSale(sql: Sql, saleId: string): Promise<string | null> {
  const [row] = await sql<{ uid: string | null }[]>`
    select state ->> 'consignorId' as uid from log.streams where id = ${saleStreamId(saleId)}`;
  return row?.uid ?? null;
}

/** The notes with the certificates' numbers of these sales, from the log; undefined if none of the sales exists. */
export async function certificateNotesOf(
  { sql, readEvent }: { readonly sql: Sql; readonly readEvent: ReadEvent },
  saleIds: readonly string[],
): Promise<readonly string[] | undefined> {
  const rows = await sql<StoredFact[]>`
    select e.type, e.schema_version, e.data
    from log.event_streams s join log.events e on e.position = s.position
    where s.stream_id = any(${saleIds.map(saleStreamId)}::text[]) and s.version = 1`;
  return rows.length === 0 ? undefined : rows.flatMap((row) => certificateOf(readEvent(row)) ?? []);
}

function certificateOf(fact: ReadFact): string | null {
  const noteId: unknown = Reflect.get(Object(fieldsOf(fact)["taxExemption"]), "noteId");
  return typeof noteId === "string" ? noteId : null;
}
