// Rebuilding without downtime: fill the next generation beside the live one, compare, flip, or take it back.
import type { Sql } from "postgres";
import { passCrashPoint } from "#ledger/crash-point.ts";
import { isServerTrouble } from "#ledger/log/failure.ts";
import { readHead } from "#ledger/log/read.ts";
import type { Difference } from "#ledger/projection/compare.ts";
import { compareGenerations } from "#ledger/projection/compare.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import {
  createGeneration,
  dropGeneration,
  flipGeneration,
  indexGeneration,
  readGenerations,
} from "#ledger/projection/generation.ts";
import type { HoldOptions } from "#ledger/projection/hold.ts";
import { holdProjection } from "#ledger/projection/hold.ts";
import { tableName } from "#ledger/projection/render.ts";
import { quarantineFirstFailure, readQuarantine } from "#ledger/projection/quarantine.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { isOvertaken, stepTogether } from "#ledger/projection/step.ts";

export type RebuildOptions = HoldOptions & {
  /** Called after each chunk: positions done, and the head aimed at. */
  readonly onProgress?: (position: number, head: number) => void;
  /** Asked between filling and flipping; answering false leaves the new generation ready, not shown. */
  readonly mayFlip?: (differences: readonly Difference[] | undefined) => boolean | Promise<boolean>;
  /** Events a chunk; each chunk is one short transaction. The signal stops between two, a later call resumes there. */
  readonly chunk?: number;
};

export type RebuildResult = {
  readonly projection: string;
  readonly generation: number;
  readonly position: number;
  readonly flipped: boolean;
  /** Undefined when the live tables are of another version, whose step this program does not know. */
  readonly differences: readonly Difference[] | undefined;
  readonly elapsedMs: number;
};

const CHUNK = 250_000;

/** The generation a cancelled or killed rebuild left, if it is of this version; else a new one. */
async function findOrCreate(sql: Sql, projection: Projection): Promise<Generation> {
  const generations = await readGenerations(sql);
  const unfinished = generations.filter(
    (entry) =>
      entry.name === projection.name && (entry.state === "building" || entry.state === "ready"),
  );
  const resumable = unfinished.find((entry) => entry.version === projection.version);
  for (const entry of unfinished) {
    if (entry !== resumable) {
      await dropGeneration(sql, projection, entry.generation);
    }
  }
  return resumable ?? createGeneration(sql, projection);
}

/** Feeds a generation that nobody else feeds up to the head. Returns where it stands. */
export async function fillGeneration(
  sql: Sql,
  projection: Projection,
  start: Generation,
  options: RebuildOptions,
): Promise<Generation> {
  let current = start;
  for (;;) {
    const head = await readHead(sql);
    if (current.position >= head.position) {
      return current;
    }
    options.signal?.throwIfAborted();
    const through = Math.min(head.position, current.position + (options.chunk ?? CHUNK));
    current = { ...current, position: await fillChunk(sql, projection, current, through) };
    options.onProgress?.(current.position, head.position);
    passCrashPoint("rebuild:between-chunks");
  }
}

/** One chunk; an event that cannot be applied sets its row key aside here too. Returns the position reached. */
async function fillChunk(
  sql: Sql,
  projection: Projection,
  generation: Generation,
  through: number,
): Promise<number> {
  const feed = {
    projection,
    generation,
    quarantined: (await readQuarantine(sql))
      .filter(
        (entry) =>
          entry.projection === generation.name && entry.generation === generation.generation,
      )
      .map((entry) => entry.key),
  };
  try {
    await stepTogether(sql, [feed], through);
    return through;
  } catch (error) {
    if (isServerTrouble(error)) {
      throw error;
    }
    if (isOvertaken(error)) {
      // A resumed generation that was ready already is fed by workers too: go on from where they are.
      const [row] = await sql<{ position: number }[]>`
        select position from read.projections
        where name = ${generation.name} and generation = ${generation.generation}`;
      if (row === undefined) {
        throw error;
      }
      return row.position;
    }
    return (await quarantineFirstFailure(sql, feed, through)).reached;
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
 * Builds the next generation of one projection, compares it with the live one, and flips. Waits while
 * somebody else rebuilds or replays it.
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
  await createRunner({ sql, projections: [projection] }).catchUp();
  const live = (await readGenerations(sql)).find(
    (entry) => entry.name === projection.name && entry.state === "live",
  );
  const differences =
    live?.version === projection.version
      ? await compareGenerations(sql, projection, live, filled.generation)
      : undefined;
  const mayFlip = (await options.mayFlip?.(differences)) ?? true;
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
    elapsedMs: performance.now() - startedAt,
  };
}

/** Shows the previous generation again; it was fed on all the while. */
export async function takeBack(sql: Sql, projection: Projection): Promise<number> {
  const previous = (await readGenerations(sql)).find(
    (entry) => entry.name === projection.name && entry.state === "previous",
  );
  if (previous === undefined) {
    throw new Error(`${projection.name} has no previous generation to take back`);
  }
  if (previous.version !== projection.version) {
    throw new Error(
      `The previous generation of ${projection.name} is of version ${previous.version}; run the program of that version`,
    );
  }
  await createRunner({ sql, projections: [projection] }).catchUp();
  await flipGeneration(sql, projection, previous.generation);
  return previous.generation;
}

/** Drops whatever an unfinished rebuild left. Returns how many generations went. */
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
