// Compares published heads with the log, for verify, for thinning and for accepting heads.
import type { Sql, TransactionSql } from "postgres";
import { hexArray, numberArray } from "#ledger/log/encode.ts";
import type { PublishedHead } from "#ledger/verify/chain.ts";

/** The heads that the log does not contain: beyond its end, or with another hash at their position. */
export async function findContradicted<Head extends PublishedHead>(
  sql: Sql | TransactionSql,
  heads: readonly Head[],
): Promise<Head[]> {
  if (heads.length === 0) {
    return [];
  }
  const rows = await sql<{ number: number }[]>`
    select h.number from unnest(
      ${numberArray(heads.map(({ position }) => position))}::text::bigint[],
      ${hexArray(heads.map(({ hash }) => hash))}::text::bytea[]) with ordinality as h (position, hash, number)
    left join log.events e on e.position = h.position
    where h.position > 0 and e.hash is distinct from h.hash
    order by h.number`;
  return rows.flatMap(({ number }) => heads[number - 1] ?? []);
}
