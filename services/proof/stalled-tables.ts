// Runs in the worker: raises an alert for each projection whose shown tables get no further or lack a part, and resolves it once they are whole and move.
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";
import type { Alert } from "#features/alerts/streams.ts";
import { ALERTS, alertsStream } from "#features/alerts/streams.ts";
import { repeat } from "#jobs/repeat.ts";
import { retried } from "#jobs/retried.ts";
import type { Repeating } from "#jobs/repeat.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import { readState } from "#ledger/log/read-state.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { couldGoOn, readLateTables } from "#ledger/projection/late-tables.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { findMissing } from "#ledger/projection/missing-tables.ts";
import { readKnownHead } from "#ledger/projection/newer-events.ts";
import type { Alerting } from "./alerting.ts";

export type StalledDeps = {
  readonly sql: Sql;
  readonly readEvent: ReadEvent;
  readonly projections: readonly Projection[];
  readonly events: EventRegister;
  readonly alerting: Alerting;
};

/** Tables that lack a part count wherever they are; those that are only behind the log, while they do not move. */
type Found = {
  readonly name: string;
  /** 0 if their row is lost. */
  readonly position: number;
  readonly isFirstFill: boolean;
  readonly fault: "missing" | "behind";
};

/** At how many looks in a row the same was found, by the tables' name. */
export type Stalling = ReadonlyMap<string, Found & { readonly looks: number }>;

const LOOK_EVERY_MS = 15_000;
/** A minute. Looks are counted, because nothing moves while the machine sleeps or the database is away. */
export const LOOKS_UNTIL_STALLED = 5;

type Tables = Pick<Generation, "name" | "position">;
type Names = ReadonlySet<string>;

function keyOf(projection: string): string {
  return `stalled:${projection}`;
}

function countLooks(before: Stalling, found: readonly Found[]): Stalling {
  return new Map(
    found.map((tables) => {
      const { name, position, fault } = tables;
      const last = before.get(name);
      const isSame = last?.fault === fault && (fault === "missing" || last.position === position);
      return [name, { ...tables, looks: isSame ? last.looks + 1 : 1 }];
    }),
  );
}

/** Those that lack a part, and those that could go on. */
async function findStalled(
  { sql, events }: StalledDeps,
  stalling: Stalling,
): Promise<readonly Tables[]> {
  const standing = [...stalling.values()].filter(({ looks }) => looks >= LOOKS_UNTIL_STALLED);
  if (standing.length === 0) {
    return [];
  }
  const lowest = Math.min(...standing.map(({ position }) => position));
  const known = await readKnownHead(sql, events, lowest);
  return standing.filter((tables) => tables.fault === "missing" || couldGoOn(tables, known));
}

/** Whether the alert is over: its tables have moved or were replaced, or this program no longer has them. */
function isOver({ subject, atPosition }: Alert, fed: readonly Tables[], names: Names): boolean {
  const now = fed.find(({ name }) => name === subject);
  return now === undefined ? !names.has(subject) : now.position !== atPosition;
}

/** One look, by any number of workers; the result goes to the next one. An open alert is not raised again. */
export async function followStalledTables(deps: StalledDeps, before: Stalling): Promise<Stalling> {
  const { sql, readEvent, alerting } = deps;
  const names = new Set(deps.projections.map(({ name }) => name));
  const [generations, late, { open }, parts] = await Promise.all([
    readGenerations(sql),
    readLateTables(sql),
    readState({ sql, readEvent }, alertsStream, ALERTS),
    findMissing(sql, deps.projections, "with views"),
  ]);
  const damaged = new Set(parts.map(({ projection }) => projection));
  const fed = generations.filter(({ name, state }) => state === "live" && names.has(name));
  for (const alert of open.filter(({ kind }) => kind === "stalled")) {
    if (!damaged.has(alert.subject) && isOver(alert, fed, names)) {
      await alerting.resolve(alert.key);
    }
  }
  const stalling = countLooks(before, [
    ...[...damaged].map((name): Found => {
      const position = fed.find((tables) => tables.name === name)?.position ?? 0;
      return { name, position, isFirstFill: false, fault: "missing" };
    }),
    ...late
      .filter(({ projection }) => names.has(projection) && !damaged.has(projection))
      .map(({ projection: name, position, isFirstFill }): Found => ({
        name,
        position,
        isFirstFill,
        fault: "behind",
      })),
  ]);
  for (const { name, position } of await findStalled(deps, stalling)) {
    const fault = { key: keyOf(name), kind: "stalled", subject: name } as const;
    if (!open.some(({ key }) => key === fault.key)) {
      await alerting.raise({ ...fault, rowKey: null, count: 1, atPosition: position });
    }
  }
  return stalling;
}

/** Looks four times a minute. A failure is logged and tried again the next time. */
export function startStalledWatch(deps: StalledDeps & { readonly logger: Logger }): Repeating {
  let stalling: Stalling = new Map();
  const look = retried(deps.logger, "a look for stalled tables failed", async () => {
    stalling = await followStalledTables(deps, stalling);
  });
  return repeat(LOOK_EVERY_MS, look);
}
