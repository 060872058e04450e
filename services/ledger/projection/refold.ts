// Repairs held keys in place: folds each again with the current step.
import type { Sql } from "postgres";
import { isNoFaultOfData } from "#ledger/log/failure.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import type { Projection, StoredProjection } from "#ledger/projection/define.ts";
import { keepDefinition, makesSameTables, readDefinition } from "#ledger/projection/definition.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import type { HeldKey } from "#ledger/projection/held.ts";
import { keysHeldIn, readHeldKeysOf } from "#ledger/projection/held.ts";
import { refoldKeys } from "#ledger/projection/refold-keys.ts";
import type { Upcasts } from "#ledger/projection/upcasts.ts";
import { createUpcasts, startUpcasts } from "#ledger/projection/upcasts.ts";

export type Refolded = {
  readonly refolded: number;
  /** Keys that still cannot be folded, with the new error. */
  readonly failed: readonly HeldKey[];
};

/** How many keys are folded in one transaction while nothing fails. */
const TOGETHER = 200;

/**
 * The definition that repairs a generation's keys: the program's own if it makes the same tables, which every process
 * then uses from now on; else the one that the generation was made with.
 */
async function mendingDefinition(
  sql: Sql,
  generation: Generation,
  own: Projection,
): Promise<StoredProjection> {
  const made = await readDefinition(sql, generation.name, generation.generation);
  if (generation.version === own.version && (made === undefined || makesSameTables(made, own))) {
    await keepDefinition(sql, generation.generation, own);
    return own;
  }
  return made ?? own;
}

async function refoldGeneration(
  sql: Sql,
  projection: StoredProjection,
  generation: Generation,
  upcasts: Upcasts,
  all: readonly string[],
): Promise<Refolded> {
  const failed: HeldKey[] = [];
  let refolded = 0;
  const tryKeys = async (keys: readonly string[]): Promise<void> => {
    try {
      await refoldKeys(sql, projection, generation, keys, upcasts);
      refolded += keys.length;
    } catch (error) {
      if (isNoFaultOfData(error)) {
        throw error;
      }
      if (keys.length > 1) {
        const middle = Math.ceil(keys.length / 2);
        await tryKeys(keys.slice(0, middle));
        await tryKeys(keys.slice(middle));
        return;
      }
      const held = await readHeldKeysOf(sql, generation.name, generation.generation, keys);
      const message = error instanceof Error ? error.message : "unknown";
      failed.push(...held.map((entry) => ({ ...entry, error: message })));
    }
  };
  for (let start = 0; start < all.length; start += TOGETHER) {
    await tryKeys(all.slice(start, start + TOGETHER));
  }
  return { refolded, failed };
}

/** Tables that are shown, or that this program could show. Older tables of another version will be dropped. */
function isWorthMending({ state, version }: Generation, own: Projection): boolean {
  return state === "live" || version === own.version;
}

/**
 * Folds the held keys of these projections again, in place: all of them, or only those given. Keys that still fail
 * stay held. Before that, older events that an upcast refused are upcast again.
 */
export async function refoldHeld(
  sql: Sql,
  projections: readonly Projection[],
  events: EventRegister,
  only?: readonly string[],
): Promise<Refolded> {
  await startUpcasts(sql, events);
  const upcasts = createUpcasts(sql, events);
  let refolded = 0;
  const failed: HeldKey[] = [];
  for (const generation of await readGenerations(sql)) {
    const own = projections.find((entry) => entry.name === generation.name);
    if (own === undefined || !isWorthMending(generation, own)) {
      continue;
    }
    const held = await keysHeldIn(sql, own.name, generation.generation);
    const wanted = only === undefined ? held : held.filter((key) => only.includes(key));
    if (wanted.length > 0) {
      const projection = await mendingDefinition(sql, generation, own);
      const result = await refoldGeneration(sql, projection, generation, upcasts, wanted);
      refolded += result.refolded;
      failed.push(...result.failed);
    }
  }
  return { refolded, failed };
}
