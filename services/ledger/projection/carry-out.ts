// Carries out what operators ordered about a projection's tables. A killed process leaves an order that the next one continues.
import type { Sql } from "postgres";
import { isNoFaultOfData } from "#ledger/log/failure.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import type { Progress } from "#ledger/projection/build.ts";
import { buildGeneration, stageOf } from "#ledger/projection/build.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { olderThanShown, readGenerations } from "#ledger/projection/generation.ts";
import { countNewlyHeld } from "#ledger/projection/held.ts";
import { holdIfFree } from "#ledger/projection/hold.ts";
import type { RebuildOrder, Wanted } from "#ledger/projection/orders.ts";
import { isOpenOrder, noteOrder, readOrder } from "#ledger/projection/orders.ts";
import type { Pace } from "#ledger/projection/pace.ts";
import type { Compared } from "#ledger/projection/rebuild.ts";
import {
  cancelRebuild,
  compareWithShown,
  showGeneration,
  whyNotCompared,
} from "#ledger/projection/rebuild.ts";
import { takeBack } from "#ledger/projection/take-back.ts";

export type CarryOutParts = {
  readonly sql: Sql;
  readonly events: EventRegister;
  /** How fast to build. */
  readonly pace: () => Pace;
  /** Stops between two chunks; the order stays, and the next call continues. */
  readonly signal?: AbortSignal;
  /** Events per chunk; replaces the pace's own. */
  readonly chunk?: number;
  /** Awaited after each chunk and before each phase. */
  readonly onStage?: (progress: Progress) => Promise<void> | void;
  /** How often progress is written, and the order read again. */
  readonly noteEveryMs?: number;
};

/** Thrown where an order was replaced by another one. */
export class OtherOrder extends Error {
  override readonly name = "OtherOrder";
}

/**
 * Does what is ordered for this projection until nothing is left to do. Returns false, without waiting, while another
 * process rebuilds or replays it. Throws if the server is in trouble: the order stays as it is.
 */
export async function carryOut(parts: CarryOutParts, projection: Projection): Promise<boolean> {
  return holdIfFree(parts.sql, projection.name, () => carryOutHeld(parts, projection));
}

/** The same for a process that holds the projection. */
export async function carryOutHeld(parts: CarryOutParts, projection: Projection): Promise<void> {
  for (;;) {
    const order = await readOrder(parts.sql, projection.name);
    if (order === undefined || !isOpenOrder(order)) {
      return;
    }
    await carryOutOne(parts, projection, order);
  }
}

async function carryOutOne(
  parts: CarryOutParts,
  projection: Projection,
  order: RebuildOrder,
): Promise<void> {
  try {
    await act(parts, projection, order);
  } catch (error) {
    if ((await noteEnd(parts, order, error)) === "broken-off") {
      throw error;
    }
  }
}

/**
 * What becomes of an order whose work threw. One that was replaced stays as it is, as does one that was stopped or that
 * the server's trouble broke off, for somebody continues it. Any other has failed, and says why.
 */
export async function noteEnd(
  { sql, signal }: Pick<CarryOutParts, "sql" | "signal">,
  order: Pick<RebuildOrder, "projection" | "rebuildId">,
  error: unknown,
): Promise<"replaced" | "broken-off" | "failed"> {
  if (error instanceof OtherOrder) {
    return "replaced";
  }
  if (signal?.aborted === true || isNoFaultOfData(error)) {
    return "broken-off";
  }
  const reason = error instanceof Error ? error.message : "unknown";
  await noteOrder(sql, order, { phase: "failed", error: reason });
  return "failed";
}

async function act(
  parts: CarryOutParts,
  projection: Projection,
  order: RebuildOrder,
): Promise<void> {
  const { sql, events } = parts;
  switch (order.wanted) {
    case "canceled":
      await cancelRebuild(sql, projection);
      await noteOrder(sql, order, { phase: "done" });
      return;
    case "taken-back": {
      const older = olderThanShown(await readGenerations(sql), projection.name);
      await refuseToHide(sql, order, older?.generation);
      const result = await takeBack(sql, projection, events, {
        inFlip: async (transaction) => {
          await noteOrder(transaction, order, { phase: "done" });
        },
      });
      if (result.kind !== "taken-back") {
        throw new Error("There are no older tables that this program can show");
      }
      return;
    }
    default: {
      const generation =
        (await readyGeneration(sql, order)) ?? (await build(parts, projection, order));
      if (order.wanted === "shown") {
        await show(parts, projection, order, generation);
      }
    }
  }
}

