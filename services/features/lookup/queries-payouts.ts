// Finds payouts by exactly what is written on them or their transfer: an id, a reference from the bank, or a handle.
import { sql } from "kysely";
import { asThing, MOST, type ThingRow } from "#features/lookup/found-rows.ts";
import { payoutsTable } from "#features/payouts/projection.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import { idsOfStart } from "#ledger/uuid.ts";

/** The newest first; of one consignor only, if one is given. A sign before a reference or a handle may be left out. */
export async function payoutsOfText(
  searches: Reads,
  text: string,
  owner: string | null,
): Promise<readonly ThingRow[]> {
  const plain = text.toLowerCase().replace(/^[#$@]+/u, "");
  // A Venmo payment's note is "Payout" and the id.
  const ids = idsOfStart(text.replace(/^payout\s+/iu, ""));
  if (plain === "") {
    return [];
  }
  const payouts = nameOfTable(payoutsTable);
  const { rows } = await sql<ThingRow>`
    select ${asThing.payout} from ${payouts} o
    where (${owner}::text is null or o.consignor_uid = ${owner}) and o.payout_id = any (array(
      select i.payout_id from ${payouts} i
      where i.payout_id between ${ids?.from ?? null}::uuid and ${ids?.to ?? null}::uuid
      union
      select r.payout_id from ${payouts} r
      where r.reference is not null and lower(ltrim(r.reference, '#')) = ${plain}
      union
      select p.payout_id from identity.payout_handles h
      join ${payouts} p on p.consignor_uid = h.uid and p.handle_id = h.id
      where lower(ltrim(h.handle, '$@')) = ${plain}))
    order by o.position desc limit ${sql.lit(MOST)}`.execute(searches);
  return rows;
}
