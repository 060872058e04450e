// Events that a newer program wrote: this one cannot fold events that it does not know, so it stops before them.
import type { Sql, TransactionSql } from "postgres";
import type { EventRegister } from "#ledger/log/read.ts";

/** The first event of a type or version that this program does not know. */
export type NewerEvent = {
  readonly position: number;
  readonly type: string;
  readonly schemaVersion: number;
};

/** Thrown by code that would have to fold such an event. Nothing is held back for it. */
export class NewerEventError extends Error {
  readonly event: NewerEvent;

  constructor(event: NewerEvent) {
    super(describeNewerEvent(event));
    this.name = "NewerEventError";
    this.event = event;
  }
}

export function describeNewerEvent(event: NewerEvent): string {
  return `${describeUnknown(event)}: it stops feeding read tables there. Start the newer version of the program`;
}

/** Without a full stop. */
export function describeUnknown({ position, type, schemaVersion }: NewerEvent): string {
  return `Event ${position} is ${type} version ${schemaVersion}, which this program does not know`;
}

/** What a register knows about the log above a position, all from one snapshot. */
export type KnownHead = {
  readonly head: number;
  /** The first event that the register does not know. */
  readonly newer: NewerEvent | undefined;
  /** Whether there are events of older versions. */
  readonly hasOlder: boolean;
  /** The types of all these events. */
  readonly types: ReadonlySet<string>;
};

type Kinds = { readonly head: number; readonly kinds: readonly NewerEvent[] };

/** The first event of each type and version above `after` and up to `through`, and the log's head. */
async function readKinds(
  sql: Sql | TransactionSql,
  after: number,
  through: number,
): Promise<Kinds> {
  // Grouped, because comparing each event with all types that there are took longer than applying it.
  const rows = await sql.unsafe<
    { head: number; type: string | null; schemaVersion: number; position: number }[]
  >(
    `select log.head, kinds.type, kinds.schema_version as "schemaVersion", kinds.position
     from (select coalesce(max(position), 0) as head from log.events) log
     left join (
       select e.type, e.schema_version, min(e.position) as position
       from log.events e
       where e.position > $1::bigint and e.position <= $2::bigint
       group by e.type, e.schema_version) kinds on true
     order by kinds.position`,
    [after, through],
    { prepare: true },
  );
  return {
    head: rows[0]?.head ?? 0,
    kinds: rows.flatMap(({ type, schemaVersion, position }) =>
      type === null ? [] : [{ type, schemaVersion, position }],
    ),
  };
}

function knownOf({ head, kinds }: Kinds, register: EventRegister): KnownHead {
  const versionOf = (type: string) => register.get(type)?.schemaVersion ?? 0;
  return {
    head,
    newer: kinds.find(({ type, schemaVersion }) => schemaVersion > versionOf(type)),
    hasOlder: kinds.some(({ type, schemaVersion }) => schemaVersion < versionOf(type)),
    types: new Set(kinds.map(({ type }) => type)),
  };
}

/**
 * The log's head, and what the register knows about the events above `after`, if wanted only up to `through`: in a long
 * log, one look at all of it takes seconds, and PostgreSQL keeps every old row version meanwhile.
 */
export async function readKnownHead(
  sql: Sql | TransactionSql,
  register: EventRegister,
  after: number,
  through: number = Number.MAX_SAFE_INTEGER,
): Promise<KnownHead> {
  return knownOf(await readKinds(sql, after, through), register);
}

/** Does what `readKnownHead` does. */
export type KnownLog = (after: number, through: number) => Promise<KnownHead>;

/** As many as a rebuild's largest chunk: what is read for the one is not read again for the other. */
const PIECE = 250_000;

function withMore(kinds: Kinds["kinds"], more: Kinds["kinds"]): Kinds["kinds"] {
  const isNew = (kind: NewerEvent) =>
    kinds.every(
      ({ type, schemaVersion }) => type !== kind.type || schemaVersion !== kind.schemaVersion,
    );
  return [...kinds, ...more.filter(isNew)];
}

/**
 * For who fills several tables, or looks again and again: what was read is not read again, and a long log is read in pieces,
 * each with a snapshot of its own.
 */
export function createKnownLog(sql: Sql, register: EventRegister, pieceSize = PIECE): KnownLog {
  const read = new Map<number, { readonly through: number; readonly kinds: Kinds["kinds"] }>();

  async function readPiece(after: number, end: number): Promise<Kinds> {
    const earlier = read.get(after);
    const from =
      earlier !== undefined && earlier.through <= end ? earlier : { through: after, kinds: [] };
    const { head, kinds: more } = await readKinds(sql, from.through, end);
    const kinds = withMore(from.kinds, more);
    read.set(after, { through: Math.max(from.through, Math.min(head, end)), kinds });
    return { head, kinds };
  }

  return async (after, through) => {
    let kinds: Kinds["kinds"] = [];
    let [at, size] = [after, pieceSize];
    for (;;) {
      const end = Math.min(at + size, through);
      const known = read.get(at);
      const isKnown = known?.through === end && end < through;
      const piece = isKnown ? { head: Infinity, kinds: known.kinds } : await readPiece(at, end);
      kinds = withMore(kinds, piece.kinds);
      if (end >= Math.min(piece.head, through)) {
        return knownOf({ head: piece.head, kinds }, register);
      }
      // Over a gap, which only a damaged log has, the rest is one piece.
      [at, size] = [end, piece.kinds.length === 0 ? Infinity : pieceSize];
    }
  };
}

/** The position up to which feeding may go: the head, or the last event before one that is not known. */
export function knownThrough({ head, newer }: Pick<KnownHead, "head" | "newer">): number {
  return newer === undefined ? head : Math.min(head, newer.position - 1);
}
