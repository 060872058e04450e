// Rebuilds without downtime: fills the next generation while the live one is used, compares, flips, or takes a flip back.
import type { Sql } from "postgres";
import { passCrashPoint } from "#ledger/crash-point.ts";
import { isUpcastMissing } from "#ledger/log/failure.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import type { Difference } from "#ledger/projection/compare.ts";
import { compareGenerations } from "#ledger/projection/compare.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { hashOfDefinition } from "#ledger/projection/definition.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import {
  createGeneration,
  dropGeneration,
  flipGeneration,
  indexGeneration,
  readGenerations,
  readLive,
} from "#ledger/projection/generation.ts";
import type { HeldKey } from "#ledger/projection/held.ts";
import { countNewlyHeld, keysHeldIn, readHeldKeysOf } from "#ledger/projection/held.ts";
import type { HoldOptions } from "#ledger/projection/hold.ts";
import { holdProjection } from "#ledger/projection/hold.ts";
import { knownThrough, NewerEventError, readKnownHead } from "#ledger/projection/newer-events.ts";
import { tableName } from "#ledger/projection/render.ts";
import type { Goal } from "#ledger/projection/step.ts";
import { stepPastFailures } from "#ledger/projection/quarantine.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { isOvertaken } from "#ledger/projection/step.ts";
import type { Upcasts } from "#ledger/projection/upcasts.ts";
import { createUpcasts } from "#ledger/projection/upcasts.ts";

export type RebuildOptions = HoldOptions & {
  readonly events: EventRegister;
  /** Shows the new tables even if they hold back keys that the shown ones do not. */
  readonly acceptHeld?: boolean;
  /** Called after each chunk with the position reached and the head to reach. */
  readonly onProgress?: (position: number, head: number) => void;
  /** Called between filling and flipping; if it returns false, the new generation stays ready but is not shown. */
  readonly mayFlip?: (differences: readonly Difference[] | undefined) => boolean | Promise<boolean>;
  /**
   * Events per chunk; each chunk is one short transaction. The signal stops between two chunks, and a later call
   * resumes there.
   */
  readonly chunk?: number;
};

export type RebuildResult = {
  readonly projection: string;
  readonly generation: number;
  readonly position: number;
  readonly flipped: boolean;
  /** Undefined when the live tables are of another version, whose step this program does not know. */
  readonly differences: readonly Difference[] | undefined;
  /** The first row keys that the new tables hold back, and the number of all. */
  readonly held: readonly HeldKey[];
  readonly heldCount: number;
  /** How many of the keys it holds back are in the shown tables: with any, only `acceptHeld` shows the new ones. */
  readonly newlyHeldCount: number;
  readonly elapsedMs: number;
};

const CHUNK = 250_000;
/** The most held keys that a result lists; `newlyHeldCount` has the number of all. */
const KEYS_NAMED = 20;

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
  options: RebuildOptions,
): Promise<Generation> {
  let current = start;
  const upcasts = createUpcasts(sql, options.events);
  for (;;) {
    const known = await readKnownHead(sql, options.events, current.position);
    if (current.position >= known.head) {
      return current;
    }
    options.signal?.throwIfAborted();
    const through = Math.min(knownThrough(known), current.position + (options.chunk ?? CHUNK));
    if (known.newer !== undefined && current.position >= through) {
      throw new NewerEventError(known.newer);
    }
    const older = await upcasts.bringTo(knownThrough(known), undefined);
    const position = await fillChunk(
      sql,
      projection,
      current,
      { through, older, commit: "off" },
      upcasts,
    );
    current = { ...current, position };
    options.onProgress?.(current.position, known.head);
    passCrashPoint("rebuild:between-chunks");
  }
}

/**
 * Applies one chunk. If an event cannot be applied, its row key is held back here too. Returns the position reached.
 */
async function fillChunk(
  sql: Sql,
  projection: Projection,
  generation: Generation,
  goal: Goal,
  upcasts: Upcasts,
): Promise<number> {
  const { name } = generation;
  const quarantined = await keysHeldIn(sql, name, generation.generation);
  try {
    await stepPastFailures(sql, { projection, generation, quarantined }, goal);
    return goal.through;
  } catch (error) {
    if (isUpcastMissing(error)) {
      upcasts.doubt();
    }
    if (isOvertaken(error) || isUpcastMissing(error)) {
      // Workers also feed a resumed generation that was ready already: continue from its current position.
      const [row] = await sql<{ position: number }[]>`
        select position from read.projections
        where name = ${name} and generation = ${generation.generation}`;
      if (row !== undefined) {
        return row.position;
      }
    }
    throw error;
  }
}

