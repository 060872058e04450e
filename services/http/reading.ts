// Creates what routes read with: Kysely, the waiting for fresh tables, and the counts of where reads went.
import type { Sql } from "#db/connect.ts";
import type { Standby } from "#db/standby.ts";
import { checkpointsIn, checkpointsOf } from "#http/checkpoints.ts";
import type { ReadCheckpoints } from "#http/checkpoints.ts";
import { createFreshness } from "#http/freshness-wait.ts";
import type { Freshness } from "#http/freshness.ts";
import type { ReadSource } from "#http/read-source.ts";
import { createRunRead } from "#http/read-place.ts";
import type { Gentle } from "#http/read-place.ts";
import { readsThrough } from "#http/reads.ts";
import type { ReadDeps } from "#http/reads.ts";
import { createReadCounts } from "#http/standby-report.ts";
import type { ReadCounts } from "#http/standby-report.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { createHeldLookup } from "#ledger/projection/held-lookup.ts";

export type ReadParts = {
  readonly deps: ReadDeps;
  readonly freshness: Freshness;
  /** The primary's checkpoints. */
  readonly readCheckpoints: ReadCheckpoints;
  /**
   * The checkpoints of the server that most reads use now: the standby, or the primary while it must not be read
   * from.
   */
  readonly readShownCheckpoints: ReadCheckpoints;
  readonly counts: ReadCounts;
};

export type ReadOptions = {
  readonly primary: Sql;
  /** For reads that give way to others; the same as `primary` by default. */
  readonly gentle?: Gentle;
  readonly standby: Standby | null;
  readonly projections: readonly Projection[];
  readonly wakeUp: () => void;
  /** The maximum waits of `createFreshness`, for tests on slow machines. */
  readonly positionTimeoutMs?: number;
  readonly headTimeoutMs?: number;
  readonly standbyPatienceMs?: number;
};

/** A standby is usually a few milliseconds late. Reads that would wait longer than this go to the primary. */
const STANDBY_PATIENCE_MS = 100;

export function openReading(options: ReadOptions): ReadParts {
  const { primary, standby, projections, wakeUp, positionTimeoutMs, headTimeoutMs } = options;
  const { standbyPatienceMs = STANDBY_PATIENCE_MS } = options;
  const counts = createReadCounts();
  const { gentle = { sql: primary, giveWay: () => Promise.resolve() } } = options;
  const run = createRunRead(primary, standby, counts.count, gentle);
  const readCheckpoints = checkpointsIn(primary);
  const readStandby =
    standby === null ? () => Promise.resolve(null) : checkpointsOf(standby, standbyPatienceMs);
  const freshness = createFreshness({
    readCheckpoints,
    readStandby,
    standbyPatienceMs,
    held: createHeldLookup(run, projections),
    wakeUp,
    ...(standby === null ? {} : { onRead: countReads(standby, counts) }),
    ...(positionTimeoutMs === undefined ? {} : { positionTimeoutMs }),
    ...(headTimeoutMs === undefined ? {} : { headTimeoutMs }),
  });
  return {
    deps: readsThrough(run),
    freshness,
    readCheckpoints,
    readShownCheckpoints: async () => (await readStandby()) ?? readCheckpoints(),
    counts,
  };
}

function countReads(standby: Standby, { count }: ReadCounts): (source: ReadSource) => void {
  return (source) => {
    const { kind } = standby.state();
    const whyPrimary = kind === "following" ? "late" : kind;
    count(source === "standby" ? "standby" : whyPrimary);
  };
}
