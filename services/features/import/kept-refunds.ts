// The refunds of a file that are already in the ledger. They stay as they are, whatever the order of the lines is now.
import type { Sql } from "#db/connect.ts";
import { SOLD } from "#features/sales/streams.ts";
import type { KeptRefund } from "./refund-match.ts";

type Row = { readonly line: number; readonly units: number; readonly sale_key: string };

/** By line, for those `lines` that were imported as refunds. `keyOf` gives a line's key in the ledger. */
export async function findKeptRefunds(
  sql: Sql,
  lines: readonly number[],
  keyOf: (line: number) => string,
): Promise<ReadonlyMap<number, KeptRefund>> {
  if (lines.length === 0) {
    return new Map();
  }
  // A sale's stream begins with the event that recorded it, with the key of the sale's line.
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