/** From now on workers feed it too. */
export async function markReady(sql: Sql, generation: Generation): Promise<void> {
  await sql`
    update read.projections set state = 'ready'
    where name = ${generation.name} and generation = ${generation.generation} and state = 'building'`;
}

async function dropOlder(sql: Sql, projection: Projection, keep: readonly number[]): Promise<void> {
  for (const entry of await readGenerations(sql)) {
    if (entry.name === projection.name && !keep.includes(entry.generation)) {
      await dropGeneration(sql, projection, entry.generation);
    }
  }
}

/**
 * Builds the next generation of one projection, compares it with the live one, and flips. Waits while another process
 * rebuilds or replays it.
 */
export async function rebuildProjection(
  sql: Sql,
  projection: Projection,
  options: RebuildOptions,
): Promise<RebuildResult> {
  return holdProjection(sql, projection.name, options, () => rebuildHeld(sql, projection, options));
}

async function rebuildHeld(
  sql: Sql,
  projection: Projection,
  options: RebuildOptions,
): Promise<RebuildResult> {
  const startedAt = performance.now();
  const found = await findOrCreate(sql, projection);
  const filled = await fillGeneration(sql, projection, found, options);
  await indexGeneration(sql, projection, filled.generation);
  for (const table of projection.tables) {
    await sql.unsafe(`analyze ${tableName(table.name, filled.generation)}`);
  }
  await markReady(sql, filled);
  await createRunner({ sql, projections: [projection], events: options.events }).catchUp();
  const live = await readLive(sql, projection.name);
  const differences =
    live?.version === projection.version
      ? await compareGenerations(sql, projection, live, filled.generation)
      : undefined;
  const newlyHeldCount = await countNewlyHeld(sql, projection.name, filled.generation);
  const mayShow = newlyHeldCount === 0 || options.acceptHeld === true;
  const mayFlip = ((await options.mayFlip?.(differences)) ?? true) && mayShow;
  if (mayFlip) {
    passCrashPoint("rebuild:before-flip");
    await flipGeneration(sql, projection, filled.generation);
    await dropOlder(sql, projection, [filled.generation, live?.generation ?? 0]);
  }
  const reached = (await readGenerations(sql)).find(
    (entry) => entry.name === projection.name && entry.generation === filled.generation,
  );
  return {
    projection: projection.name,
    generation: filled.generation,
    position: reached?.position ?? filled.position,
    flipped: mayFlip,
    differences,
    held: await readHeldKeysOf(sql, projection.name, filled.generation, KEYS_NAMED),
    heldCount: (await keysHeldIn(sql, projection.name, filled.generation)).length,
    newlyHeldCount,
    elapsedMs: performance.now() - startedAt,
  };
}

/** The result of taking back a flip. */
export type TakenBack =
  /** `generation` is shown now and was not before. */
  | {
      readonly kind: "taken-back";
      readonly generation: number;
      /** How many rows differ from the tables shown until now. */
      readonly differing: number;
    }
  /** There are no older tables than the shown generation, which is undefined if nothing is shown. */
  | { readonly kind: "nothing-older"; readonly generation: number | undefined }
  /** The older tables are of another version, which this program cannot read. */
  | { readonly kind: "other-version"; readonly generation: number; readonly version: number };

/**
 * Shows the tables from before the last flip again; they have been fed all along. A second call goes back no further.
 */
export async function takeBack(
  sql: Sql,
  projection: Projection,
  events: EventRegister,
): Promise<TakenBack> {
  const generations = (await readGenerations(sql)).filter(
    (entry) => entry.name === projection.name,
  );
  const live = generations.find((entry) => entry.state === "live");
  const older = generations.findLast(
    (entry) => entry.state === "previous" && entry.generation < (live?.generation ?? 0),
  );
  if (older === undefined || live === undefined) {
    return { kind: "nothing-older", generation: live?.generation };
  }
  if (older.version !== projection.version) {
    return { kind: "other-version", generation: older.generation, version: older.version };
  }
  await createRunner({ sql, projections: [projection], events }).catchUp();
  const differences =
    live.version === older.version
      ? await compareGenerations(sql, projection, live, older.generation)
      : [];
  await flipGeneration(sql, projection, older.generation);
  const differing = differences.reduce((sum, { rows }) => sum + rows, 0);
  return { kind: "taken-back", generation: older.generation, differing };
}

/** Drops what unfinished rebuilds left. Returns how many generations were dropped. */
export async function cancelRebuild(sql: Sql, projection: Projection): Promise<number> {
  const unfinished = (await readGenerations(sql)).filter(
    (entry) =>
      entry.name === projection.name && (entry.state === "building" || entry.state === "ready"),
  );
  for (const entry of unfinished) {
    await dropGeneration(sql, projection, entry.generation);
  }
  return unfinished.length;
}
