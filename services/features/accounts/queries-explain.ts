// Explains a person's number: the ledger lines that it is the sum of, and whether they really sum to it.
import { sql } from "kysely";
import type { Expression, RawBuilder, SqlBool } from "kysely";
import { badRequest } from "#http/errors.ts";
import type { AsOf } from "#http/as-of.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { LedgerLine } from "#features/accounts/contract.ts";
import type {
  ExplainedLine,
  ExplainedNumber,
  ExplainQuery,
  ExplainResponse,
} from "#features/accounts/contract-explain.ts";
import type { SaidRow } from "#features/accounts/ledger-lines.ts";
import { linesUntil, wordsOf } from "#features/accounts/ledger-lines.ts";
import { accountHistoryTable, balancesTable } from "#features/accounts/projection.ts";
import { availableAccount, payoutsAccount } from "#features/accounts/streams.ts";
import type { EventExplanations } from "#features/histories.ts";
import { PayoutPaid, PayoutReturned } from "#features/payouts/events.ts";
import { payoutsTable } from "#features/payouts/projection.ts";
import { CustomSaleRecorded, SaleRecorded } from "#features/sales/events.ts";
import { salesTable } from "#features/sales/projection.ts";
import { typesOfKind } from "#ledger/explain.ts";
import { toDollars } from "#ledger/money.ts";

const history = nameOfTable(accountHistoryTable);

/** A number that ledger lines `h` sum to. */
type LedgerNumber = {
  /** Which lines count. */
  readonly counts: RawBuilder<SqlBool>;
  /** What a line adds. */
  readonly amount: RawBuilder<number>;
  /** The number as screens show it, up to a line of a person; `position` is that line's. */
  readonly stated: (
    uid: string,
    line: Expression<number>,
    position: Expression<number>,
  ) => RawBuilder<number>;
};

/** A running balance; where nothing was booked after the line, what the balances say. */
function balance(column: string, account: (uid: string) => string): LedgerNumber {
  const delta = sql.ref(`h.${column}_delta_cents`);
  return {
    counts: sql<SqlBool>`${delta} <> 0`,
    amount: sql<number>`${delta}`,
    stated: (uid, line, position) => sql<number>`coalesce(
      (select b.balance_cents from ${nameOfTable(balancesTable)} b
        where b.account = ${account(uid)} and b.position <= ${position}),
      (select a.${sql.ref(`${column}_after_cents`)} from ${history} a where a.uid = ${uid} and a.line = ${line}),
      0)`,
  };
}

const saleTypes = [SaleRecorded.type, CustomSaleRecorded.type];

const ledgerNumbers: Readonly<Record<Exclude<ExplainedNumber, "heldForTrades">, LedgerNumber>> = {
  available: balance("available", availableAccount.of),
  pendingPayouts: balance("in_transit", payoutsAccount.of),
  totalPaid: {
    counts: sql<SqlBool>`h.type in (${PayoutPaid.type}, ${PayoutReturned.type})`,
    // A paid one leaves what is pending; a returned one is available again.
    amount: sql<number>`-(h.in_transit_delta_cents + h.available_delta_cents)`,
    stated: (uid, _line, position) => sql<number>`coalesce(
      (select sum(p.amount_cents) from ${nameOfTable(payoutsTable)} p
        where p.consignor_uid = ${uid} and p.status in ('paid', 'returned') and p.settled_position <= ${position}
          and (p.returned_position is null or p.returned_position > ${position})), 0)::bigint`,
  },
  sales: {
    counts: sql<SqlBool>`h.type = any (string_to_array(${saleTypes.join(",")}, ','))`,
    amount: sql<number>`1`,
    stated: (uid, _line, position) => sql<number>`(
      select count(*) from ${nameOfTable(salesTable)} s
      where s.consignor_id = ${uid} and s.position <= ${position})`,
  },
};

type Bounds = {
  readonly lines_before: number;
  readonly last_line: number;
  readonly opening: number;
  readonly closing: number;
};

async function readBounds(
  reads: Reads,
  { stated }: LedgerNumber,
  uid: string,
  position: number,
  { from, to }: Pick<ExplainQuery, "from" | "to">,
): Promise<Bounds> {
  const known = linesUntil(uid, "position", "<=", sql`${position}::bigint`);
  const until = (time: string | undefined, otherwise: RawBuilder<number>) =>
    time === undefined
      ? otherwise
      : linesUntil(uid, "booked_at", "<", sql`${time}::text::timestamptz`);
  // Without an end, everything up to the position counts: also what is not a line of this person.
  const end =
    to === undefined ? sql<number>`${position}::bigint` : positionOf(uid, sql`x.last_line`);
  const { rows } = await sql<Bounds>`
    with counts as materialized (select ${known} as known),
    bounds as materialized (
      select least(c.known, ${until(from, sql`0`)}) as lines_before,
        least(c.known, ${until(to, sql`c.known`)}) as last_line
      from counts c)
    select x.lines_before, x.last_line,
      case when x.lines_before = 0 then 0
        else ${stated(uid, sql`x.lines_before`, positionOf(uid, sql`x.lines_before`))} end as opening,
      case when x.last_line = 0 then 0 else ${stated(uid, sql`x.last_line`, end)} end as closing
    from bounds x`.execute(reads);
  const [bounds] = rows;
  if (bounds === undefined) {
    throw new Error("PostgreSQL returned no row for the bounds of a number");
  }
  return bounds;
}

