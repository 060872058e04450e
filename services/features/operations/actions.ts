// The log of what operators did, newest first, in sentences.
import type { Sql } from "#db/connect.ts";
import type { Notes } from "#identity/notes.ts";
import type { Profiles } from "#identity/profiles.ts";
import { readIn, spelledOut } from "#ledger/explain.ts";
import type { RebuildOrder } from "#ledger/projection/orders.ts";
import { readOrders, readOutcomes } from "#ledger/projection/orders.ts";
import type { EventExplanations, OperatorWords } from "#features/histories.ts";
import type { ActionsResponse } from "#features/operations/contract.ts";
import { OPERATIONS } from "#features/operations/streams.ts";

const PAGE = 25;

type Parts = {
  readonly sql: Sql;
  readonly explanations: EventExplanations;
  readonly profiles: Profiles;
  readonly notes: Notes;
};

type Row = {
  readonly position: number;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: unknown;
  readonly actor: string;
  readonly recordedAt: Date;
};

/** "failed: division by zero" */
function outcomeOf({ phase, error }: Pick<RebuildOrder, "phase" | "error">): string {
  if (phase === "failed") {
    return `failed: ${error ?? "unknown"}`;
  }
  return phase === "done" ? "done" : "not done yet";
}

/** What came of these switches, forward or back, and of each switch that is the last order about its tables. */
async function readSwitched(
  sql: Sql,
  switched: readonly OperatorWords[],
): Promise<(words: OperatorWords | undefined) => string | null> {
  const [last, kept] = await Promise.all([
    readOrders(sql),
    readOutcomes(
      sql,
      switched.map(({ noteId }) => noteId),
    ),
  ]);
  const current = last.filter(({ wanted }) => wanted === "shown" || wanted === "taken-back");
  return (words) => {
    if (words === undefined || words.orderId === null) {
      return null;
    }
    const found =
      current.find(({ rebuildId }) => rebuildId === words.orderId) ?? kept.get(words.noteId);
    return found === undefined ? null : outcomeOf(found);
  };
}

/** Whether an actor is a script and no person. */
export function isScript(actor: string): boolean {
  return actor.startsWith("system:");
}

/** "Avery", "npm run rebuild" */
export function nameOfActor(actor: string, names: ReadonlyMap<string, string>): string {
  return names.get(actor) ?? actor.replace("system:", "npm run ");
}

/** An event that this program cannot explain is shown by its name, never hidden. */
export async function readActions(
  { sql, explanations, profiles, notes }: Parts,
  before: number,
): Promise<ActionsResponse> {
  const rows = await sql<Row[]>`
    select e.position, e.type, e.schema_version as "schemaVersion", e.data, e.actor,
      e.recorded_at as "recordedAt"
    from log.event_streams s join log.events e on e.position = s.position
    where s.stream_id = ${OPERATIONS} and s.position < ${before}
    order by s.version desc limit ${PAGE + 1}`;
  const shown = rows.slice(0, PAGE).map((row) => ({
    ...row,
    words: readIn(explanations, "operations", row, null)?.words,
  }));
  const told = shown.flatMap(({ words }) => (words === undefined ? [] : [words]));
  const [names, reasons, outcomeIn] = await Promise.all([
    profiles.displayNames(shown.map(({ actor }) => actor).filter((actor) => !isScript(actor))),
    notes.findMany(told.map(({ noteId }) => noteId)),
    readSwitched(
      sql,
      told.filter(({ orderId }) => orderId !== null),
    ),
  ]);
  return {
    actions: shown.map(({ position, type, actor, recordedAt, words }) => ({
      position,
      text: words?.description ?? spelledOut(type),
      outcome: outcomeIn(words),
      why: words === undefined ? null : (reasons.get(words.noteId) ?? null),
      actor: {
        uid: actor,
        displayName: nameOfActor(actor, names),
      },
      at: recordedAt.toISOString(),
    })),
    before: rows.length > PAGE ? (shown.at(-1)?.position ?? null) : null,
  };
}
