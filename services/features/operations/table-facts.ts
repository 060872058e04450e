// Facts that commands about a projection's tables need in addition to their stream: looked up on the primary, for API and scripts.
import type { Sql } from "#db/connect.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { readState } from "#ledger/log/read-state.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { olderThanShown, readGenerations } from "#ledger/projection/generation.ts";
import { countNewlyHeld } from "#ledger/projection/held.ts";
import { readOrder } from "#ledger/projection/orders.ts";
import type { ProjectionFacts } from "#features/operations/decider.ts";
import { actsOn, operationsStream, OPERATIONS } from "#features/operations/streams.ts";
import { isBeingCarriedOut } from "#features/operations/tables-now.ts";

export type FoundFacts = {
  readonly facts: ProjectionFacts;
  /** The rebuild that was neither canceled nor flipped to. */
  readonly openRebuild: string | null;
};

export async function readFacts(
  parts: { readonly sql: Sql; readonly readEvent: ReadEvent },
  projections: readonly Projection[],
  name: string,
): Promise<FoundFacts> {
  const { sql } = parts;
  // The stream first: an act after this makes the command be refused as overtaken.
  const { acts, rebuild } = actsOn(await readState(parts, operationsStream, OPERATIONS), name);
  const [order, generations] = await Promise.all([readOrder(sql, name), readGenerations(sql)]);
  const own = generations.filter((entry) => entry.name === name);
  const older = olderThanShown(generations, name);
  const version = projections.find((entry) => entry.name === name)?.version ?? null;
  const isOurs = order !== undefined && order.rebuildId === rebuild?.id;
  const made = isOurs
    ? own.find((entry) => entry.generation === order.generation && entry.state === "ready")
    : undefined;
  return {
    openRebuild: rebuild?.id ?? null,
    facts: {
      acts,
      version,
      isBusy: isBeingCarriedOut(order),
      hasFailed: rebuild !== null && (!isOurs || order.phase === "failed"),
      isReady: isOurs && order.phase === "ready" && made !== undefined,
      newlyHeld: made === undefined ? 0 : await countNewlyHeld(sql, name, made.generation),
      older:
        older === undefined ? "none" : older.version === version ? "showable" : "other-version",
      olderNewlyHeld: older === undefined ? 0 : await countNewlyHeld(sql, name, older.generation),
    },
  };
}
