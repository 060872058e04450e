// Folds row keys from the events of their streams into temporary tables, to compare them with the live ones.
import type { Sql, TransactionSql } from "postgres";
import { numberArray, textArray } from "#ledger/log/encode.ts";
import type { StoredProjection } from "#ledger/projection/define.ts";
import { render, tableName } from "#ledger/projection/render.ts";
import type { OlderEvents } from "#ledger/projection/sources.ts";

/** Keys that are folded together, with their streams; null if the whole log has to be read. */
export type Share = {
  readonly keys: readonly string[];
  readonly streams: readonly string[] | null;
  /** Positions of events that are read too, whatever their streams are. */
  readonly also?: readonly number[];
};

export type Range = { readonly after: number; readonly through: number };

export function temporaryName(table: string): string {
  return `pg_temp.refold_${table}`;
}

export async function sharesOf(
  sql: Sql,
  projection: StoredProjection,
  keys: readonly string[],
): Promise<Share[]> {
  if (!("streamsOfKey" in projection)) {
    return [{ keys, streams: null }];
  }
  const rows = await sql.unsafe<{ key: string; streams: string[] }[]>(
    `select key, coalesce((${projection.streamsOfKey}), '{}') as streams from unnest($1::text[]) as keys (key)`,
    [textArray(keys)],
  );
  const known = rows.filter(({ streams }) => streams.length > 0);
  const unknown = rows.filter(({ streams }) => streams.length === 0);
  return [
    { keys: known.map(({ key }) => key), streams: known.flatMap(({ streams }) => streams) },
    { keys: unknown.map(({ key }) => key), streams: null },
  ].filter((share) => share.keys.length > 0);
}

async function positionsIn(
  sql: TransactionSql,
  { streams, also = [] }: Share,
  { after, through }: Range,
): Promise<number[] | null> {
  if (streams === null) {
    return null;
  }
  const rows = await sql<{ position: number }[]>`
    select position from log.event_streams
    where stream_id = any (${textArray(streams)}::text[])
      and position > ${after} and position <= ${through}
    union
    select position from log.events
    where position = any (${numberArray(also)}::bigint[])
      and position > ${after} and position <= ${through}
    order by position`;
  return rows.map(({ position }) => position);
}

/** Runs the step for these keys over the events of their streams, into the temporary tables. */
export async function foldBeside(
  sql: TransactionSql,
  projection: StoredProjection,
  shares: readonly Share[],
  range: Range,
  older: OlderEvents,
): Promise<void> {
  for (const share of shares) {
    const only = await positionsIn(sql, share, range);
    if (only !== null && only.length === 0) {
      continue;
    }
    const parameters = [String(range.after), String(range.through), textArray(share.keys)];
    for (const statement of projection.step) {
      const text = render(statement, {
        tableOf: temporaryName,
        filter: "only",
        reading: { older, excused: [], only },
      });
      await sql.unsafe(text, parameters);
    }
  }
}

/**
 * Creates empty tables like those of the generation, with the keys that the step needs; only this transaction sees
 * them.
 */
export async function makeTablesBeside(
  sql: TransactionSql,
  projection: StoredProjection,
  generation: number,
): Promise<void> {
  for (const { name, keys } of projection.tables) {
    const like = `like ${tableName(name, generation)} including defaults including generated`;
    await sql.unsafe(
      `create temporary table refold_${name} (${[like, ...keys].join(", ")}) on commit drop`,
    );
  }
}
