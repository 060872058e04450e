// Folds held keys again that an operator asked for: the request is a mark on the held key, written with its event.
import type { Sql, TransactionSql } from "postgres";
import { textArray } from "#ledger/log/encode.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { refoldHeld } from "#ledger/projection/refold.ts";

/**
 * Marks held keys, in the transaction that appends the operator's event: one key of the projection, or all of them.
 * Returns how many keys it marked.
 */
export async function askToFold(
  transaction: Sql | TransactionSql,
  projection: string,
  key: string | null,
): Promise<number> {
  const marked = await transaction`
    update read.quarantine set fold_again = true
    where projection = ${projection} and (${key}::text is null or key = ${key})`;
  return marked.count;
}

/** Folds all marked keys again. Those that still fail stay held with the new error, without the mark. */
export async function foldAsked(
  sql: Sql,
  projections: readonly Projection[],
  events: EventRegister,
): Promise<number> {
  const asked = await sql<{ projection: string; keys: string[] }[]>`
    select projection, array_agg(distinct key order by key) as keys from read.quarantine
    where fold_again group by projection`;
  let refolded = 0;
  for (const { projection, keys } of asked) {
    const known = projections.filter(({ name }) => name === projection);
    const result = await refoldHeld(sql, known, events, keys);
    refolded += result.refolded;
    for (const { generation, key, error } of result.failed) {
      await sql`
        update read.quarantine set error = ${error}
        where projection = ${projection} and generation = ${generation} and key = ${key}`;
    }
    await sql`
      update read.quarantine set fold_again = false, tried_at = now()
      where projection = ${projection} and key = any (${textArray(keys)}::text[])`;
  }
  return refolded;
}