/** The tables that the order made, if they are still there; another version of the program may have dropped them. */
async function readyGeneration(
  sql: Sql,
  { projection, phase, generation }: RebuildOrder,
): Promise<number | undefined> {
  const found = (await readGenerations(sql)).find(
    (entry) => entry.name === projection && entry.generation === generation,
  );
  return phase === "ready" && found?.state === "ready" ? found.generation : undefined;
}

const NOTE_EVERY_MS = 300;

async function build(
  parts: CarryOutParts,
  projection: Projection,
  order: RebuildOrder,
): Promise<number> {
  const { sql, events, signal, chunk } = parts;
  const onStage = noteStages(parts, order);
  const pace = parts.pace();
  const made = await buildGeneration(sql, projection, {
    events,
    pace,
    onStage,
    ...(signal === undefined ? {} : { signal }),
    ...(chunk === undefined ? {} : { chunk }),
  });
  const compared = await compareWithShown(sql, projection, events, made.generation, {
    pace,
    signal,
    // So that an order that takes the place of this one is seen.
    onPiece: () => onStage(stageOf("comparing", made)),
  });
  insistOn(order, await noteReady(sql, order, made.generation, compared));
  return made.generation;
}

/** The new tables wait, with what a flip would change, or why that cannot be said. */
export function noteReady(
  sql: Sql,
  order: Pick<RebuildOrder, "projection" | "rebuildId">,
  generation: number,
  compared: Compared,
): Promise<Wanted | undefined> {
  const reason = whyNotCompared(compared);
  return noteOrder(sql, order, {
    phase: "ready",
    generation,
    ...(compared.kind === "compared"
      ? { differences: compared.differences.map(({ samples: _samples, ...preview }) => preview) }
      : {}),
    ...(reason === null ? {} : { error: reason }),
  });
}

function insistOn({ wanted }: Watched, now: Wanted | undefined): void {
  if (now !== wanted) {
    throw new OtherOrder("Another order took the place of this one");
  }
}

type Watched = Pick<RebuildOrder, "projection" | "rebuildId" | "wanted">;

/** Writes progress and speed, and stops the build where something else is wanted. */
export function noteStages(
  {
    sql,
    onStage,
    noteEveryMs = NOTE_EVERY_MS,
  }: Pick<CarryOutParts, "sql" | "onStage" | "noteEveryMs">,
  order: Watched,
): (progress: Progress) => Promise<void> {
  let last: { readonly phase: string; readonly position: number; readonly at: number } | undefined;
  let speed: number | undefined;
  return async (progress) => {
    const { phase, generation, position } = progress;
    await onStage?.(progress);
    const now = performance.now();
    if (last !== undefined && last.phase === phase && now - last.at < noteEveryMs) {
      return;
    }
    if (last !== undefined && position > last.position) {
      const measured = ((position - last.position) * 1000) / (now - last.at);
      speed = speed === undefined ? measured : speed * 0.7 + measured * 0.3;
    }
    last = { phase, position, at: now };
    insistOn(
      order,
      await noteOrder(sql, order, {
        phase,
        generation,
        ...(speed === undefined ? {} : { eventsPerSecond: speed }),
      }),
    );
  };
}

/** Rows may have been held back between the order and now. */
async function refuseToHide(
  sql: Sql,
  { projection, acceptHeld }: RebuildOrder,
  generation: number | undefined,
): Promise<void> {
  const newlyHeld =
    generation === undefined ? 0 : await countNewlyHeld(sql, projection, generation);
  if (newlyHeld > 0 && !acceptHeld) {
    throw new Error(`These tables would hide ${newlyHeld} row keys that are shown now`);
  }
}

async function show(
  { sql }: CarryOutParts,
  projection: Projection,
  order: RebuildOrder,
  generation: number,
): Promise<void> {
  await refuseToHide(sql, order, generation);
  await showGeneration(sql, projection, generation, async (transaction) => {
    await noteOrder(transaction, order, { phase: "done" });
  });
}
