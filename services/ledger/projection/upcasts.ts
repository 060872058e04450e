// Keeps read.upcast_events: older events are upcast once, before any step reads them.
import type { Sql } from "postgres";
import type { EventDefinition } from "#ledger/event.ts";
import { textArray } from "#ledger/log/encode.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import { readHead } from "#ledger/log/read.ts";
import type { OlderEvents, Reading } from "#ledger/projection/sources.ts";
import { NO_OLDER_EVENTS, PLAIN_READING } from "#ledger/projection/sources.ts";
import type { OlderEvent, Progress } from "#ledger/projection/upcast-rows.ts";
import {
  BATCH,
  findOlder,
  keepProgress,
  knownVersions,
  readProgress,
  typesWithVersions,
  writeRows,
} from "#ledger/projection/upcast-rows.ts";

/** Thrown when a newer program has upcast events to a version that this one does not know. */
export class NewerUpcastError extends Error {
  constructor(type: string, version: number) {
    super(
      `Older events of ${type} are kept in version ${version}, which this program does not know: it stops feeding ` +
        "read tables. Start the newer version of the program, or stop it and start this one again.",
    );
    this.name = "NewerUpcastError";
  }
}

/**
 * How existing rows are treated. `run`: they are right. `start`: rows that a newer program left are replaced, and
 * events that the upcast refused are tried again. `repair`: every row is made again.
 */
type Mode = "run" | "start" | "repair";

/** The input of one run over the log for older events. */
type Task = { readonly sql: Sql; readonly register: EventRegister; readonly mode: Mode };

/** The search position is saved every so many events, so that the next process need not search them again. */
const SAVED_EVERY = 100_000;

/** Reads events of any version, without checking which versions there are. */
export function readingAnyVersion(register: EventRegister): Reading {
  const types = typesWithVersions(register).map(
    ({ type, schemaVersion }) => [type, schemaVersion] as const,
  );
  return { ...PLAIN_READING, older: { types: new Map(types), refused: [] } };
}

/** How far the search for each type got. Throws NewerUpcastError on a version that only a newer program knows. */
function startOf(
  { type, schemaVersion }: EventDefinition,
  kept: readonly Progress[],
  mode: Mode,
): Progress {
  const found = kept.find((entry) => entry.type === type);
  if (found !== undefined && found.version > schemaVersion && mode === "run") {
    throw new NewerUpcastError(type, found.version);
  }
  return found?.version === schemaVersion
    ? found
    : { type, version: schemaVersion, position: 0, events: 0 };
}

/** Upcasts the next batch. Returns whether the search reached `through`. */
async function liftBatch(task: Task, through: number): Promise<boolean> {
  const types = typesWithVersions(task.register);
  return task.sql.begin(async (transaction) => {
    // One process at a time; the next one continues where this one stopped.
    await transaction`select pg_advisory_xact_lock(4714, 1)`;
    const kept = await readProgress(transaction);
    const starts = types.map((definition) => startOf(definition, kept, task.mode));
    const behind = starts.filter(({ position }) => position < through);
    if (behind.length === 0) {
      return true;
    }
    const behindTypes = types.filter(({ type }) => behind.some((entry) => entry.type === type));
    const searched = behind.map(({ position }) => position);
    const found = await findOlder(transaction, behindTypes, searched, through);
    await writeRows(transaction, task.register, found);
    const reached = found.length < BATCH ? through : (found.at(-1)?.position ?? through);
    const progress = behind.map((entry): Progress => {
      const own = found.filter(({ type }) => type === entry.type).length;
      return {
        ...entry,
        position: Math.max(entry.position, reached),
        events: entry.events + own,
      };
    });
    await keepProgress(transaction, progress);
    return reached >= through;
  });
}

