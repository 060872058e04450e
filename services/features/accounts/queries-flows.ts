// Reads an account as two streams of money, credits and debits, for following which paid for which.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { ReadDeps, Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { Flows, OwnCredit, TakeBack } from "#features/accounts/funding.ts";
import { followFlows } from "#features/accounts/funding.ts";
import type { LineWords, SaidRow } from "#features/accounts/ledger-lines.ts";
import { linesUntil } from "#features/accounts/ledger-lines.ts";
import { accountHistoryTable } from "#features/accounts/projection.ts";
import type { EventExplanations } from "#features/histories.ts";
import { payoutsTable } from "#features/payouts/projection.ts";
import { SaleCorrected, SaleRefunded } from "#features/sales/events.ts";
import { TradeRefunded } from "#features/trades/events.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { toDollars } from "#ledger/money.ts";

const history = nameOfTable(accountHistoryTable);

export type FundingDeps = ReadDeps & {
  readonly explanations: EventExplanations;
  readonly readEvent: ReadEvent;
};

/** A line with its sums; cents. */
export type FlowRow = {
  readonly line: number;
  readonly position: number;
  readonly delta: number;
  readonly credits: number;
  readonly debits: number;
};

export const flowColumns = sql`h.line, h.position, h.available_delta_cents as delta, h.credits_after_cents as credits,
  h.credits_after_cents - h.available_after_cents as debits`;

/** An account up to its last known line, with everything that was taken back. */
export type Account = { readonly uid: string; readonly last: FlowRow; readonly flows: Flows };

const NO_LINE: FlowRow = { line: 0, position: 0, delta: 0, credits: 0, debits: 0 };

async function findLine(
  reads: Reads,
  uid: string,
  line: RawBuilder<number>,
): Promise<FlowRow | undefined> {
  const { rows } = await sql<FlowRow>`
    select ${flowColumns} from ${history} h where h.uid = ${uid} and h.line = ${line}`.execute(
    reads,
  );
  return rows[0];
}

const takeBackTypes = [SaleRefunded.type, SaleCorrected.type, TradeRefunded.type].join(",");

type TakeBackRow = Pick<FlowRow, "line" | "delta" | "debits"> & {
  readonly own_line: number | null;
  readonly own_cents: number | null;
  readonly own_credits: number | null;
};

/**
 * Refunds and corrections with the earlier credits of the same sale or trade. Only lines with an origin are read, and
 * their origins by key. "offset 0" keeps the look-ups one for each line: otherwise the planner may read the whole
 * account.
 */
async function readTakeBacks(reads: Reads, uid: string, lastLine: number): Promise<TakeBack[]> {
  const { rows } = await sql<TakeBackRow>`
    with later as materialized (
      select ${flowColumns}, h.origin_line, h.type from ${history} h
      where h.uid = ${uid} and h.line <= ${lastLine}::bigint and h.origin_line is not null
    ), taken as (
      select * from later where delta < 0 and type = any (string_to_array(${takeBackTypes}, ','))
    ), own as (
      select t.line, first.*
      from taken t
      cross join lateral (
        select c.line as own_line, c.available_delta_cents as own_cents, c.credits_after_cents as own_credits
        from ${history} c
        where c.uid = ${uid} and c.line = t.origin_line and c.available_delta_cents > 0
        offset 0) first
      union all
      select t.line, c.line, c.delta, c.credits
      from taken t join later c on c.origin_line = t.origin_line and c.line < t.line and c.delta > 0)
    select t.line, t.delta, t.debits, o.own_line, o.own_cents, o.own_credits
    from taken t left join own o on o.line = t.line
    order by t.line, o.own_line desc`.execute(reads);
  return [...Map.groupBy(rows, ({ line }) => line).values()].flatMap((own) => {
    const [first] = own;
    return first === undefined
      ? []
      : [
          {
            line: first.line,
            cents: -first.delta,
            debitsAfter: first.debits,
            own: own.flatMap(ownCredit),
          },
        ];
  });
}

function ownCredit({
  own_line: line,
  own_cents: cents,
  own_credits: sum,
}: TakeBackRow): OwnCredit[] {
  return line === null || cents === null || sum === null
    ? []
    : [{ line, cents, creditsAfter: sum }];
}

export async function readAccount(reads: Reads, uid: string, freshTo: number): Promise<Account> {
  const known = linesUntil(uid, "position", "<=", sql`${freshTo}::bigint`);
  const last = (await findLine(reads, uid, known)) ?? NO_LINE;
  return { uid, last, flows: followFlows(await readTakeBacks(reads, uid, last.line)) };
}

/** The first line above a gross sum of credits or debits; the account's last line if there is none. */
export async function lineAbove(
  reads: Reads,
  { uid, last }: Account,
  side: "credits" | "debits",
  gross: number,
): Promise<number> {
  const { rows } = await sql<{ readonly line: number }>`
    select ${linesUntil(uid, side, "<=", sql`${gross}::bigint`)} + 1 as line`.execute(reads);
  return Math.min(last.line, rows[0]?.line ?? last.line);
}

export type WordedRow = FlowRow &
  SaidRow & { readonly happened_at: Date; readonly recorded_at: Date };

/** A line in words, as part of a flow. */
export function flowLine(row: WordedRow, words: LineWords) {
  return {
    line: row.line,
    position: row.position,
    type: row.type,
    kind: words.kind,
    description: words.description,
    happenedAt: row.happened_at.toISOString(),
    recordedAt: row.recorded_at.toISOString(),
    lineAmount: toDollars(Math.abs(row.delta)),
  };
}

/** Lines of one sign with their events, oldest first. */
export async function readWorded(
  searches: Reads,
  uid: string,
  sign: "credit" | "debit",
  from: number,
  through: number,
  limit: number | null,
): Promise<readonly WordedRow[]> {
  const isWanted =
    sign === "credit" ? sql`h.available_delta_cents > 0` : sql`h.available_delta_cents < 0`;
  const { rows } = await sql<WordedRow>`
    with page as materialized (
      select h.uid, ${flowColumns} from ${history} h
      where h.uid = ${uid} and h.line >= ${from}::bigint and h.line <= ${through}::bigint and ${isWanted}
      order by h.line limit ${limit}::bigint)
    select p.*, e.type, e.schema_version, e.data, e.happened_at, e.recorded_at
    from page p join log.events e on e.position = p.position
    order by p.line`.execute(searches);
  return rows;
}

type PayoutOutcome = {
  readonly id: string;
  readonly status: "pending" | "paid" | "deleted" | "returned";
  readonly withdrawn: boolean;
  readonly reference: string | null;
};

export async function payoutOutcomes(
  reads: Reads,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PayoutOutcome>> {
  const { rows } = await sql<PayoutOutcome>`
    select p.payout_id as id, p.status, p.withdrawn, p.reference from ${nameOfTable(payoutsTable)} p
    where p.payout_id = any (${`{${ids.join(",")}}`}::text::uuid[])`.execute(reads);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The number of a person's line at a position; 0 if that event is none of the person's. */
export async function lineAt(reads: Reads, uid: string, position: number): Promise<number> {
  const { rows } = await sql<{ readonly line: number }>`
    select s.version as line from log.event_streams s
    where s.position = ${position}::bigint and s.stream_id = log.consignor_stream(${uid})`.execute(
    reads,
  );
  return rows[0]?.line ?? 0;
}
