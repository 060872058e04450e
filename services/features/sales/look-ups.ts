// Look-ups on the primary before commands about sales are decided.
import type { Sql } from "#db/connect.ts";
import { saleStreamId } from "#features/sales/streams.ts";

/** A sale's consignor, from its stream; null for the store's own sale and for an unknown one. */
export async function consignorOfSale(sql: Sql, saleId: string): Promise<string | null> {
  const [row] = await sql<{ uid: string | null }[]>`
    select state ->> 'consignorId' as uid from log.streams where id = ${saleStreamId(saleId)}`;
  return row?.uid ?? null;
}
