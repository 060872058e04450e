// A statement: one period of an account with what it opened and closed at, as the ledger stood at one position.
import type { Sql } from "#db/connect.ts";
import { CSV_MAX_LINES } from "#http/csv.ts";
import { badRequest } from "#http/errors.ts";
import type { LedgerLine, StatementResponse } from "#features/accounts/contract.ts";
import type { LedgerPeople, LineRow } from "#features/accounts/ledger-lines.ts";
import { LINE_COLUMNS, linesUntil, toLines } from "#features/accounts/ledger-lines.ts";
import { toCents, toDollars } from "#ledger/money.ts";

export type StatementWish = {
  readonly uid: string;
  readonly timeZone: string;
  /** Days in that time zone, both included. */
  readonly from: string;
  readonly to: string;
  /** The statement knows nothing that was recorded behind it. */
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

/** $1 the uid, $2 the time zone, $3 and $4 the days, $5 the position. */
const BOUNDS = `
  with lines as materialized (
    select ${linesUntil("$1", "position", "<=", "$5::bigint")} as known,
      ${linesUntil("$1", "booked_at", "<", "(($3::date)::timestamp at time zone $2)")} as before,
      ${linesUntil("$1", "booked_at", "<", "(($4::date + 1)::timestamp at time zone $2)")} as until),
  bounds as (
    select least(before, known) as lines_before, least(until, known) as last_line from lines)
  select b.lines_before, b.last_line,
    coalesce(o.available_after_cents, 0) as opening,
    coalesce(o.in_transit_after_cents, 0) as opening_in_transit,
    coalesce(c.available_after_cents, 0) as closing,
    coalesce(c.in_transit_after_cents, 0) as closing_in_transit,
    (select encode(e.hash, 'hex') from log.events e where e.position = $5::bigint) as hash
  from bounds b
  left join read.account_history o on o.uid = $1 and o.line = b.lines_before
  left join read.account_history c on c.uid = $1 and c.line = b.last_line`;

/** What lies around a period: the balances, and where its lines begin and end. */
export type StatementFrame = Omit<StatementResponse, "lines" | "sums"> & {
  /** The first line is the one behind this. */
  readonly linesBefore: number;
  readonly lastLine: number;
};

/** Throws HttpError 400 `too_many_lines`. */
export async function readFrame(
  sql: Sql,
  people: LedgerPeople,
  wish: StatementWish,
): Promise<StatementFrame> {
  const { uid, timeZone, from, to, position, maxLines, issuedAt } = wish;
  const [[bounds], names] = await Promise.all([
    sql.unsafe<Bounds[]>(BOUNDS, [uid, timeZone, from, to, position], { prepare: true }),
    people.profiles.displayNames([uid]),
  ]);
  if (bounds === undefined) {
    throw new Error("PostgreSQL returned no row for a statement's bounds");
  }
  if (bounds.last_line - bounds.lines_before > maxLines) {
    throw badRequest(
      "too_many_lines",
      `This period has more than ${maxLines.toLocaleString("en-US")} entries. Choose a shorter one${maxLines < CSV_MAX_LINES ? ", or save it as CSV" : ""}`,
      "to",
    );
  }
  return {
    consignorID: uid,
    displayName: names.get(uid) ?? uid,
    from,
    to,
    timeZone,
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
    linesBefore: bounds.lines_before,
    lastLine: bounds.last_line,
  };
}

/** Some 15 ms of work: requests that come in meanwhile wait no longer. */
const LINES_A_TURN = 500;

/** The lines of a period, some at a time. */
export async function* readLines(
  sql: Sql,
  people: LedgerPeople,
  frame: StatementFrame,
): AsyncGenerator<LedgerLine[]> {
  const { consignorID, timeZone, linesBefore, lastLine } = frame;
  for (let after = linesBefore; after < lastLine; after += LINES_A_TURN) {
    const until = Math.min(after + LINES_A_TURN, lastLine);
    const rows = await sql.unsafe<LineRow[]>(
      `select ${LINE_COLUMNS} from read.account_history h join log.events e on e.position = h.position
       where h.uid = $1 and h.line > $3::bigint and h.line <= $4::bigint order by h.line`,
      [consignorID, timeZone, after, until],
      { prepare: true },
    );
    yield await toLines(people, rows);
  }
}

/**
 * The period's lines by recorded position, with the balances before and after them. A line falls into the
 * period in which it was booked, as on screen. At the same position the same statement comes out for ever; what
 * was recorded later shows in statements at later positions. Throws HttpError 400 `too_many_lines`.
 */
export async function readStatement(
  sql: Sql,
  people: LedgerPeople,
  wish: StatementWish,
): Promise<StatementResponse> {
  const frame = await readFrame(sql, people, wish);
  const lines: LedgerLine[] = [];
  for await (const some of readLines(sql, people, frame)) {
    lines.push(...some);
  }
  const { linesBefore: _linesBefore, lastLine: _lastLine, ...around } = frame;
  return { ...around, sums: sumsOf(lines), lines };
}

const kinds = ["sale", "refund", "correction", "payout", "adjustment", "other"] as const;

function sumsOf(lines: readonly LedgerLine[]): StatementResponse["sums"] {
  return kinds.flatMap((kind) => {
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
