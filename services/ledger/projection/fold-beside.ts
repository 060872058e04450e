// Folds row keys from the events of their streams into temporary tables, which are compared with the live ones or replace their rows.
import type { ReservedSql, Sql } from "postgres";
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

type Range = { readonly after: number; readonly through: number };

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

/** The temporary table of the positions that the keys are folded from. */
const POSITIONS = "pg_temp.positions_to_fold";

/**
 * How many events one statement folds: of the keys' streams, and where the whole log is read. As long as a statement runs,
 * PostgreSQL keeps all old versions of the rows that each step updates, and steps get slow.
 */
const OWN_AT_ONCE = 1_000;
/** In no more parts: each looks up every position of the keys. */
const MOST_PARTS = 10;
const LOG_AT_ONCE = 50_000;

/** What may be left to a transaction, and in how many rounds it gets so little where much is written. */
const NEAR = 1_000;
const MOST_ROUNDS = 20;

export type BesideOrder = {
  readonly projection: StoredProjection;
  readonly generation: number;
  readonly shares: readonly Share[];
};

/** Empty tables like those of a generation, which only one session sees, and what was folded into them. */
export type Beside = {
  readonly session: ReservedSql;
  /** Folds on, up to this position. Outside of a transaction, each statement is one of its own. */
  readonly foldTo: (through: number, older: OlderEvents) => Promise<void>;
  /** Folds up to a position that moves on meanwhile, until it is nearly there. */
  readonly foldNear: (
    readPosition: () => Promise<number>,
    readOlder: (through: number) => Promise<OlderEvents>,
  ) => Promise<void>;
};

/** Notes the positions in the range at which the keys' streams have events, and returns them in order. */
async function addPositions(
  session: ReservedSql,
  streams: readonly string[],
  also: readonly number[],
  { after, through }: Range,
): Promise<readonly number[]> {
  const rows = await session<{ position: number }[]>`
    insert into pg_temp.positions_to_fold
    select position from log.event_streams
    where stream_id = any (${textArray(streams)}::text[])
      and position > ${after} and position <= ${through}
    union
    select position from log.events
    where position = any (${numberArray(also)}::bigint[])
      and position > ${after} and position <= ${through}
    returning position`;
  // Without, PostgreSQL takes it for a table of some size, and reads the whole log.
  await session.unsafe(`analyze ${POSITIONS}`);
  return rows.map(({ position }) => position).toSorted((a, b) => a - b);
}

/** The range in parts, each up to one of these positions, the last one up to its end. */
function partsOf({ after, through }: Range, ends: readonly number[]): readonly Range[] {
  const inner = ends.filter((end) => end < through);
  return [...inner, through].map((end, index) => ({
    after: inner[index - 1] ?? after,
    through: end,
  }));
}

async function rangesOf(
  session: ReservedSql,
  { streams, also = [] }: Share,
  range: Range,
): Promise<readonly Range[]> {
  if (streams === null) {
    const count = Math.ceil((range.through - range.after) / LOG_AT_ONCE);
    const ends = Array.from({ length: count }, (_, nth) => range.after + (nth + 1) * LOG_AT_ONCE);
    return partsOf(range, ends);
  }
  const positions = await addPositions(session, streams, also, range);
  const atOnce = Math.max(OWN_AT_ONCE, Math.ceil(positions.length / MOST_PARTS));
  const ends = positions.filter((_, nth) => (nth + 1) % atOnce === 0);
  return positions.length === 0 ? [] : partsOf(range, ends);
}

/** Runs the step for these keys over the events of their streams, into the temporary tables. */
async function foldRange(
  session: ReservedSql,
  { projection, shares }: BesideOrder,
  range: Range,
  older: OlderEvents,
): Promise<void> {
  for (const share of shares) {
    const reading = { older, excused: [], only: share.streams === null ? null : POSITIONS };
    const statements = projection.step.map((statement) =>
      render(statement, { tableOf: temporaryName, filter: "only", reading }),
    );
    for (const { after, through } of await rangesOf(session, share, range)) {
      for (const statement of statements) {
        await session.unsafe(statement, [String(after), String(through), textArray(share.keys)]);
      }
    }
  }
}

/**
 * Only joins that look rows up one by one, where the keys have streams of their own: PostgreSQL does not know how few events a
 * sale has, and would read all positions for each refund.
 */
const JOINS = ["enable_mergejoin", "enable_hashjoin"] as const;

async function setJoins(session: ReservedSql, { shares }: BesideOrder): Promise<void> {
  if (shares.every(({ streams }) => streams !== null)) {
    await session.unsafe(JOINS.map((join) => `set ${join} = off`).join("; "));
  }
}

/** With the keys that the step needs. */
async function makeTables(session: ReservedSql, { projection, generation }: BesideOrder) {
  await session.unsafe("create temporary table positions_to_fold (position bigint primary key)");
  for (const { name, keys } of projection.tables) {
    const like = `like ${tableName(name, generation)} including defaults including generated`;
    await session.unsafe(`create temporary table refold_${name} (${[like, ...keys].join(", ")})`);
  }
}

/**
 * Makes the tables and drops them after `use`. What is in the log never changes, so nothing is folded in one long
 * transaction: `use` begins one when it compares or swaps.
 */
export async function withTablesBeside<Result>(
  sql: Sql,
  order: BesideOrder,
  use: (beside: Beside) => Promise<Result>,
): Promise<Result> {
  const session = await sql.reserve();
  const names = [POSITIONS, ...order.projection.tables.map(({ name }) => temporaryName(name))];
  let folded = 0;
  const foldTo: Beside["foldTo"] = async (through, older) => {
    if (through > folded) {
      await foldRange(session, order, { after: folded, through }, older);
      folded = through;
    }
  };
  const foldNear: Beside["foldNear"] = async (readPosition, readOlder) => {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const position = await readPosition();
      if (round > 0 && position - folded <= NEAR) {
        return;
      }
      await foldTo(position, await readOlder(position));
    }
  };
  try {
    await makeTables(session, order);
    await setJoins(session, order);
    return await use({ session, foldTo, foldNear });
  } finally {
    const resets = JOINS.map((join) => `reset ${join}`);
    // Fails only on a lost connection, whose temporary tables and settings are gone.
    await session
      .unsafe([`drop table if exists ${names.join(", ")}`, ...resets].join("; "))
      .catch(() => undefined);
    session.release();
  }
}
