// Rebuilds without downtime: fills the next generation while the live one is used, compares, and flips.
import type { Sql, TransactionSql } from "postgres";
import { passCrashPoint } from "#ledger/crash-point.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import type { BuildOptions } from "#ledger/projection/build.ts";
import { buildGeneration, stageOf } from "#ledger/projection/build.ts";
import type { Difference } from "#ledger/projection/compare.ts";
import { compareGenerations } from "#ledger/projection/compare.ts";
import type { Gently } from "#ledger/projection/compare-pieces.ts";
import { areSameInPieces } from "#ledger/projection/compare-pieces.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import {
  dropGeneration,
  flipGeneration,
  readGenerations,
  readLive,
} from "#ledger/projection/generation.ts";
import type { HeldKey } from "#ledger/projection/held.ts";
import { countNewlyHeld, keysHeldIn, readHeldKeysOf } from "#ledger/projection/held.ts";
import type { HoldOptions } from "#ledger/projection/hold.ts";
import { holdProjection } from "#ledger/projection/hold.ts";
import { catchUpToCompare } from "#ledger/projection/catch-up.ts";
import { findMissing } from "#ledger/projection/missing-tables.ts";
import { NeverTogether, StuckTables } from "#ledger/projection/stuck-tables.ts";

export type RebuildOptions = HoldOptions &
  BuildOptions & {
    /** Shows the new tables even if they hold back keys that the shown ones do not. */
    readonly acceptHeld?: boolean;
    /** Called first, while the projection is held. */
    readonly onHeld?: () => Promise<void>;
    /** Written in the transaction that flips. */
    readonly inFlip?: (transaction: TransactionSql) => Promise<void>;
    /** Called between filling and flipping; if it returns false, the new generation stays ready but is not shown. */
    readonly mayFlip?: (
      compared: Compared,
      generation: number,
      newlyHeldCount: number,
    ) => boolean | Promise<boolean>;
  };

/** How new tables compare with the shown ones. */
export type Compared =
  | { readonly kind: "compared"; readonly differences: readonly Difference[] }
  /** Their versions differ, and this program does not know the step of the shown ones. */
  | { readonly kind: "other-version" }
  /** Some of the shown ones are gone, or they get no further, so there is nothing to compare the new ones with. */
  | { readonly kind: "stuck"; readonly reason: string };

/** Why the rows could not be compared, without a full stop; null if they were. */
export function whyNotCompared(compared: Compared): string | null {
  switch (compared.kind) {
    case "compared":
      return null;
    case "stuck":
      return compared.reason;
    case "other-version":
      return "The shown tables are of another version, so rows cannot be compared";
    default:
      return compared satisfies never;
  }
}

export type RebuildResult = {
  readonly projection: string;
  readonly generation: number;
  readonly position: number;
  readonly flipped: boolean;
  /** Undefined if the new tables could not be compared. */
  readonly differences: readonly Difference[] | undefined;
  /** Why the shown tables get no further, if that is why they could not. */
  readonly stuck: string | null;
  /** The first row keys that the new tables hold back, and the number of all. */
  readonly held: readonly HeldKey[];
  readonly heldCount: number;
  /** How many of the keys it holds back are in the shown tables: with any, only `acceptHeld` shows the new ones. */
  readonly newlyHeldCount: number;
  readonly elapsedMs: number;
};

/** The most held keys that a result lists; `newlyHeldCount` has the number of all. */
const KEYS_NAMED = 20;

async function dropOlder(sql: Sql, projection: Projection, keep: readonly number[]): Promise<void> {
  for (const entry of await readGenerations(sql)) {
    if (entry.name === projection.name && !keep.includes(entry.generation)) {
      await dropGeneration(sql, projection, entry.generation);
    }
  }
}

/**
 * What a flip would change; undefined if the live tables are of another version, whose step this program does not know.
 * `gently` where the shop may be open and workers feed both by the same steps: it notices it only if the tables differ.
 */
