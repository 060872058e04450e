// Reads the log for verify: in ranges, whatever it contains, and around events that cannot be read.
import type { TransactionSql } from "postgres";
import { codeOf } from "#ledger/log/failure.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import { readRange } from "#ledger/log/read.ts";
import type { Findings } from "#ledger/verify/findings.ts";
import { endsTheProof, inSavepoint, reasonOf } from "#ledger/verify/findings.ts";

const RANGE = 5_000;

/** The event at a position, or the fact that it cannot be read. */
export type Found =
  | { readonly kind: "event"; readonly event: StoredEvent }
  | { readonly kind: "unreadable"; readonly position: number };

/**
 * The end of the next range: ranges are measured in existing events, so that gaps cannot make them empty or endless.
 */
async function nextEnd(
  sql: TransactionSql,
  { after, until }: Stretch,
): Promise<number | undefined> {
  const [row] = await sql<{ through: number | null }[]>`
    select max(position) as through from (
      select position from log.events
      where position > ${after} and position <= ${until}
      order by position limit ${RANGE}) r`;
  return row?.through ?? undefined;
}

/** True if the statement fails for every event: a column or table is missing or may not be read. */
const isAboutTheTable = (error: unknown): boolean => codeOf(error)?.startsWith("42") === true;

/** The events in (after, through]; if one cannot be read, those around it, found by halving. */
async function readAround(
  sql: TransactionSql,
  after: number,
  through: number,
  findings: Findings,
  signal: AbortSignal | undefined,
): Promise<Found[]> {
  try {
    const events = await inSavepoint(sql, (savepoint) => readRange(savepoint, after, through));
    return events.map((event) => ({ kind: "event", event }));
  } catch (error) {
    if (endsTheProof(error, signal) || isAboutTheTable(error)) {
      throw error;
    }
    if (through - after === 1) {
      const message = `Event ${through} cannot be read: ${reasonOf(error)}`;
      findings.add({ check: "chain", position: through, message });
      return [{ kind: "unreadable", position: through }];
    }
    const middle = after + Math.floor((through - after) / 2);
    const left = await readAround(sql, after, middle, findings, signal);
    return [...left, ...(await readAround(sql, middle, through, findings, signal))];
  }
}

/** Part of the log: the positions after the first and up to the second one. */
export type Stretch = { readonly after: number; readonly until: number };

/** The first range of a stretch, in order; undefined if there are no events in it. */
export async function readNext(
  sql: TransactionSql,
  stretch: Stretch,
  findings: Findings,
  signal: AbortSignal | undefined,
): Promise<{ readonly range: readonly Found[]; readonly through: number } | undefined> {
  signal?.throwIfAborted();
  const through = await nextEnd(sql, stretch);
  return through === undefined
    ? undefined
    : { range: await readAround(sql, stretch.after, through, findings, signal), through };
}
