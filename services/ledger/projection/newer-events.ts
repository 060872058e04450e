// Events that a newer program wrote: this one cannot fold events that it does not know, so it stops before them.
import type { Sql, TransactionSql } from "postgres";
import { numberArray, textArray } from "#ledger/log/encode.ts";
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

export function describeNewerEvent({ position, type, schemaVersion }: NewerEvent): string {
  return (
    `Event ${position} is ${type} version ${schemaVersion}, which this program does not know: ` +
    "it stops feeding read tables there. Start the newer version of the program."
  );
}

/** What a register knows about the log above a position, all from one snapshot. */
export type KnownHead = {
  readonly head: number;
  /** The first event that the register does not know. */
  readonly newer: NewerEvent | undefined;
  /** Whether there are events of older versions. */
  readonly hasOlder: boolean;
};

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
  const known = [...register.values()];
  const [row] = await sql.unsafe<
    { head: number; newer: NewerEvent | null; hasOlder: boolean | null }[]
  >(
    // Each subquery stops at the first event it finds, so PostgreSQL can plan it once and keep the plan.
    `select coalesce((select max(position) from log.events), 0) as head,
       (select jsonb_build_object('position', e.position, 'type', e.type, 'schemaVersion', e.schema_version)
        from log.events e
        where e.position > $1::bigint and e.position <= $5::bigint
          -- Most events are of a known type's first version, which is found out sooner.
          and (e.schema_version > 1 or e.type <> all ($2::text[]))
          and coalesce(($3::integer[])[array_position($2::text[], e.type)], 0) < e.schema_version
        order by e.position limit 1) as newer,
       (select true from log.events e
        where e.position > $1::bigint and e.position <= $5::bigint and e.type = any ($4::text[])
          and ($3::integer[])[array_position($2::text[], e.type)] > e.schema_version
        limit 1) as "hasOlder"`,
    [
      after,
      textArray(known.map(({ type }) => type)),
      numberArray(known.map(({ schemaVersion }) => schemaVersion)),
      textArray(known.flatMap(({ type, schemaVersion }) => (schemaVersion > 1 ? [type] : []))),
      through,
    ],
    { prepare: true },
  );
  return {
    head: row?.head ?? 0,
    newer: row?.newer ?? undefined,
    hasOlder: row?.hasOlder ?? false,
  };
}

/** The position up to which feeding may go: the head, or the last event before one that is not known. */
export function knownThrough({ head, newer }: Pick<KnownHead, "head" | "newer">): number {
  return newer === undefined ? head : Math.min(head, newer.position - 1);
}
