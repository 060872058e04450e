// Builds the next generation of read tables next to the shown ones, up to where workers feed it too.
import type { Sql } from "postgres";
import { passCrashPoint } from "#ledger/crash-point.ts";
import { codeOf, isNoFaultOfData, isUpcastMissing } from "#ledger/log/failure.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { hashOfDefinition } from "#ledger/projection/definition.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import {
  createGeneration,
  dropGeneration,
  indexGeneration,
  readGenerations,
} from "#ledger/projection/generation.ts";
import { keysHeldIn } from "#ledger/projection/held.ts";
import type { KnownLog } from "#ledger/projection/newer-events.ts";
import { createKnownLog, knownThrough, NewerEventError } from "#ledger/projection/newer-events.ts";
import type { RebuildPhase } from "#ledger/projection/orders.ts";
import type { Pace } from "#ledger/projection/pace.ts";
import { fullPace } from "#ledger/projection/pace.ts";
import type { HeldNews } from "#ledger/projection/quarantine.ts";
import { stepPastFailures } from "#ledger/projection/quarantine.ts";
import { renderSql, tableName } from "#ledger/projection/render.ts";
import { isOneStatement, stepInOneStatement } from "#ledger/projection/step-function.ts";
import type { Feed, Goal } from "#ledger/projection/step.ts";
import { isOvertaken } from "#ledger/projection/step.ts";
import { StuckTables } from "#ledger/projection/stuck-tables.ts";
import type { Upcasts } from "#ledger/projection/upcasts.ts";
import { createUpcasts } from "#ledger/projection/upcasts.ts";

/** How far a build is. */
export type Progress = {
  readonly phase: RebuildPhase;
  readonly generation: number;
  readonly position: number;
  /** The position to reach. */
  readonly head: number;
};

export type BuildOptions = {
  readonly events: EventRegister;
  /** Stops between two chunks; a later call resumes there. */
  readonly signal?: AbortSignal;
  /** Called after each chunk with the position reached and the head to reach. */
  readonly onProgress?: (position: number, head: number) => void;
  /** Called when rows of the new tables are held back, with the number of their keys. */
  readonly onRowsHeld?: (keyCount: number) => void;
  /** Awaited after each chunk and before each phase. If it throws, the build stops there. */
  readonly onStage?: (progress: Progress) => Promise<void>;
  /** Events per chunk; each chunk is one short transaction. Replaces the pace's own. */
  readonly chunk?: number;
  /** As fast as the machine can by default. */
  readonly pace?: Pace;
  /** Shared by those who build several projections. */
  readonly knownLog?: KnownLog;
  /** For a replay that checks tables: also runs the statements of a step that should have nothing to do. */
  readonly runsAll?: boolean;
};

/** The generation that a canceled or killed rebuild left, if this definition made it; else a new one. */
async function findOrCreate(sql: Sql, projection: Projection): Promise<Generation> {
  const generations = await readGenerations(sql);
  const unfinished = generations.filter(
    (entry) =>
      entry.name === projection.name && (entry.state === "building" || entry.state === "ready"),
  );
  const hash = hashOfDefinition(projection);
  const resumable = unfinished.find((entry) => entry.definitionHash === hash);
  for (const entry of unfinished) {
    if (entry !== resumable) {
      await dropGeneration(sql, projection, entry.generation);
    }
  }
  return resumable ?? createGeneration(sql, projection);
}

/**
 * Feeds a generation that nobody else feeds up to the head. Returns its position. Throws NewerEventError at an event
 * that this program does not know.
 */
export async function fillGeneration(
  sql: Sql,
  projection: Projection,
  start: Generation,
  options: BuildOptions,
): Promise<Generation> {
  let current = start;
  const upcasts = createUpcasts(sql, options.events);
  const pace = options.pace ?? fullPace;
  const look = options.knownLog ?? createKnownLog(sql, options.events);
  // Every event up to here is known. Each round looks only as far as its own chunk.
  let checkedTo = start.position;
  for (;;) {
    const end = current.position + (options.chunk ?? pace.chunk());
    const known = await look(checkedTo, end);
    if (current.position >= known.head) {
      return current;
    }
    options.signal?.throwIfAborted();
    const through = Math.min(knownThrough(known), end);
    if (known.newer !== undefined && current.position >= through) {
      throw new NewerEventError(known.newer);
    }
    const { hasOlder } = known;
    const older = await upcasts.bringTo(through, { after: checkedTo, hasOlder });
    // A chunk that ended early has events that were looked at before.
    const isWhole = checkedTo === current.position && options.runsAll !== true;
    checkedTo = through;
    const from = { position: current.position, at: performance.now() };
    const types = isWhole ? known.types : null;
    const goal: Goal = { through, older, commit: "off", types };
    const feed = { projection, generation: current };
    const position = await fillChunk(sql, feed, goal, upcasts, {
      hasPace: options.pace !== undefined,
      // Where many rows fail, a chunk takes minutes.
      onHeld({ keys, atPosition }) {
        options.signal?.throwIfAborted();
        options.onRowsHeld?.(keys.length);
        options.onProgress?.(atPosition - 1, known.head);
      },
    });
    current = { ...current, position };
    const ms = performance.now() - from.at;
    options.onProgress?.(position, known.head);
    const { generation } = current;
    await options.onStage?.({ phase: "filling", generation, position, head: known.head });
    passCrashPoint("rebuild:between-chunks");
    if (options.pace !== undefined && position >= known.head - NEAR) {
      // The head moves on while events are written: the rest is a step like any other.
      return current;
    }
    await pace.rest(sql, { events: Math.max(1, position - from.position), ms });
  }
}

