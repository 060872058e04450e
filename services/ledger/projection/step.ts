// One step: updates read tables and checkpoints in one transaction, without the keys that are held back.
import type { ReservedSql, Sql, TransactionSql } from "postgres";
import { inOneTransaction } from "#db/one-trip.ts";
import { passCrashPoint } from "#ledger/crash-point.ts";
import { numberArray, textArray } from "#ledger/log/encode.ts";
import { codeOf } from "#ledger/log/failure.ts";
import type { StoredProjection } from "#ledger/projection/define.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import { renderSql, renderStep } from "#ledger/projection/render.ts";
import { LITTLE_STEP } from "#ledger/projection/round.ts";
import type { OlderEvents, Reading } from "#ledger/projection/sources.ts";
import { PLAIN_READING } from "#ledger/projection/sources.ts";

/** A generation to feed, with its definition and the row keys that are quarantined in it. */
export type Feed = {
  readonly projection: StoredProjection;
  readonly generation: Generation;
  readonly quarantined: readonly string[];
};

/** As `read.move_checkpoints` raises it where the checkpoint is not where it is expected. */
const OVERTAKEN = "LG001";

class KeyReleased extends Error {
  override readonly name = "KeyReleased";
  readonly code = OVERTAKEN;
}

/** True when another worker moved the checkpoint or released a key: nothing was written, so look again. */
export function isOvertaken(error: unknown): boolean {
  return codeOf(error) === OVERTAKEN;
}

/** The row keys that one event touches. */
export async function keysAt(
  sql: Sql | TransactionSql,
  projection: StoredProjection,
  position: number,
): Promise<string[]> {
  const rows = await sql.unsafe<{ key: string }[]>(renderSql(projection.keysTouched, 0, "all"), [
    String(position - 1),
    String(position),
  ]);
  return rows.map((row) => row.key).sort();
}

/** How a feed reads the log up to `through`: a refused event is allowed once all its keys are held back. */
export async function readingOf(
  sql: Sql | TransactionSql,
  { projection, generation, quarantined }: Feed,
  through: number,
  older: OlderEvents,
): Promise<Reading> {
  const excused: number[] = [];
  for (const position of older.refused) {
    if (position > generation.position && position <= through) {
      const keys = await keysAt(sql, projection, position);
      if (keys.every((key) => quarantined.includes(key))) {
        excused.push(position);
      }
    }
  }
  return { ...PLAIN_READING, older, excused };
}

/** Whether a statement of the step can change anything, with events of these types. */
function hasWork(projection: StoredProjection, index: number, types: ReadonlySet<string>): boolean {
  const needed = "streamsOfKey" in projection ? projection.onlyFor?.[index] : undefined;
  return needed?.some((type) => types.has(type)) ?? true;
}

/** Sends the step's statements one after the other without waiting for results. */
export function stepStatements(
  transaction: TransactionSql | ReservedSql,
  { projection, generation, quarantined }: Feed,
  through: number,
  reading: Reading,
  types: ReadonlySet<string> | null = null,
): Promise<unknown>[] {
  const filter = quarantined.length === 0 ? "all" : "except";
  const parameters = [String(generation.position), String(through)];
  const prepare = reading.excused.length === 0;
  return renderStep(projection, generation.generation, filter, reading)
    .filter((_statement, index) => types === null || hasWork(projection, index, types))
    .map((statement) =>
      transaction
        .unsafe(
          statement,
          quarantined.length === 0 ? parameters : [...parameters, textArray(quarantined)],
          { prepare },
        )
        .execute(),
    );
}

/** The position of the feeds; they are at the same one. */
export function lowestPosition(feeds: readonly Feed[]): number {
  return Math.min(...feeds.map(({ generation }) => generation.position));
}

/** The names and generations of the feeds, as arrays. */
export function checkpointsOf(feeds: readonly Feed[]): [names: string, generations: string] {
  return [
    textArray(feeds.map(({ generation }) => generation.name)),
    numberArray(feeds.map(({ generation }) => generation.generation)),
  ];
}

/** Moves the checkpoints, which locks them until the end of the transaction, if they are at the expected position. */
function moveCheckpoints(
  transaction: ReservedSql,
  feeds: readonly Feed[],
  through: number,
): Promise<unknown> {
  return transaction
    .unsafe(
      "select read.move_checkpoints($1::text[], $2::integer[], $3::bigint, $4::bigint)",
      [...checkpointsOf(feeds), lowestPosition(feeds), through],
      { prepare: true },
    )
    .execute();
}

/**
 * Throws if a key that the step leaves out is no longer held back. It was folded again up to the checkpoint while the step
 * waited for it, and would lack the step's events for good. Only true behind the lock of the checkpoints.
 */
async function insistOnHolds(transaction: ReservedSql, feeds: readonly Feed[]): Promise<void> {
  const leftOut = feeds.flatMap(({ generation, quarantined }) =>
    quarantined.map((key) => ({ key, name: generation.name, generation: generation.generation })),
  );
  if (leftOut.length === 0) {
    return;
  }
  const [released] = await transaction.unsafe<{ name: string; key: string }[]>(
    `select h.name, h.key from unnest($1::text[], $2::integer[], $3::text[]) as h (name, generation, key)
     where not exists (
       select from read.quarantine q
       where q.projection = h.name and q.generation = h.generation and q.key = h.key)
     limit 1`,
    [
      textArray(leftOut.map(({ name }) => name)),
      numberArray(leftOut.map(({ generation }) => generation)),
      textArray(leftOut.map(({ key }) => key)),
    ],
  );
  if (released !== undefined) {
    throw new KeyReleased(`${released.key} of ${released.name} is no longer held back`);
  }
}

