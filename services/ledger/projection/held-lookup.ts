// Finds whom held keys concern, so that lists and single reads can say that rows may be missing or old.
import type { Sql } from "postgres";
import { textArray } from "#ledger/log/encode.ts";
import type { Projection } from "#ledger/projection/define.ts";

export type HeldLookup = {
  /**
   * How many keys the shown tables of these projections hold back; only those that concern the person, if one is
   * given.
   */
  readonly count: (projections: readonly string[], uid?: string) => Promise<number>;
  /** Whether this row is held back; if a person is given, whether it concerns them. */
  readonly isHeld: (projection: string, key: string, uid?: string) => Promise<boolean>;
};

/**
 * A row concerns everyone named by one of its streams, or by another stream of an event in those. `read` runs a
 * statement in the database whose tables are shown.
 */
export function createHeldLookup(
  read: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>,
  projections: readonly Projection[],
): HeldLookup {
  const cases = projections
    .map(({ name, streamsOfKey }) => `when '${name}' then (${streamsOfKey})`)
    .join(" ");
  const none = "'{}'::text[]";
  const streams = cases === "" ? none : `case q.projection ${cases} else ${none} end`;
  const text = `
    select count(*) as held
    from read.quarantine q
    join read.projections p
      on p.name = q.projection and p.generation = q.generation and p.state = 'live'
    cross join lateral (select ${streams} as streams) of_key
    where q.projection = any ($1::text[]) and ($2::text is null or q.key = $2)
      and ($3::text is null
        or exists (select from unnest(of_key.streams) as s (id) where position($3 in s.id) > 0)
        or exists (
          select from log.event_streams s join log.event_streams other on other.position = s.position
          where s.stream_id = any (of_key.streams) and position($3 in other.stream_id) > 0))`;
  const count = async (names: readonly string[], key: string | null, uid: string | null) => {
    const [row] = await read(
      async (sql) => await sql.unsafe<{ held: number }[]>(text, [textArray(names), key, uid]),
    );
    return row?.held ?? 0;
  };
  return {
    count: (names, uid) => count(names, null, uid ?? null),
    isHeld: async (projection, key, uid) => (await count([projection], key, uid ?? null)) > 0,
  };
}