/** The position of a person's line; 0 for line 0. */
function positionOf(uid: string, line: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`coalesce(
    (select l.position from ${history} l where l.uid = ${uid} and l.line = ${line}), 0)`;
}

type TypeSum = { readonly type: string; readonly lines: number; readonly amount: number };

async function sumByType(
  reads: Reads,
  { counts, amount }: LedgerNumber,
  uid: string,
  { lines_before: before, last_line: last }: Bounds,
): Promise<readonly TypeSum[]> {
  const { rows } = await sql<TypeSum>`
    select h.type, count(*) as lines, sum(${amount})::bigint as amount
    from ${history} h
    where h.uid = ${uid} and h.line > ${before}::bigint and h.line <= ${last}::bigint and ${counts}
    group by h.type`.execute(reads);
  return rows;
}

type NumberRow = SaidRow & {
  readonly line: number;
  readonly position: number;
  readonly amount: number;
  readonly happened_at: Date;
  readonly recorded_at: Date;
};

async function readPage(
  searches: Reads,
  { counts, amount }: LedgerNumber,
  uid: string,
  bounds: Bounds,
  types: Expression<SqlBool>,
  { cursor, limit }: Pick<ExplainQuery, "cursor" | "limit">,
): Promise<readonly NumberRow[]> {
  const last =
    cursor === undefined ? bounds.last_line : Math.min(bounds.last_line, Number(cursor) - 1);
  const { rows } = await sql<NumberRow>`
    with page as materialized (
      select h.uid, h.line, h.position, ${amount} as amount
      from ${history} h
      where h.uid = ${uid} and h.line > ${bounds.lines_before}::bigint and h.line <= ${last}::bigint
        and ${counts} and ${types}
      order by h.line desc limit ${limit + 1})
    select p.uid, p.line, p.position, p.amount::bigint, e.type, e.schema_version, e.data, e.happened_at,
      e.recorded_at
    from page p join log.events e on e.position = p.position
    order by p.line desc`.execute(searches);
  return rows;
}

/** The kind of a type of events in a ledger. */
export function kindOfType(explanations: EventExplanations, type: string): LedgerLine["kind"] {
  return explanations.get(type)?.explanation.consignor?.kind ?? "other";
}

/** Lines `h` of a kind; `other` is every type that no feature explains. */
function ofKind(
  explanations: EventExplanations,
  kind: LedgerLine["kind"] | undefined,
): RawBuilder<SqlBool> {
  if (kind === undefined) {
    return sql<SqlBool>`true`;
  }
  const listed = (types: readonly string[]) => sql`(string_to_array(${types.join(",")}, ','))`;
  return kind === "other"
    ? sql<SqlBool>`h.type <> all ${listed([...explanations.keys()].filter((type) => kindOfType(explanations, type) !== "other"))}`
    : sql<SqlBool>`h.type = any ${listed(typesOfKind(explanations, "consignor", kind))}`;
}

/** Sums by kind, in the order in which the kinds first appear. */
export function groupsOf(
  explanations: EventExplanations,
  sums: readonly TypeSum[],
  shown: (value: number) => number,
): ExplainResponse["groups"] {
  const byKind = Map.groupBy(sums, ({ type }) => kindOfType(explanations, type));
  return [...byKind].map(([kind, own]) => ({
    kind,
    lines: own.reduce((sum, { lines }) => sum + lines, 0),
    amount: shown(own.reduce((sum, { amount }) => sum + amount, 0)),
  }));
}

function lineOf(
  explanations: EventExplanations,
  row: NumberRow,
  shown: (value: number) => number,
): ExplainedLine {
  const { kind, chip, description, saleID, payoutID, tradeID } = wordsOf(explanations, row);
  return {
    position: row.position,
    type: row.type,
    kind,
    chip,
    description,
    saleID,
    payoutID,
    tradeID,
    amount: shown(row.amount),
    line: row.line,
    happenedAt: row.happened_at.toISOString(),
    recordedAt: row.recorded_at.toISOString(),
  };
}

/** A number that is the sum of ledger lines, up to a position. Throws HttpError 400 `empty_period`. */
export async function explainLedgerNumber(
  { reads, searches }: { readonly reads: Reads; readonly searches: Reads },
  explanations: EventExplanations,
  uid: string,
  { position }: AsOf,
  query: ExplainQuery & { readonly number: Exclude<ExplainedNumber, "heldForTrades"> },
): Promise<ExplainResponse> {
  const { number, from, to, kind, limit } = query;
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to)) {
    throw badRequest("empty_period", "A period ends after it begins", "to");
  }
  const asked = ledgerNumbers[number];
  const shown = number === "sales" ? (count: number) => count : toDollars;
  const bounds = await readBounds(reads, asked, uid, position, query);
  const [sums, rows] = await Promise.all([
    sumByType(reads, asked, uid, bounds),
    readPage(searches, asked, uid, bounds, ofKind(explanations, kind), query),
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const summed = sums.reduce((sum, { amount }) => sum + amount, bounds.opening);
  return {
    number,
    unit: number === "sales" ? "count" : "dollars",
    consignorID: uid,
    position,
    opening: shown(bounds.opening),
    groups: groupsOf(explanations, sums, shown),
    closing: shown(bounds.closing),
    summed: shown(summed),
    isBalanced: summed === bounds.closing,
    lineCount: sums.reduce((count, { lines }) => count + lines, 0),
    lines: page.map((row) => lineOf(explanations, row, shown)),
    nextCursor: rows.length > limit && last !== undefined ? String(last.line) : null,
  };
}