type Filling = { readonly hasPace: boolean; readonly onHeld: (news: HeldNews) => void };

/** With a pace, tables this close to the head are left to the workers. */
const NEAR = 500;

/**
 * Applies one chunk. With a pace, a small one is applied as workers do, with plans that are kept; replays that check tables
 * have none, and run each statement of the step.
 */
async function stepOrHold(
  sql: Sql,
  feed: Feed,
  goal: Goal,
  { hasPace, onHeld }: Filling,
): Promise<void> {
  if (hasPace && isOneStatement(sql, [feed], goal)) {
    try {
      await stepInOneStatement(sql, [feed], goal);
      return;
    } catch (error) {
      if (isOvertaken(error) || isNoFaultOfData(error)) {
        throw error;
      }
    }
  }
  await stepPastFailures(sql, feed, goal, onHeld);
}

/**
 * Applies one chunk. If an event cannot be applied, its row key is held back here too. Returns the position reached.
 */
async function fillChunk(
  sql: Sql,
  { projection, generation }: Pick<Feed, "projection" | "generation">,
  goal: Goal,
  upcasts: Upcasts,
  filling: Filling,
): Promise<number> {
  const { name } = generation;
  const quarantined = await keysHeldIn(sql, name, generation.generation);
  try {
    await stepOrHold(sql, { projection, generation, quarantined }, goal, filling);
    return goal.through;
  } catch (error) {
    if (isUpcastMissing(error)) {
      upcasts.doubt();
    }
    if (isNoFaultOfData(error) && !isUpcastMissing(error)) {
      throw error;
    }
    const [row] = await sql<{ position: number }[]>`
      select position from read.projections
      where name = ${name} and generation = ${generation.generation}`;
    if (row !== undefined && (isOvertaken(error) || isUpcastMissing(error))) {
      // Workers also feed a resumed generation that was ready already: continue from its current position.
      return row.position;
    }
    // An error without a code is none of PostgreSQL's: it was asked to stop, for example.
    throw row === undefined || codeOf(error) === undefined
      ? error
      : new StuckTables({ ...generation, ...row }, error);
  }
}

/**
 * Fills a new generation in the way that suits many events at once, and in a busy shop by the usual step: what makes the
 * rest at once is one long statement, which cannot give way. Returns its position.
 */
async function fillAtOnce(
  sql: Sql,
  projection: Projection,
  start: Generation,
  { isBusy, ...options }: BuildOptions & { readonly isBusy: boolean },
): Promise<Generation> {
  const { fill } = projection;
  // Workers may already feed one that is ready, by the usual step.
  if (fill === undefined || start.state !== "building" || isBusy) {
    return fillGeneration(sql, projection, start, options);
  }
  // `onlyFor` and `shortcuts` are about the statements of `step`.
  const filling: Projection = { ...projection, step: fill.step, onlyFor: [], shortcuts: [] };
  const filled = await fillGeneration(sql, filling, start, options);
  await sql.begin(async (transaction) => {
    for (const statement of fill.finish) {
      await transaction.unsafe(renderSql(statement, filled.generation, "all"));
    }
  });
  return filled;
}

/** From now on workers feed it too. */
export async function markReady(sql: Sql, generation: Generation): Promise<void> {
  await sql`
    update read.projections set state = 'ready'
    where name = ${generation.name} and generation = ${generation.generation} and state = 'building'`;
}

/** A phase in which no events are applied. */
export function stageOf(phase: RebuildPhase, { generation, position }: Generation): Progress {
  return { phase, generation, position, head: position };
}

/**
 * Finds or makes the next generation, fills and indexes it, and lets workers feed it. It is not shown. Whoever has no
 * workers brings it from the last chunk to the head.
 */
export async function buildGeneration(
  sql: Sql,
  projection: Projection,
  options: BuildOptions,
): Promise<Generation> {
  const found = await findOrCreate(sql, projection);
  const stage = (phase: RebuildPhase, reached: Generation) =>
    options.onStage?.(stageOf(phase, reached));
  // One that was interrupted may lack what its own fill makes at the end, so it is filled in that way.
  const isBusy = found.position === 0 && (await options.pace?.isBusy(sql)) === true;
  if (isBusy) {
    await indexGeneration(sql, projection, found.generation);
  }
  await stage("filling", found);
  const filled = await fillAtOnce(sql, projection, found, { ...options, isBusy });
  await stage("indexing", filled);
  await indexGeneration(sql, projection, filled.generation);
  for (const table of projection.tables) {
    await sql.unsafe(`analyze ${tableName(table.name, filled.generation)}`);
  }
  // What was written in the meantime: without this, the workers' next step would be a long one.
  const reached =
    options.pace === undefined ? filled : await fillGeneration(sql, projection, filled, options);
  await markReady(sql, reached);
  await stage("comparing", reached);
  return reached;
}
