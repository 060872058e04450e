// Events that a newer program wrote: what this one does not know it cannot fold, so it stops before them.
import type { Sql, TransactionSql } from "postgres";
import { numberArray, textArray } from "#ledger/log/encode.ts";
import type { EventRegister } from "#ledger/log/read.ts";

/** The first event of a type or version that this program does not know. */
export type NewerEvent = {
  readonly position: number;
  readonly type: string;
  readonly schemaVersion: number;
};

/** Thrown by whoever would have to fold such an event. Nothing is held back for it. */
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

/** The log's head, and the first event above `after` that the register does not know: one snapshot. */
export async function readKnownHead(
  sql: Sql | TransactionSql,
  register: EventRegister,
  after: number,
): Promise<{ head: number; newer: NewerEvent | undefined }> {
  const known = [...register.values()];
  const [row] = await sql.unsafe<{ head: number; newer: NewerEvent | null }[]>(
    `select coalesce((select max(position) from log.events), 0) as head,
       (select jsonb_build_object('position', e.position, 'type', e.type, 'schemaVersion', e.schema_version)
        from log.events e
        where e.position > $1::bigint and not exists (
          select from unnest($2::text[], $3::integer[]) as known (type, version)
          where known.type = e.type and known.version >= e.schema_version)
        order by e.position limit 1) as newer`,
    [
      after,
      textArray(known.map(({ type }) => type)),
      numberArray(known.map(({ schemaVersion }) => schemaVersion)),
    ],
    { prepare: true },
  );
  return { head: row?.head ?? 0, newer: row?.newer ?? undefined };
}

/** Where feeding may go to: the head, or the last event before one that is not known. */
export function knownThrough({
  head,
  newer,
}: {
  head: number;
  newer: NewerEvent | undefined;
}): number {
  return newer === undefined ? head : Math.min(head, newer.position - 1);
}
