// Before anything reads: every projection has tables of the version that this program knows.
import {
  createGeneration,
  flipGeneration,
  indexGeneration,
  readGenerations,
} from "#ledger/projection/generation.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import type { RunnerOptions } from "#ledger/projection/run.ts";

/**
 * Makes the tables of projections that have none, and rebuilds those whose definition is newer than what is
 * shown. Runs before anything reads; several processes may start at once.
 */
export async function ensureProjections(options: RunnerOptions): Promise<void> {
  const { sql, projections } = options;
  const reserved = await sql.reserve();
  try {
    await reserved`select pg_advisory_lock(4711, 2)`;
    const generations = await readGenerations(sql);
    for (const projection of projections) {
      const live = generations.find(
        (entry) => entry.name === projection.name && entry.state === "live",
      );
      if (live === undefined) {
        const made = await createGeneration(sql, projection);
        await indexGeneration(sql, projection, made.generation);
        await flipGeneration(sql, projection, made.generation);
      } else if (live.version !== projection.version) {
        await rebuildProjection(sql, projection, {});
      }
    }
  } finally {
    await reserved`select pg_advisory_unlock(4711, 2)`;
    reserved.release();
  }
}
