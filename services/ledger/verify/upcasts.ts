// Compares the rows that steps read for older events, and the notes on them, with the upcasts of the log.
import type { TransactionSql } from "postgres";
import type { EventDefinition } from "#ledger/event.ts";
import { canonicalJson } from "#ledger/log/chain.ts";
import { numberArray, textArray } from "#ledger/log/encode.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import { typesWithVersions, upcastRow } from "#ledger/projection/upcast-rows.ts";
import type { Problem } from "#ledger/verify/problem.ts";

type Pair = {
  readonly position: number;
  /** Null if there is no event at this position that is older than the program's version. */
  readonly type: string | null;
  readonly schemaVersion: number | null;
  readonly data: unknown;
  /** Null if the event has no row. */
  readonly keptVersion: number | null;
  readonly kept: unknown;
  readonly keptError: string | null;
};

const ROWS_AT_ONCE = 2_000;

function problemAt(position: number, what: string): Problem {
  return {
    check: "projection",
    position,
    message: `read.upcast_events, event ${position}: ${what}. \`npm run rebuild -- all\` makes the rows again`,
  };
}

function problemOf(register: EventRegister, pair: Pair): Problem | undefined {
  const { position, type, schemaVersion, data, keptVersion, kept, keptError } = pair;
  if (type === null || schemaVersion === null) {
    return problemAt(position, "there is a row, but no older event");
  }
  if (keptVersion === null) {
    return problemAt(position, `an older ${type} has no row`);
  }
  const version = register.get(type)?.schemaVersion;
  const made = upcastRow(register, { type, schemaVersion, data });
  const isRight =
    keptVersion === version &&
    (made.error === null) === (keptError === null) &&
    canonicalJson(made.data) === canonicalJson(kept);
  return isRight ? undefined : problemAt(position, `the row is not what the upcast makes of it`);
}

type Note = {
  readonly type: string;
  readonly version: number;
  readonly position: number;
  readonly events: number;
  readonly head: number;
  /** How many older events of this type there are up to its position. */
  readonly older: number;
};

/** What is wrong with a note: steps read by it which types have older events, and how far these were searched for. */
function noteProblem(known: readonly EventDefinition[], note: Note): Problem | undefined {
  const { type, version, position, events, head, older } = note;
  const definition = known.find((entry) => entry.type === type);
  const what =
    definition === undefined
      ? "has no older versions"
      : version !== definition.schemaVersion
        ? `has version ${definition.schemaVersion}, not ${version}`
        : position > head
          ? `was not searched for up to position ${position}: the log ends at ${head}`
          : events !== older
            ? `has ${older} older events up to position ${position}, not ${events}`
            : undefined;
  return what === undefined
    ? undefined
    : {
        check: "projection",
        position: 0,
        message: `read.upcasts: ${type} ${what}. \`npm run rebuild -- all\` makes the rows again`,
      };
}

async function checkNotes(
  sql: TransactionSql,
  known: readonly EventDefinition[],
): Promise<Problem[]> {
  const notes = await sql<Note[]>`
    select u.type, u.version, u.position, u.events, count(e.position) as older,
      (select coalesce(max(position), 0) from log.events) as head
    from read.upcasts u
    left join log.events e
      on e.type = u.type and e.schema_version < u.version and e.position <= u.position
    group by u.type order by u.type`;
  return notes.flatMap((note) => noteProblem(known, note) ?? []);
}

/** Compares every note, every row, and every older event up to the position of the shown tables. */
export async function checkUpcasts(
  sql: TransactionSql,
  register: EventRegister,
): Promise<Problem[]> {
  const known = typesWithVersions(register);
  const problems = await checkNotes(sql, known);
  const pairs = sql<Pair[]>`
    with older as (
      select e.position, e.type, e.schema_version, e.data
      from log.events e
      join unnest(
        ${textArray(known.map(({ type }) => type))}::text[],
        ${numberArray(known.map(({ schemaVersion }) => schemaVersion))}::integer[]) as known (type, version)
        on known.type = e.type and known.version > e.schema_version),
    reached as (
      select coalesce(max(position), 0) as position from read.projections where state = 'live')
    select coalesce(o.position, u.position) as position, o.type, o.schema_version as "schemaVersion", o.data,
      u.version as "keptVersion", u.data as kept, u.error as "keptError"
    from older o
    full join read.upcast_events u on u.position = o.position
    where u.position is not null or o.position <= (select position from reached)
    order by 1`;
  for await (const chunk of pairs.cursor(ROWS_AT_ONCE)) {
    for (const pair of chunk) {
      const problem = problemOf(register, pair);
      if (problem !== undefined) {
        problems.push(problem);
      }
    }
  }
  return problems;
}
