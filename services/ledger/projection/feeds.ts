// Lists what to feed: each generation that is shown or kept ready, with the definition that it was made with.
import type { Sql } from "postgres";
import type { Projection, StoredProjection } from "#ledger/projection/define.ts";
import { hashOfDefinition, readDefinition } from "#ledger/projection/definition.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import type { Feed } from "#ledger/projection/step.ts";

export type ReadFeeds = () => Promise<{
  readonly feeds: readonly Feed[];
  /** Whether new tables are being made. */
  readonly isRebuilding: boolean;
}>;

/**
 * Finds the feeds of these projections. A definition is read once, and again when its hash changes, so that a fixed
 * one is used from the next step on.
 */
export function createFeedReader(sql: Sql, projections: readonly Projection[]): ReadFeeds {
  const known = new Map<string, StoredProjection>(
    projections.map((entry) => [hashOfDefinition(entry), entry]),
  );

  /** Undefined for tables of another version whose definition was not kept: a program of that version feeds them. */
  async function definitionOf(generation: Generation): Promise<StoredProjection | undefined> {
    const { name, definitionHash } = generation;
    if (definitionHash === null) {
      return projections.find(
        (entry) => entry.name === name && entry.version === generation.version,
      );
    }
    const found = known.get(definitionHash);
    if (found !== undefined) {
      return found;
    }
    const stored = await readDefinition(sql, name, generation.generation);
    // A definition that does not match its hash was changed by hand: it feeds nothing, and verify reports it.
    if (stored === undefined || hashOfDefinition(stored) !== definitionHash) {
      return undefined;
    }
    known.set(definitionHash, stored);
    return stored;
  }

  return async () => {
    const [generations, held] = await Promise.all([
      readGenerations(sql),
      sql<{ projection: string; generation: number; key: string }[]>`
        select projection, generation, key from read.quarantine order by projection, generation, key`,
    ]);
    const feeds: Feed[] = [];
    for (const generation of generations) {
      const isOurs = projections.some((entry) => entry.name === generation.name);
      const projection =
        isOurs && generation.state !== "building" ? await definitionOf(generation) : undefined;
      if (projection !== undefined) {
        const quarantined = held
          .filter(
            (entry) =>
              entry.projection === generation.name && entry.generation === generation.generation,
          )
          .map((entry) => entry.key);
        feeds.push({ projection, generation, quarantined });
      }
    }
    const isRebuilding = generations.some(({ state }) => state === "building" || state === "ready");
    return { feeds, isRebuilding };
  };
}
