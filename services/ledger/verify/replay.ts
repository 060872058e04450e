// Live against replay: folds a projection again into its own tables and compares row by row.
import type { Sql } from "postgres";
import type { EventRegister } from "#ledger/log/read.ts";
import { readHead } from "#ledger/log/read.ts";
import type { Difference } from "#ledger/projection/compare.ts";
import { compareGenerations } from "#ledger/projection/compare.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { catchUpToCompare } from "#ledger/projection/catch-up.ts";
import { createGeneration, dropGeneration, readLive } from "#ledger/projection/generation.ts";
import { countNewlyHeld, keysHeldIn, readHeldKeysOf } from "#ledger/projection/held.ts";
import type { HoldOptions } from "#ledger/projection/hold.ts";
import { holdProjection } from "#ledger/projection/hold.ts";
import { fillGeneration, markReady } from "#ledger/projection/build.ts";
import type { KnownLog } from "#ledger/projection/newer-events.ts";
import { isDerived, isProvable, suspectKeys } from "#ledger/verify/drifted-keys.ts";
import type { Problem } from "#ledger/verify/problem.ts";

export type ReplayOptions = HoldOptions & {
  readonly events: EventRegister;
  /** Shared by the replays of several projections. */
  readonly knownLog?: KnownLog;
  readonly onProgress?: (what: string, done: number, of: number) => void;
  /** Called where live tables differ from their replay, with the row keys that may be concerned, if they show money. */
  readonly onDifferences?: (found: FoundDifferences) => void;
};

export type FoundDifferences = {
  readonly projection: string;
  /** How many tables differ, of those whose rows the keys can explain: derived ones are left out where rows show money. */
  readonly tables: number;
  readonly rows: number;
  /** Null where its rows show nobody's money. More than enough, but not all: see `suspectKeys`. */
  readonly keys: readonly string[] | null;
};

/** The most held keys that a replay lists. */
const HELD_NAMED = 20;

function problemOf({ table, rows, firstPosition, otherColumns, samples }: Difference): Problem {
  const message =
    rows > 0
      ? `${table}: ${rows} rows differ between live and replay, first ${JSON.stringify(samples[0])}`
      : `${table}: live tables and definition have different columns (${otherColumns.join(", ")}), though one version`;
  return { check: "projection", position: firstPosition, message };
}

/** `isReplayed` is false where the live tables cannot be compared with what this program makes. */
export type Replay = { readonly isReplayed: boolean; readonly problems: readonly Problem[] };

function notReplayed(position: number, message: string): Replay {
  return { isReplayed: false, problems: [{ check: "projection", position, message }] };
}

/**
 * Folds one projection again into new tables, compares them with the live ones, and drops them. Waits while another
 * process rebuilds or replays it.
 */
export async function checkReplay(
  sql: Sql,
  projection: Projection,
  options: ReplayOptions,
): Promise<Replay> {
  return holdProjection(sql, projection.name, options, () => replayHeld(sql, projection, options));
}

async function replayHeld(
  sql: Sql,
  projection: Projection,
  { events, knownLog, onProgress, onDifferences, signal }: ReplayOptions,
): Promise<Replay> {
  const live = await readLive(sql, projection.name);
  if (live === undefined || live.version !== projection.version) {
    const { name, version } = projection;
    return notReplayed(0, `${name} has no live tables of version ${version}`);
  }
  // Read after the generations: the log only grows, so its head is never behind what was folded from it.
  const head = await readHead(sql);
  if (live.position > head.position) {
    const message = `${projection.name} is folded up to ${live.position}, but the log ends at ${head.position}`;
    return notReplayed(head.position + 1, message);
  }
  const made = await createGeneration(sql, projection);
  try {
    const filled = await fillGeneration(sql, projection, made, {
      events,
      runsAll: true,
      ...(knownLog === undefined ? {} : { knownLog }),
      onProgress: (position, head) => onProgress?.(`replay of ${projection.name}`, position, head),
      ...(signal === undefined ? {} : { signal }),
    });
    await markReady(sql, filled);
    await catchUpToCompare(sql, projection, events);
    // Held keys are a separate finding, so the differences of their rows are left out.
    const held = [
      ...(await keysHeldIn(sql, projection.name, live.generation)),
      ...(await keysHeldIn(sql, projection.name, made.generation)),
    ];
    const differences = await compareGenerations(sql, projection, live, made.generation, [
      ...new Set(held),
    ]);
    if (differences.length > 0) {
      onDifferences?.({
        projection: projection.name,
        tables: isProvable(projection)
          ? differences.filter(({ table }) => !isDerived(projection, table)).length
          : differences.length,
        rows: differences.reduce((sum, { rows }) => sum + rows, 0),
        keys: isProvable(projection)
          ? await suspectKeys(sql, projection, [live.generation, made.generation])
          : null,
      });
    }
    const newlyHeld = await checkHeldInReplay(sql, projection, made.generation);
    return { isReplayed: true, problems: [...newlyHeld, ...differences.map(problemOf)] };
  } finally {
    await dropGeneration(sql, projection, made.generation);
  }
}

/**
 * Keys that the replay had to hold back and the shown tables do not; keys held in the shown tables are separate
 * findings.
 */
async function checkHeldInReplay(
  sql: Sql,
  projection: Projection,
  generation: number,
): Promise<Problem[]> {
  if ((await countNewlyHeld(sql, projection.name, generation)) === 0) {
    return [];
  }
  const held = await readHeldKeysOf(sql, projection.name, generation, HELD_NAMED);
  return held.map(({ key, atPosition, error }) => ({
    check: "held",
    position: atPosition,
    message: `${projection.name}: the replay cannot fold ${key} at event ${atPosition}: ${error}`,
  }));
}
