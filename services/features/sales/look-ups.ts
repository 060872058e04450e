// What commands about sales look up before they are decided, on the primary.
import type { Sql } from "#db/connect.ts";
import { saleStreamId } from "#features/sales/streams.ts";

/** Whose sale it is as of now, from the sale's stream; null for nobody's and for an unknown sale. */
export async function consignorOfSale(sql: Sql, saleId: string): Promise<string | null> {
  const [row] = await sql<{ uid: string | null }[]>`
    select state ->> 'consignorId' as uid from log.streams where id = ${saleStreamId(saleId)}`;
  return row?.uid ?? null;
}