/**
 * Whether a step waits for the disk. A read table can always be folded again, and its checkpoint is lost together
 * with it, so `off` is enough. But a commit that does not wait reaches a standby up to 0.6 s later; `local` commits
 * reach it at once.
 */
export type StepCommit = "off" | "local";

/** The target position of a step, the older events in the log up to there, and how its transaction commits. */
export type Goal = {
  readonly through: number;
  readonly older: OlderEvents;
  readonly commit: StepCommit;
  /** The types of the step's events, so that statements without any of theirs are left out; null if they are not known. */
  readonly types?: ReadonlySet<string> | null;
};

/**
 * In kB: what is collected of an index of texts before it is sorted in. With PostgreSQL's own 4 MB, every few thousand
 * sales one step took 60 ms longer.
 */
const TEXTS_COLLECTED = "512";

/** SQL that sets these up to the end of the transaction. */
export function settingsSql(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(", ");
}

function plansWith(mode: string, scans: "on" | "off"): Readonly<Record<string, string>> {
  return {
    plan_cache_mode: mode,
    enable_seqscan: scans,
    // Without statistics, PostgreSQL would read all lines of a consignor to find the last one.
    enable_bitmapscan: scans,
    enable_hashjoin: scans,
    enable_mergejoin: scans,
    gin_pending_list_limit: TEXTS_COLLECTED,
  };
}

/**
 * A small step runs with plans that are made once: planning its statements each time took four times as long as running
 * them. Such a plan does not know how small the range is, so it may only look rows up by key. A large step is planned
 * for its own range. PostgreSQL left to itself takes a plan that was made for another size.
 */
export const SMALL_STEP_PLANS = plansWith("force_generic_plan", "off");
const LARGE_STEP_PLANS = plansWith("force_custom_plan", "on");

function setForStep(
  transaction: ReservedSql,
  isSmall: boolean,
  commit: StepCommit,
): Promise<unknown> {
  const plans = isSmall ? SMALL_STEP_PLANS : LARGE_STEP_PLANS;
  const settings = settingsSql({ synchronous_commit: commit, ...plans });
  return transaction.unsafe(`select ${settings}`, [], { prepare: true }).execute();
}

/**
 * Which feeds the step touches, by their index. The others only move their checkpoints: without this, each new
 * projection would make every write slower. The range's streams are read once for all feeds, by their positions:
 * otherwise PostgreSQL may look for streams of a kind, such as all payouts that there ever were.
 */
export function touchedFeedsSql(feeds: readonly Feed[]): string {
  const parts = feeds.map(({ projection }, index) => {
    const keys = projection.keysTouched.replaceAll("{streams}", "streams_of_step");
    return `select ${index} as feed where exists (${renderSql(keys, 0, "all")})`;
  });
  return `with streams_of_step as materialized (
      select * from log.event_streams where position > $1::bigint and position <= $2::bigint)
    ${parts.join(" union all ")}`;
}

/** The feeds with row keys that the step touches. */
async function touchedFeeds(
  transaction: ReservedSql,
  feeds: readonly Feed[],
  position: number,
  through: number,
): Promise<readonly Feed[]> {
  const rows = await transaction.unsafe<{ feed: number }[]>(
    touchedFeedsSql(feeds),
    [String(position), String(through)],
    { prepare: true },
  );
  const touched = new Set(rows.map(({ feed }) => feed));
  return feeds.filter((_feed, index) => touched.has(index));
}

/**
 * Applies the events in (position, through] to every feed; all feeds are at the same position. Statements are
 * pipelined, so that a step waits three times for answers: while sales keep the machine busy, each time takes
 * milliseconds. If a statement fails, it throws and nothing is written.
 */
export async function stepTogether(
  sql: Sql,
  feeds: readonly Feed[],
  { through, older, commit, types }: Goal,
): Promise<void> {
  const position = lowestPosition(feeds);
  // In a larger one, nearly all feeds have something to do.
  const isSmall = through - position <= LITTLE_STEP;
  // A fill whose chunks go this way is a replay or has a hurry: it reads the log from one end to the other.
  const isFilling = feeds.some(({ generation }) => generation.state === "building");
  await inOneTransaction(sql, async (transaction, begin) => {
    const begun = [begin, setForStep(transaction, isSmall && !isFilling, commit)];
    const touching = isSmall ? touchedFeeds(transaction, feeds, position, through) : feeds;
    const [touched] = await Promise.all([touching, ...begun]);
    const readings: Reading[] = [];
    for (const feed of touched) {
      readings.push(await readingOf(transaction, feed, through, older));
    }
    await Promise.all([
      moveCheckpoints(transaction, feeds, through),
      insistOnHolds(transaction, feeds),
      ...touched.flatMap((feed, index) =>
        stepStatements(transaction, feed, through, readings[index] ?? PLAIN_READING, types),
      ),
    ]);
    passCrashPoint("projection:in-step");
  });
}
