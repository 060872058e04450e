// Folds held keys again that an operator asked for: the request is a mark on the held key, written with its event.
import type { Sql, TransactionSql } from "postgres";
import { numberArray, textArray } from "#ledger/log/encode.ts";
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

type Mark = {
  readonly projection: string;
  readonly generation: number;
  readonly key: string;
  /** The row's version, which a mark that comes while the key is folded changes. */
  readonly version: string;
};

/**
 * Folds all marked keys again. Those that still fail stay held with the new error, without the mark. A key that is
 * marked again meanwhile keeps its mark: the fold may have begun before what its operator wants to have tried.
 */
export async function foldAsked(
  sql: Sql,
  projections: readonly Projection[],
  events: EventRegister,
): Promise<number> {
  const marks = await sql<Mark[]>`
    select projection, generation, key, xmin::text as version from read.quarantine
    where fold_again order by projection, generation, key`;
  let refolded = 0;
  for (const [projection, asked] of Map.groupBy(marks, (mark) => mark.projection)) {
    const known = projections.filter(({ name }) => name === projection);
    const keys = [...new Set(asked.map(({ key }) => key))];
    const result = await refoldHeld(sql, known, events, keys);
    refolded += result.refolded;
    const errors = new Map(
      result.failed.map(({ generation, key, error }) => [`${generation} ${key}`, error]),
    );
    await endTries(
      sql,
      asked.map((mark) => ({ ...mark, error: errors.get(`${mark.generation} ${mark.key}`) ?? "" })),
    );
  }
  return refolded;
}

/**
 * Takes the marks off the keys that are still held, unless they were marked again, and writes the new errors; an empty
 * one leaves the error as it is.
 */
async function endTries(
  sql: Sql,
  tried: readonly (Mark & { readonly error: string })[],
): Promise<void> {
  await sql`
    update read.quarantine q
    set fold_again = false, tried_at = now(), error = coalesce(nullif(t.error, ''), q.error)
    from unnest(
      ${textArray(tried.map(({ projection }) => projection))}::text[],
      ${numberArray(tried.map(({ generation }) => generation))}::integer[],
      ${textArray(tried.map(({ key }) => key))}::text[],
      ${textArray(tried.map(({ version }) => version))}::text[],
      ${textArray(tried.map(({ error }) => error))}::text[]
    ) as t (projection, generation, key, version, error)
    where q.projection = t.projection and q.generation = t.generation and q.key = t.key
      and q.xmin::text = t.version`;
}