/** Deletes rows that another version of the program left and rows that are made again. */
async function prepare({ sql, register, mode }: Task): Promise<void> {
  const types = typesWithVersions(register);
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(4714, 1)`;
    const kept = await readProgress(transaction);
    const isOwn = ({ type, version }: Progress) =>
      types.some((entry) => entry.type === type && entry.schemaVersion === version);
    if (mode === "repair" || !kept.every(isOwn)) {
      const gone = mode === "repair" ? kept : kept.filter((entry) => !isOwn(entry));
      await transaction`
        delete from read.upcasts where type = any (${textArray(gone.map(({ type }) => type))}::text[])`;
      await transaction.unsafe(
        `delete from read.upcast_events u where not exists (
           select from log.events e
           join unnest($1::text[], $2::integer[]) as known (type, version)
             on known.type = e.type and known.version > e.schema_version
           where e.position = u.position)`,
        knownVersions(types),
      );
    }
    const refused = await transaction<OlderEvent[]>`
      select e.position, e.type, e.schema_version as "schemaVersion", e.data
      from read.upcast_events u join log.events e on e.position = u.position
      where u.error is not null and e.type = any (${textArray(types.map(({ type }) => type))}::text[])
      order by e.position`;
    for (let start = 0; start < refused.length; start += BATCH) {
      await writeRows(transaction, register, refused.slice(start, start + BATCH));
    }
  });
}

async function readOlder({ sql, register }: Task, kept: readonly Progress[]): Promise<OlderEvents> {
  const types = kept.filter(({ type, events }) => events > 0 && register.has(type));
  if (types.length === 0) {
    return NO_OLDER_EVENTS;
  }
  const refused = await sql<{ position: number }[]>`
    select position from read.upcast_events where error is not null order by position`;
  return {
    types: new Map(types.map(({ type, version }) => [type, version])),
    refused: refused.map(({ position }) => position),
  };
}

/** Fills read.upcast_events up to `through`, and returns which older events the log contains. */
async function bringTo(task: Task, through: number): Promise<OlderEvents> {
  const types = typesWithVersions(task.register);
  if (task.mode !== "run") {
    await prepare(task);
  }
  const isDone = (kept: readonly Progress[]) =>
    types.every((definition) => startOf(definition, kept, task.mode).position >= through);
  let reached = types.length === 0 || isDone(await readProgress(task.sql));
  while (!reached) {
    // Each batch is one transaction, so an interrupted search continues where it stopped.
    reached = await liftBatch(task, through);
  }
  const known = (await readProgress(task.sql)).filter(({ type }) =>
    types.some((entry) => entry.type === type),
  );
  return readOlder(task, known);
}

/**
 * Runs before anything is fed: rows that another version of the program left are replaced, and refused events are
 * retried.
 */
export async function startUpcasts(sql: Sql, register: EventRegister): Promise<void> {
  await bringTo({ sql, register, mode: "start" }, (await readHead(sql)).position);
}

/** Runs before the log is read beyond the read tables' position. Existing rows are not changed. */
export async function fillUpcasts(sql: Sql, register: EventRegister): Promise<void> {
  await bringTo({ sql, register, mode: "run" }, (await readHead(sql)).position);
}

/** Makes every row again, for a repair. */
export async function renewUpcasts(sql: Sql, register: EventRegister): Promise<void> {
  await bringTo({ sql, register, mode: "repair" }, (await readHead(sql)).position);
}

/** What a caller saw of the log: whether (after, head] contains older events. */
export type Seen = { readonly after: number; readonly hasOlder: boolean };

export type Upcasts = {
  /** Afterwards, every older event up to `through` has its row. Costs nothing if no older event was added. */
  readonly bringTo: (through: number, seen: Seen | undefined) => Promise<OlderEvents>;
  /** Reports that a row was missing: the next call makes all of them again. */
  readonly doubt: () => void;
};

/** For code that feeds read tables: remembers up to which position the rows exist. */
export function createUpcasts(sql: Sql, register: EventRegister): Upcasts {
  let done: number | undefined;
  let writtenDown = 0;
  let isDoubted = false;
  let older = NO_OLDER_EVENTS;
  return {
    async bringTo(through, seen) {
      const isClear = seen !== undefined && !seen.hasOlder && seen.after <= (done ?? -1);
      if (done !== undefined && isClear && through - writtenDown < SAVED_EVERY) {
        done = Math.max(done, through);
      }
      if (done === undefined || done < through) {
        const task: Task = { sql, register, mode: "run" };
        if (isDoubted) {
          // Throws if a newer program is running: its rows must stay.
          const kept = await readProgress(sql);
          typesWithVersions(register).forEach((definition) => startOf(definition, kept, "run"));
          await renewUpcasts(sql, register);
          isDoubted = false;
        }
        older = await bringTo(task, through);
        done = through;
        writtenDown = through;
      }
      return older;
    },
    doubt() {
      done = undefined;
      isDoubted = true;
    },
  };
}
