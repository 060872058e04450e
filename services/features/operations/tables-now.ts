// How far every projection's tables are, what is ordered about them, and how that changed in the last hour.
import type { Sql } from "#db/connect.ts";
import { toDollars } from "#ledger/money.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import { readHead } from "#ledger/log/read.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { FirstFill } from "#ledger/projection/late-tables.ts";
import { readFirstFills } from "#ledger/projection/late-tables.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import { olderThanShown, readGenerations } from "#ledger/projection/generation.ts";
import type { HeldCount } from "#ledger/projection/held.ts";
import { countHeldKeys } from "#ledger/projection/held.ts";
import { lagSeconds, readLags } from "#ledger/projection/lag.ts";
import type { LagSample } from "#ledger/projection/lag-samples.ts";
import { readLagSamples } from "#ledger/projection/lag-samples.ts";
import type { Preview, RebuildOrder } from "#ledger/projection/orders.ts";
import { isOpenOrder, readOrders } from "#ledger/projection/orders.ts";
import type { MissingPart } from "#ledger/projection/missing-tables.ts";
import { findMissing } from "#ledger/projection/missing-tables.ts";
import type { Compared } from "#ledger/projection/rebuild.ts";
import { whyNotCompared } from "#ledger/projection/rebuild.ts";
import { StuckTables } from "#ledger/projection/stuck-tables.ts";
import { compareWithOlder } from "#ledger/projection/take-back.ts";
import type {
  GenerationStatus,
  OlderResponse,
  ProjectionsResponse,
  ProjectionStatus,
  RebuildStatus,
  TableDifference,
} from "#features/operations/contract.ts";

/** Tables that lack an event older than this, and have not moved for as long, are stalled. */
const STALLED_SECONDS = 30;
/** Tables that lack an event older than this are behind. */
const BEHIND_SECONDS = 5;

function differenceOf(preview: Preview): TableDifference {
  const { table, rows, keyCount, firstPosition, keys } = preview;
  return {
    table,
    rows,
    keyCount,
    firstPosition,
    keys: keys.map(({ cents, ...key }) => ({
      ...key,
      amounts: Object.entries(cents).map(([column, value]) => ({
        column: column.replace(/_cents$/u, ""),
        amount: toDollars(value),
      })),
    })),
  };
}

/** Undefined for an order that leaves nothing to do or to decide. */
export function isCurrent(order: RebuildOrder): boolean {
  return order.phase !== "done";
}

function rebuildOf(
  order: RebuildOrder,
  generations: readonly Generation[],
  head: number,
  held: readonly HeldCount[],
): RebuildStatus {
  const made = generations.find(({ generation }) => generation === order.generation);
  const { phase, wanted, eventsPerSecond: speed } = order;
  const left = made === undefined ? null : Math.max(0, head - made.position);
  const isFilling = phase === "filling" && wanted !== "paused";
  return {
    rebuildId: order.rebuildId,
    wanted,
    phase,
    error: order.error,
    position: made?.position ?? null,
    eventsPerSecond: speed === null ? null : Math.round(speed),
    secondsLeft:
      isFilling && left !== null && speed !== null && speed > 0 ? Math.ceil(left / speed) : null,
    startedAt: order.startedAt.toISOString(),
    seenAt: order.seenAt?.toISOString() ?? null,
    differences: order.differences?.map(differenceOf) ?? null,
    newlyHeld: held.find(({ generation }) => generation === order.generation)?.newlyHeld ?? 0,
  };
}

/** Whether the tables have not moved since a sample that is old enough, although there was something to fold. */
function isStalled(
  name: string,
  position: number,
  seconds: number,
  samples: readonly LagSample[],
  now: Date,
): boolean {
  if (seconds < STALLED_SECONDS) {
    return false;
  }
  const before = samples.findLast(
    ({ takenAt }) => now.getTime() - takenAt.getTime() >= STALLED_SECONDS * 1000,
  );
  // Without samples no worker is alive, so nothing moves.
  return before === undefined || (before.shown[name]?.position ?? position) >= position;
}

/** Whether a worker is alive, and the tables are newer than all samples that could tell whether they move. */
function areTooNewToTell(name: string, samples: readonly LagSample[], now: Date): boolean {
  const age = ({ takenAt }: LagSample) => now.getTime() - takenAt.getTime();
  const newest = samples.at(-1);
  return (
    newest !== undefined &&
    age(newest) < STALLED_SECONDS * 1000 &&
    samples.every((one) => one.shown[name] === undefined || age(one) < STALLED_SECONDS * 1000)
  );
}

type Now = {
  readonly head: number;
  readonly now: Date;
  readonly generations: readonly Generation[];
  readonly lags: ReadonlyMap<number, number>;
  readonly held: readonly HeldCount[];
  readonly orders: readonly RebuildOrder[];
  readonly samples: readonly LagSample[];
  /** Shown tables that the store never had before, and that are not complete yet. */
  readonly fills: readonly FirstFill[];
  /** What is gone of the shown tables. */
  readonly missing: readonly MissingPart[];
};

