// The condition of the read tables in `/readyz`: tables that are filled or late, held rows, newer tables that are not shown, events of a newer program.
import type { Sql } from "#db/connect.ts";
import type { ReadinessCheck } from "#http/readiness.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import type { FirstFill } from "#ledger/projection/first-fill.ts";
import { readFirstFills } from "#ledger/projection/first-fill.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import type { HeldCount } from "#ledger/projection/held.ts";
import { countHeldKeys } from "#ledger/projection/held.ts";
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

async function describeLate(sql: Sql, filled: readonly FirstFill[]): Promise<string[]> {
  const rows = await sql<{ name: string; position: number; seconds: number }[]>`
    select p.name, p.position,
      floor(extract(epoch from clock_timestamp() - e.recorded_at))::integer as seconds
    from read.projections p join log.events e on e.position = p.position + 1
    where p.state = 'live' and e.recorded_at < clock_timestamp() - make_interval(secs => ${LATE_SECONDS})
    order by p.name`;
  return rows
    .filter(({ name }) => filled.every(({ projection }) => projection !== name))
    .map(
      ({ name, position, seconds }) =>
        `${name} is at position ${position}, ${seconds} s behind the log; if that stays so, the worker's log says why`,
    );
}

function describeFill({ projection, position, head }: FirstFill): string {
  const percent = Math.floor((100 * position) / head);
  return (
    `${projection} is being filled for the first time: ${percent} %, position ${position} of ${head}; ` +
    "what it does not have yet is missing from what it shows"
  );
}

/** A warning, never a failure: correct rows are served, and each read says what is missing. */
export function readTablesCheck(
  sql: Sql,
  projections: readonly Projection[],
  events: EventRegister,
): ReadinessCheck {
  return {
    name: "read tables",
    look: async () => {
      const shown = (await readGenerations(sql)).filter(({ state }) => state === "live");
      const lowest = shown.reduce((low, { position }) => Math.min(low, position), Infinity);
      const filled = await readFirstFills(sql);
      const [missing, late, counts, { newer }] = await Promise.all([
        findMissing(sql, projections),
        describeLate(sql, filled),
        countHeldKeys(sql),
        readKnownHead(sql, events, lowest === Infinity ? 0 : lowest),
      ]);
      const faults = [
        ...missing.map(({ sentence }) => `${sentence}: \`npm run rebuild\` makes new ones`),
        ...filled.map(describeFill),
        ...late,
        ...counts.map(describe).filter((text) => text !== undefined),
        ...(newer === undefined ? [] : [describeNewerEvent(newer)]),
      ];
      return faults.length === 0
        ? { state: "ok", message: "Every row is shown" }
        : { state: "warning", message: `${faults.join("; ")}. \`npm run status\` shows details` };
    },
  };
}
