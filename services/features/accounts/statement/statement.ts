// A statement: one period of an account with its opening and closing balance, as of one position of the ledger.
import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import { CSV_MAX_LINES } from "#http/csv.ts";
import { badRequest } from "#http/errors.ts";
import type { Reads } from "#http/reads.ts";
import { dayAfter, readDayBegins } from "#http/store-days.ts";
import type { LedgerLine, StatementResponse } from "#features/accounts/contract.ts";
import { lineKind } from "#features/accounts/contract.ts";
import type { LedgerPeople } from "#features/accounts/ledger-lines.ts";
import { linesUntil, selectLines, toLines } from "#features/accounts/ledger-lines.ts";
import type { MonthsState } from "#features/months/streams.ts";
import { beginsOf, zonesOf } from "#features/months/streams.ts";
import { toCents, toDollars } from "#ledger/money.ts";
import { withoutEmails } from "#identity/profiles.ts";

export type StatementQuery = {
  readonly uid: string;
  readonly storeName: string;
  readonly timeZone: string;
  /** The months that were closed at the position: they keep the bounds of their closing. */
  readonly closings: MonthsState;
  /** Days in that time zone, both inclusive. */
  readonly from: string;
  readonly to: string;
  /** The statement leaves out everything recorded after it. */
  readonly position: number;
  readonly maxLines: number;
  readonly issuedAt: string;
};

type Bounds = {
  readonly lines_before: number;
  readonly last_line: number;
  readonly opening: number;
  readonly opening_in_transit: number;
  readonly closing: number;
  readonly closing_in_transit: number;
  readonly hash: string | null;
};

/** When a period of days begins and ends. */
export async function readPeriod(
  reads: Reads,
  { from, to, timeZone, closings }: Pick<StatementQuery, "from" | "to" | "timeZone" | "closings">,
): Promise<readonly [starts: RawBuilder<Date>, ends: RawBuilder<Date>]> {
  const days = [from, dayAfter(to)];
  const [starts, ends] = await readDayBegins(reads, beginsOf(days, timeZone, closings));
  const instant = (at: Date | undefined) =>
    sql<Date>`${at?.toISOString() ?? ""}::text::timestamptz`;
  return [instant(starts), instant(ends)];
}

async function readBounds(reads: Reads, query: StatementQuery): Promise<Bounds> {
  const { uid, position } = query;
  const [starts, ends] = await readPeriod(reads, query);
  const { rows } = await sql<Bounds>`
    with lines as materialized (
      select ${linesUntil(uid, "position", "<=", sql`${position}::bigint`)} as known,
        ${linesUntil(uid, "booked_at", "<", starts)} as before,
        ${linesUntil(uid, "booked_at", "<", ends)} as until),
    bounds as (
      select least(before, known) as lines_before, least(until, known) as last_line from lines)
    select b.lines_before, b.last_line,
      coalesce(o.available_after_cents, 0) as opening,
      coalesce(o.in_transit_after_cents, 0) as opening_in_transit,
      coalesce(c.available_after_cents, 0) as closing,
      coalesce(c.in_transit_after_cents, 0) as closing_in_transit,
      (select encode(e.hash, 'hex') from log.events e where e.position = ${position}::bigint) as hash
    from bounds b
    left join read.account_history o on o.uid = ${uid} and o.line = b.lines_before
    left join read.account_history c on c.uid = ${uid} and c.line = b.last_line`.execute(reads);
  const [bounds] = rows;
  if (bounds === undefined) {
    throw new Error("PostgreSQL returned no row for a statement's bounds");
  }
  return bounds;
}

/** A period's bounds: the balances before and after, and the numbers of its lines. */
export type StatementFrame = Omit<StatementResponse, "lines" | "sums"> & {
  readonly closings: MonthsState;
  /** The first line is the one after this. */
  readonly linesBefore: number;
  readonly lastLine: number;
};

/** Throws HttpError 400 `too_many_lines`. */
export async function readFrame(
  reads: Reads,
  people: LedgerPeople,
  query: StatementQuery,
): Promise<StatementFrame> {
  const { uid, storeName, timeZone, from, to, position, maxLines, issuedAt } = query;
  const [bounds, names] = await Promise.all([
    readBounds(reads, query),
    // A statement is shown to others.
    withoutEmails(people.profiles).displayNames([uid]),
  ]);
  if (bounds.last_line - bounds.lines_before > maxLines) {
    throw badRequest(
      "too_many_lines",
      `This period has more than ${maxLines.toLocaleString("en-US")} entries. Choose a shorter one${maxLines < CSV_MAX_LINES ? ", or save it as CSV" : ""}`,
      "to",
    );
  }
  return {
    storeName,
    consignorID: uid,
    displayName: names.get(uid) ?? uid,
    from,
    to,
    ...zonesOf({ from, to }, timeZone, query.closings),
    opening: {
      balance: toDollars(bounds.opening),
      inTransit: toDollars(bounds.opening_in_transit),
    },
    closing: {
      balance: toDollars(bounds.closing),
      inTransit: toDollars(bounds.closing_in_transit),
    },
    position,
    chainHead: bounds.hash,
    issuedAt,
    closings: query.closings,
    linesBefore: bounds.lines_before,
    lastLine: bounds.last_line,
  };
}

/** About 15 ms of work, so that other requests do not wait longer. */
const LINES_A_TURN = 500;

/** The lines of a period, in batches. */
export async function* readLines(
  reads: Reads,
  people: LedgerPeople,
  frame: StatementFrame,
): AsyncGenerator<LedgerLine[]> {
  const { consignorID, timeZone, closings, linesBefore, lastLine } = frame;
  for (let after = linesBefore; after < lastLine; after += LINES_A_TURN) {
    const until = Math.min(after + LINES_A_TURN, lastLine);
    const rows = await selectLines(reads, consignorID, timeZone, closings)
      .where("h.line", ">", after)
      .where("h.line", "<=", until)
      .orderBy("h.line")
      .execute();
    // Statements do not name actors.
    yield await toLines(people, rows, false);
  }
}

/**
 * The period's lines by recorded position, with the balances before and after them. A line belongs to the
 * period in which it was booked, as on screen. The statement at one position never changes; later events only
 * show in statements at later positions. Throws HttpError 400 `too_many_lines`.
 */
export async function readStatement(
  reads: Reads,
  people: LedgerPeople,
  query: StatementQuery,
): Promise<StatementResponse> {
  const frame = await readFrame(reads, people, query);
  const lines: LedgerLine[] = [];
  for await (const some of readLines(reads, people, frame)) {
    lines.push(...some);
  }
  const { linesBefore: _before, lastLine: _last, closings: _closings, ...around } = frame;
  return { ...around, sums: sumsOf(lines), lines };
}

/** Every kind a line can have, so that opening + sums = closing. */
function sumsOf(lines: readonly LedgerLine[]): StatementResponse["sums"] {
  return lineKind.options.flatMap((kind) => {
    const own = lines.filter((line) => line.kind === kind);
    const total = (amountOf: (line: LedgerLine) => number) =>
      toDollars(own.reduce((sum, line) => sum + toCents(amountOf(line)), 0));
    return own.length === 0
      ? []
      : [
          {
            kind,
            lines: own.length,
            amount: total((line) => line.amount),
            inTransitChange: total((line) => line.inTransitChange),
          },
        ];
  });
}
