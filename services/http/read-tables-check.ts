// The condition of the read tables in `/readyz`: tables that are filled or late, held rows, newer tables that are not shown, events of a newer program.
import type { Sql } from "#db/connect.ts";
import type { ReadinessCheck } from "#http/readiness.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { HeldCount } from "#ledger/projection/held.ts";
import { countHeldKeys } from "#ledger/projection/held.ts";
import type { FirstFill, LateTables } from "#ledger/projection/late-tables.ts";
import { couldGoOn, readLateTables } from "#ledger/projection/late-tables.ts";
import { findMissing } from "#ledger/projection/missing-tables.ts";
import { describeNewerEvent, readKnownHead } from "#ledger/projection/newer-events.ts";

function describe({ projection, state, held, newlyHeld }: HeldCount): string | undefined {
  if (state === "live") {
    return `${held} rows of ${projection} are held back`;
  }
  return state === "ready" && newlyHeld > 0
    ? `newer tables of ${projection} are not shown, because ${newlyHeld} rows would be missing`
    : undefined;
}

/** If a shown table lacks events older than this, nothing feeds it, or feeding fails. */
const LATE_SECONDS = 15;

function describeLate({ projection, position, seconds }: LateTables): string {
  return `${projection} is at position ${position}, ${seconds} s behind the log; if that stays so, the worker's log says why`;
}

function describeFill({ projection, position, head }: FirstFill): string {
  const percent = Math.floor((100 * position) / head);
  return (
    `${projection} is being filled for the first time: ${percent} %, position ${position} of ${head}; ` +
    "what it does not have yet is missing from what it shows"
  );
}

/** No table lacks an event, so none is at one that this program does not know. */
const NOTHING_NEWER = { head: 0, newer: undefined } as const;

/** A warning, never a failure: correct rows are served, and each read says what is missing. */
export function readTablesCheck(
  sql: Sql,
  projections: readonly Projection[],
  events: EventRegister,
): ReadinessCheck {
  return {
    name: "read tables",
    look: async () => {
      const late = await readLateTables(sql);
      const lowest = late.reduce((low, { position }) => Math.min(low, position), Infinity);
      const [missing, counts, known] = await Promise.all([
        findMissing(sql, projections, "with views"),
        countHeldKeys(sql),
        lowest === Infinity ? NOTHING_NEWER : readKnownHead(sql, events, lowest),
      ]);
      const { newer } = known;
      const faults = [
        ...missing.map(({ sentence }) => `${sentence}: \`npm run rebuild\` makes new ones`),
        ...late.filter(({ isFirstFill }) => isFirstFill).map(describeFill),
        ...late
          .filter((tables) => tables.seconds >= LATE_SECONDS && couldGoOn(tables, known))
          .map(describeLate),
        ...counts.map(describe).filter((text) => text !== undefined),
        ...(newer === undefined ? [] : [describeNewerEvent(newer)]),
      ];
      return faults.length === 0
        ? { state: "ok", message: "Every row is shown" }
        : { state: "warning", message: `${faults.join("; ")}. \`npm run status\` shows details` };
    },
  };
}
