// Which held row keys show whose money: what the worker compares with the holds that are open.
import type { Sql } from "postgres";
import { uid } from "#ledger/fields.ts";
import { textArray } from "#ledger/log/encode.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { PLAIN_READING, renderSources } from "#ledger/projection/sources.ts";

/** A row key that the shown tables hold back, and the people whose money it shows. */
export type HeldMoney = {
  readonly projection: string;
  readonly generation: number;
  readonly key: string;
  readonly position: number;
  readonly uids: readonly string[];
};

/** SQL of type text[]: the people whose money a row shows, from the names of a projection and a key. */
function uidsSql(projections: readonly Projection[]): string {
  const cases = projections.flatMap(({ name, money }) =>
    money === undefined ? [] : [`when '${name}' then (${money.uidsOfKey})`],
  );
  const none = "'{}'::text[]";
  const text = cases.length === 0 ? none : `case projection ${cases.join(" ")} else ${none} end`;
  return renderSources(text, PLAIN_READING);
}

/** The keys of shown tables that are held back and show money of a person, by event. */
export function readHeldMoney(sql: Sql, projections: readonly Projection[]): Promise<HeldMoney[]> {
  return sql.unsafe<HeldMoney[]>(
    `select * from (
       select projection, key, generation, position, coalesce(${uidsSql(projections)}, '{}') as uids
       from (
         select q.projection, q.key, q.generation, q.at_position as position
         from read.quarantine q
         join read.projections p
           on p.name = q.projection and p.generation = q.generation and p.state = 'live'
         where q.projection = any ($1::text[])
       ) held
     ) named
     where cardinality(uids) > 0
     order by projection, position, key`,
    [textArray(projections.flatMap(({ name, money }) => (money === undefined ? [] : [name])))],
  );
}

/** The people whose money these rows of one projection show, by row key. */
export async function readPeopleOf(
  sql: Sql,
  projection: Projection,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await sql.unsafe<{ key: string; uids: string[] }[]>(
    `select key, coalesce(${uidsSql([projection])}, '{}') as uids
     from (select $1::text as projection, key from unnest($2::text[]) as k (key)) named`,
    [projection.name, textArray(keys)],
  );
  // A row that somebody made up may name anything.
  const isPerson = (text: string) => uid.safeParse(text).success;
  return new Map(rows.map(({ key, uids }) => [key, uids.filter(isPerson)]));
}
