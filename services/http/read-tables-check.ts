// What `/readyz` says of the read tables: rows that are held back, newer tables not shown, events of a newer program.
import type { Sql } from "#db/connect.ts";
import type { ReadinessCheck } from "#http/readiness.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import type { HeldCount } from "#ledger/projection/held.ts";
import { countHeldKeys } from "#ledger/projection/held.ts";
import { describeNewerEvent, readKnownHead } from "#ledger/projection/newer-events.ts";

function describe({ projection, state, held, newlyHeld }: HeldCount): string | undefined {
  if (state === "live") {
    return `${held} rows of ${projection} are held back`;
  }
  return state === "ready" && newlyHeld > 0
    ? `newer tables of ${projection} are not shown, because ${newlyHeld} rows would be missing`
    : undefined;
}

/** A warning, never a failure: what is right is served, and each read says what is missing from it. */
export function readTablesCheck(sql: Sql, events: EventRegister): ReadinessCheck {
  return {
    name: "read tables",
    look: async () => {
      const shown = (await readGenerations(sql)).filter(({ state }) => state === "live");
      const lowest = shown.reduce((low, { position }) => Math.min(low, position), Infinity);
      const [counts, { newer }] = await Promise.all([
        countHeldKeys(sql),
        readKnownHead(sql, events, lowest === Infinity ? 0 : lowest),
      ]);
      const faults = [
        ...counts.map(describe).filter((text) => text !== undefined),
        ...(newer === undefined ? [] : [describeNewerEvent(newer)]),
      ];
      return faults.length === 0
        ? { state: "ok", message: "Every row is shown" }
        : { state: "warning", message: `${faults.join("; ")}. \`npm run status\` tells more` };
    },
  };
}
