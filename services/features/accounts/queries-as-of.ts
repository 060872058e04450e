// An account as it was: by what was recorded up to a position, by what had happened up to a time, and their difference.
import { sql } from "kysely";
import type { RawBuilder, SqlBool } from "kysely";
import type { AsOf } from "#http/as-of.ts";
import type { ReadDeps, Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type {
  BalanceAsOfResponse,
  CompareResponse,
  HistoryAsOfResponse,
  ViewBy,
} from "#features/accounts/contract-as-of.ts";
import type { MonthsState } from "#features/months/streams.ts";
import type { LedgerPeople, LineRow } from "#features/accounts/ledger-lines.ts";
import { linesUntil, selectLines, toLines } from "#features/accounts/ledger-lines.ts";
import { accountHistoryTable } from "#features/accounts/projection.ts";
import { toDollars } from "#ledger/money.ts";

const history = nameOfTable(accountHistoryTable);

/** Whose account, as of when, and how far the tables are. */
export type PastAccount = {
  readonly uid: string;
  readonly asOf: AsOf;
  readonly freshTo: number;
};

type Sums = { readonly lines: number; readonly available: number; readonly in_transit: number };

const NOTHING: Sums = { lines: 0, available: 0, in_transit: 0 };

/** The running balances of the last line that was recorded by then. */
async function readRecorded(reads: Reads, { uid, asOf }: PastAccount): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select h.line as lines, h.available_after_cents as available, h.in_transit_after_cents as in_transit
    from ${history} h
    where h.uid = ${uid} and h.line = ${linesUntil(uid, "position", "<=", sql`${asOf.position}::bigint`)}`.execute(
    reads,
  );
  return rows[0] ?? NOTHING;
}

const sums = sql`count(*) as lines, coalesce(read.total(h.available_delta_cents), 0) as available,
  coalesce(read.total(h.in_transit_delta_cents), 0) as in_transit`;

async function sumLines(reads: Reads, isCounted: RawBuilder<SqlBool>): Promise<Sums> {
  const { rows } = await sql<Sums>`select ${sums} from ${history} h where ${isCounted}`.execute(
    reads,
  );
  return rows[0] ?? NOTHING;
}

/** A line `h` that is known and had happened by then. */
function hadHappened({ uid, asOf, freshTo }: PastAccount): RawBuilder<SqlBool> {
  return sql<SqlBool>`h.uid = ${uid} and h.position <= ${freshTo}::bigint
    and ${isBy(asOf)}`;
}

/**
 * Whether a line `h` had happened by then, to the end of the millisecond. Before the first event nothing had. As a
 * subquery, so that the text is read once, not for each line.
 */
function isBy({ at }: AsOf): RawBuilder<SqlBool> {
  return sql<SqlBool>`h.effective_at < (
    select ${at?.toISOString() ?? "-infinity"}::text::timestamptz + interval '1 millisecond')`;
}

function placeOf(by: ViewBy, { uid, asOf, freshTo }: PastAccount) {
  return {
    consignorID: uid,
    by,
    position: by === "recorded" ? asOf.position : freshTo,
    at: asOf.at?.toISOString() ?? null,
  };
}

function dollarsOf({ available, in_transit: inTransit }: Omit<Sums, "lines">) {
  return { balance: toDollars(available), inTransit: toDollars(inTransit) };
}

export async function readBalanceAsOf(
  reads: Reads,
  account: PastAccount,
  by: ViewBy,
): Promise<BalanceAsOfResponse> {
  const found =
    by === "recorded"
      ? await readRecorded(reads, account)
      : await sumLines(reads, hadHappened(account));
  return { ...placeOf(by, account), ...dollarsOf(found), lines: found.lines };
}

type Page = { readonly cursor?: string | undefined; readonly limit: number };

/** The history as of then, newest first. */
export function readHistoryAsOf(
  deps: ReadDeps,
  people: LedgerPeople,
  account: PastAccount,
  viewer: Viewer,
  query: Page & { readonly by: ViewBy },
): Promise<HistoryAsOfResponse> {
  const read = query.by === "recorded" ? historyAsRecorded : historyAsEffective;
  return read(deps, people, account, viewer, query);
}

type Viewer = {
  readonly timeZone: string;
  readonly closings: MonthsState;
  readonly forAdmin: boolean;
};

type ReadHistory = typeof readHistoryAsOf;

const historyAsRecorded: ReadHistory = async (deps, people, account, viewer, { cursor, limit }) => {
  const last = await readRecorded(deps.reads, account);
  const below = Math.min(last.lines, cursor === undefined ? last.lines : lineIn(cursor) - 1);
  const rows = await selectLines(deps.searches, account.uid, viewer.timeZone, viewer.closings)
    .where("h.line", "<=", below)
    .orderBy("h.line", "desc")
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  const lines = await toLines(people, shown, viewer.forAdmin);
  return {
    ...placeOf("recorded", account),
    ...dollarsOf(last),
    lineCount: last.lines,
    lines: lines.map((line, index) => ({ ...line, effectiveAt: effectiveAt(shown[index]) })),
    nextCursor: cursorAfter(rows, limit),
  };
};

/** The balances run in the order of what happened: from the sum below the page's top downwards, line by line. */
const historyAsEffective: ReadHistory = async (
  deps,
  people,
  account,
  viewer,
  { cursor, limit },
) => {
  const isCounted = hadHappened(account);
  const isBelow =
    cursor === undefined
      ? isCounted
      : sql<SqlBool>`${isCounted} and (h.effective_at, h.line) <
          ((select ${new Date(msIn(cursor)).toISOString()}::text::timestamptz), ${lineIn(cursor)}::bigint)`;
  const [all, below, rows] = await Promise.all([
    sumLines(deps.reads, isCounted),
    cursor === undefined ? undefined : sumLines(deps.reads, isBelow),
    readLines(deps.searches, account.uid, viewer, {
      isWanted: isBelow,
      order: sql`h.effective_at desc, h.line desc`,
      limit: limit + 1,
    }),
  ]);
  const shown = rows.slice(0, limit);
  let after: Omit<Sums, "lines"> = below ?? all;
  const lines = (await toLines(people, shown, viewer.forAdmin)).map((line, index) => {
    const row = shown[index];
    const { balance: balanceAfter, inTransit: inTransitAfter } = dollarsOf(after);
    after = {
      available: after.available - (row?.available_delta_cents ?? 0),
      in_transit: after.in_transit - (row?.in_transit_delta_cents ?? 0),
    };
    return { ...line, balanceAfter, inTransitAfter, effectiveAt: effectiveAt(row) };
  });
  return {
    ...placeOf("effective", account),
    ...dollarsOf(all),
    lineCount: all.lines,
    lines,
    nextCursor: cursorAfter(rows, limit),
  };
};

/** Lines with their events in an order of their own: the page is found first, so only its events are read. */
async function readLines(
  searches: Reads,
  uid: string,
  { timeZone, closings }: Viewer,
  page: {
    readonly isWanted: RawBuilder<SqlBool>;
    readonly order: RawBuilder<unknown>;
    readonly limit: number;
  },
): Promise<readonly LineRow[]> {
  const found = await sql<{ readonly line: number }>`
    select h.line from ${history} h where ${page.isWanted} order by ${page.order} limit ${page.limit}`.execute(
    searches,
  );
  const lines = found.rows.map(({ line }) => line);
  const rows = await selectLines(searches, uid, timeZone, closings)
    .where("h.line", "=", sql<number>`any (${`{${lines.join(",")}}`}::text::bigint[])`)
    .execute();
  const byLine = new Map(rows.map((row) => [row.line, row]));
  return lines.flatMap((line) => byLine.get(line) ?? []);
}

function effectiveAt(row: LineRow | undefined): string {
  return row?.effective_at.toISOString() ?? "";
}

/** `<milliseconds>-<line>` of the page's last line. */
function cursorAfter(rows: readonly LineRow[], limit: number): string | null {
  const last = rows[limit - 1];
  return rows.length > limit && last !== undefined
    ? `${last.effective_at.getTime()}-${last.line}`
    : null;
}

function msIn(cursor: string): number {
  return Number(cursor.split("-")[0]);
}

function lineIn(cursor: string): number {
  return Number(cursor.split("-")[1]);
}

/** What the ledger said at a time, what had happened by then as it is known now, and every line between the two. */
export async function compareAsOf(
  deps: ReadDeps,
  people: LedgerPeople,
  account: PastAccount,
  viewer: Viewer,
  { cursor, limit }: Page,
): Promise<CompareResponse> {
  const { uid, asOf, freshTo } = account;
  const known = linesUntil(uid, "position", "<=", sql`${asOf.position}::bigint`);
  const isRecorded = sql<SqlBool>`h.position <= ${asOf.position}::bigint`;
  const isDifferent = sql<SqlBool>`h.uid = ${uid} and h.position <= ${freshTo}::bigint
    and (${isRecorded}) <> (${isBy(asOf)})`;
  const isBelow =
    cursor === undefined
      ? isDifferent
      : sql<SqlBool>`${isDifferent} and h.line < ${cursor}::bigint`;
  const [recorded, effective, late, early, rows] = await Promise.all([
    readRecorded(deps.reads, account),
    sumLines(deps.reads, hadHappened(account)),
    // Lines are numbered in the order of positions, so both read only one part of the account.
    sumLines(deps.reads, sql<SqlBool>`${isDifferent} and h.line > ${known}`),
    sumLines(deps.reads, sql<SqlBool>`${isDifferent} and h.line <= ${known}`),
    readLines(deps.searches, uid, viewer, {
      isWanted: isBelow,
      order: sql`h.line desc`,
      limit: limit + 1,
    }),
  ]);
  const summed = {
    available: recorded.available + late.available - early.available,
    in_transit: recorded.in_transit + late.in_transit - early.in_transit,
  };
  const shown = rows.slice(0, limit);
  const lines = await toLines(people, shown, viewer.forAdmin);
  return {
    consignorID: uid,
    at: asOf.at?.toISOString() ?? null,
    position: asOf.position,
    knownTo: freshTo,
    recorded: dollarsOf(recorded),
    effective: dollarsOf(effective),
    summed: dollarsOf(summed),
    isBalanced:
      summed.available === effective.available && summed.in_transit === effective.in_transit,
    lineCount: late.lines + early.lines,
    lines: lines.map((line, index) => {
      const isLate = line.position > asOf.position;
      const signed = (cents = 0) => toDollars(isLate ? cents : 0 - cents);
      return {
        ...line,
        why: isLate ? "late" : "early",
        effectiveAt: effectiveAt(shown[index]),
        difference: signed(shown[index]?.available_delta_cents),
        inTransitDifference: signed(shown[index]?.in_transit_delta_cents),
      };
    }),
    nextCursor: rows.length > limit ? String(shown.at(-1)?.line ?? "") : null,
  };
}
