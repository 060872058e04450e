// The refunds of a file that are in the ledger already: whatever the order of the lines is now, they stay as they are.
import type { Sql } from "#db/connect.ts";
import { SOLD } from "#features/sales/streams.ts";
import type { KeptRefund } from "./refund-match.ts";

type Row = { readonly line: number; readonly units: number; readonly sale_key: string };

/** By line, of those `lines` that came in as refunds. `keyOf` is what the ledger keeps a line under. */
export async function findKeptRefunds(
  sql: Sql,
  lines: readonly number[],
  keyOf: (line: number) => string,
): Promise<ReadonlyMap<number, KeptRefund>> {
  if (lines.length === 0) {
    return new Map();
  }
  // A sale's stream begins with the event that recorded it, under the key of the sale's own line.
  const rows = await sql<Row[]>`
    select n.line, m.units, sale.command_key as sale_key
    from unnest(${[...lines]}::int[], ${lines.map(keyOf)}::text[]) as n (line, key)
    join log.command_keys k on k.scope = 'store' and k.key = n.key
    join log.events e on e.position = k.position and e.key_scope = 'store' and e.command_key = n.key
    join log.movements m on m.position = e.position and m.from_holding = ${SOLD}
    join log.event_streams s on s.position = e.position and log.is_sale_stream(s.stream_id)
    join log.event_streams first on first.stream_id = s.stream_id and first.version = 1
    join log.events sale on sale.position = first.position`;
  const prefix = keyOf(0).slice(0, -1);
  return new Map(
    rows.map(({ line, units, sale_key: key }) => [
      line,
      { saleLine: Number(key.slice(prefix.length)), units },
    ]),
  );
}