/** How far the shown tables are. */
export function stateOf(
  { name, position, seconds }: { name: string; position: number; seconds: number },
  { samples, now, fills }: Pick<Now, "samples" | "now" | "fills">,
): Exclude<ProjectionStatus["state"], "missing" | "damaged"> {
  const isFirst = fills.some(({ projection }) => projection === name);
  const isNew = isFirst && areTooNewToTell(name, samples, now);
  if (!isNew && isStalled(name, position, seconds, samples, now)) {
    return "stalled";
  }
  if (seconds <= BEHIND_SECONDS) {
    return "ok";
  }
  return isFirst ? "filling" : "behind";
}

function statusOf({ name, version }: Projection, now: Now): ProjectionStatus {
  const own = now.generations.filter((entry) => entry.name === name);
  const shown = own.map((entry): GenerationStatus => {
    const { generation, state, position } = entry;
    return {
      generation,
      version: entry.version,
      state,
      position,
      lagEvents: Math.max(0, now.head - position),
      lagSeconds: lagSeconds(now.lags, position),
    };
  });
  const held = now.held.filter(({ projection }) => projection === name);
  const live = shown.find(({ state }) => state === "live");
  const order = now.orders.find((entry) => entry.projection === name && isCurrent(entry));
  const seconds = live?.lagSeconds ?? 0;
  const older = olderThanShown(own, name);
  const missing = now.missing.filter(({ projection }) => projection === name);
  const isDamaged = missing.some(({ part }) => part !== "row");
  return {
    name,
    version,
    state:
      live === undefined
        ? "missing"
        : isDamaged
          ? "damaged"
          : stateOf({ name, position: live.position, seconds }, now),
    missing: missing.map(({ sentence }) => sentence),
    generations: shown,
    held: held.find(({ state }) => state === "live")?.held ?? 0,
    rebuild: order === undefined ? null : rebuildOf(order, own, now.head, held),
    olderNewlyHeld: held.find(({ generation }) => generation === older?.generation)?.newlyHeld ?? 0,
    canTakeBack: older?.version === version && order === undefined && live !== undefined,
  };
}

/** Everything at one moment, on the primary. */
export async function readTablesNow(
  sql: Sql,
  projections: readonly Projection[],
): Promise<ProjectionsResponse> {
  // Generations before the head: the log only grows, so no table is ahead of it.
  const generations = await readGenerations(sql);
  const head = await readHead(sql);
  const [lags, held, orders, samples, fills, missing, [clock]] = await Promise.all([
    readLags(
      sql,
      generations.map(({ position }) => position),
    ),
    countHeldKeys(sql),
    readOrders(sql),
    readLagSamples(sql),
    readFirstFills(sql),
    findMissing(sql, projections, "with views"),
    sql<{ now: Date }[]>`select clock_timestamp() as now`,
  ]);
  const now = clock?.now ?? new Date(0);
  const shared = { now, generations, lags, held, orders, samples, fills, missing };
  const all: Now = { head: head.position, ...shared };
  return {
    head,
    projections: projections.map((projection) => statusOf(projection, all)),
    samples: samples.map(({ takenAt, head: then, shown }) => ({
      at: takenAt.toISOString(),
      lagEvents: Math.max(0, ...Object.values(shown).map(({ position }) => then - position)),
      lagSeconds: Math.max(0, ...Object.values(shown).map(({ seconds }) => seconds)),
    })),
  };
}

/** The read tables, and the events that feed them. */
export type FedTables = {
  readonly projections: readonly Projection[];
  readonly events: EventRegister;
};

/** Damaged tables are an answer here, not a fault of the request: a person looks at them because something is wrong. */
function olderAnswer(compared: Compared): OlderResponse {
  const reason = whyNotCompared(compared);
  const differences = compared.kind === "compared" ? compared.differences.map(differenceOf) : null;
  return { differences, reason };
}

/** What switching back to the tables from before the last switch would change; undefined if there are none. */
export async function readOlderDifferences(
  sql: Sql,
  { projections, events }: FedTables,
  name: string,
): Promise<OlderResponse | undefined> {
  const projection = projections.find((entry) => entry.name === name);
  const generations = await readGenerations(sql);
  const older = olderThanShown(generations, name);
  if (projection === undefined || older?.version !== projection.version) {
    return undefined;
  }
  const live = generations.find((entry) => entry.name === name && entry.state === "live");
  if (live === undefined) {
    return undefined;
  }
  try {
    return olderAnswer(await compareWithOlder(sql, projection, events, { live, older }));
  } catch (error) {
    // The earlier tables get no further, and a switch to them would fail for the same reason.
    if (error instanceof StuckTables) {
      return { differences: null, reason: error.message };
    }
    throw error;
  }
}

/** Whether an order about these tables is still being carried out, so that the next one has to wait. */
export function isBeingCarriedOut(order: RebuildOrder | undefined): boolean {
  return order !== undefined && isOpenOrder(order) && order.wanted !== "built";
}