export async function differencesOf(
  sql: Sql,
  projection: Projection,
  live: Generation | undefined,
  generation: number,
  gently: Gently | undefined,
): Promise<readonly Difference[] | undefined> {
  if (live?.version !== projection.version) {
    return undefined;
  }
  const both = { projection, live: live.generation, rebuilt: generation };
  if (gently !== undefined && (await areSameInPieces(sql, { ...both, ...gently }))) {
    return [];
  }
  return compareGenerations(sql, projection, live, generation);
}

/** Why the shown tables get no further; null if both are at the head now. */
async function findStuck(
  sql: Sql,
  projection: Projection,
  events: EventRegister,
): Promise<Compared | null> {
  try {
    await catchUpToCompare(sql, projection, events);
    return null;
  } catch (error) {
    if (error instanceof StuckTables && error.generation.state === "live") {
      const reason = `${error.message}. The new tables got further, so they cannot be compared; a switch to them repairs this`;
      return { kind: "stuck", reason };
    }
    throw error;
  }
}

/** What a flip to new tables would change, if that can be said. */
export async function compareWithShown(
  sql: Sql,
  projection: Projection,
  events: EventRegister,
  generation: number,
  gently: Gently | undefined,
): Promise<Compared> {
  const live = await readLive(sql, projection.name);
  const missing = await findMissing(sql, [projection], "without views");
  if (missing.length > 0) {
    return {
      kind: "stuck",
      reason: `${missing.map(({ sentence }) => sentence).join(". ")}. A switch to the new tables repairs this`,
    };
  }
  try {
    const differences = await differencesOf(sql, projection, live, generation, gently);
    return differences === undefined
      ? { kind: "other-version" }
      : { kind: "compared", differences };
  } catch (error) {
    const stuck = error instanceof NeverTogether ? await findStuck(sql, projection, events) : null;
    if (stuck === null) {
      throw error;
    }
    return stuck;
  }
}

/** Flips to a generation. What was shown until now stays, so that the flip can be taken back; older ones are dropped. */
export async function showGeneration(
  sql: Sql,
  projection: Projection,
  generation: number,
  inSameTransaction?: (transaction: TransactionSql) => Promise<void>,
): Promise<void> {
  const live = await readLive(sql, projection.name);
  await flipGeneration(sql, projection, generation, inSameTransaction);
  await dropOlder(sql, projection, [generation, live?.generation ?? 0]);
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

function gentlyFor(
  { pace, signal, onStage }: RebuildOptions,
  filled: Generation,
): Gently | undefined {
  const onPiece = onStage && (() => onStage(stageOf("comparing", filled)));
  return pace && { pace, signal, onPiece };
}

async function rebuildHeld(
  sql: Sql,
  projection: Projection,
  options: RebuildOptions,
): Promise<RebuildResult> {
  const startedAt = performance.now();
  await options.onHeld?.();
  const filled = await buildGeneration(sql, projection, options);
  const { events } = options;
  const compared =
    (await findStuck(sql, projection, events)) ??
    (await compareWithShown(
      sql,
      projection,
      events,
      filled.generation,
      gentlyFor(options, filled),
    ));
  const newlyHeldCount = await countNewlyHeld(sql, projection.name, filled.generation);
  const mayShow = newlyHeldCount === 0 || options.acceptHeld === true;
  const isWanted = await options.mayFlip?.(compared, filled.generation, newlyHeldCount);
  const mayFlip = (isWanted ?? true) && mayShow;
  if (mayFlip) {
    passCrashPoint("rebuild:before-flip");
    await showGeneration(sql, projection, filled.generation, options.inFlip);
  }
  const reached = (await readGenerations(sql)).find(
    (entry) => entry.name === projection.name && entry.generation === filled.generation,
  );
  return {
    projection: projection.name,
    generation: filled.generation,
    position: reached?.position ?? filled.position,
    flipped: mayFlip,
    differences: compared.kind === "compared" ? compared.differences : undefined,
    stuck: compared.kind === "stuck" ? compared.reason : null,
    held: await readHeldKeysOf(sql, projection.name, filled.generation, KEYS_NAMED),
    heldCount: (await keysHeldIn(sql, projection.name, filled.generation)).length,
    newlyHeldCount,
    elapsedMs: performance.now() - startedAt,
  };
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
