// Explains an account of the store or of the world outside by days: what each type of event put in and took out.
import { sql } from "kysely";
import { badRequest } from "#http/errors.ts";
import { midnight } from "#http/midnight.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import { positionBefore } from "#http/as-of.ts";
import type {
  ExplainAccountResponse,
  StoreAccount,
} from "#features/accounts/contract-explain-store.ts";
import { balancesTable } from "#features/accounts/projection.ts";
import { accountBlocksTable, BLOCK_EVENTS } from "#features/accounts/projection-blocks.ts";
import { DAY_MS, dayIn } from "#ledger/day-text.ts";
import { spelledOut } from "#ledger/explain.ts";
import { toDollars } from "#ledger/money.ts";

/** How many days there are without a given first one. */
const USUAL_DAYS = 31;
const MOST_DAYS = 400;

export type AccountQuery = {
  readonly account: StoreAccount;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

type Period = {
  readonly from: string;
  readonly to: string;
  readonly starts: Date;
  readonly ends: Date;
};

/** The days of the period, and when they begin and end in the store's time zone. */
async function readPeriod(
  reads: Reads,
  timeZone: string,
  now: Date,
  { from, to }: AccountQuery,
): Promise<Period> {
  const today = dayIn(now, timeZone);
  const last = to ?? today;
  const usual = new Date(Date.parse(last) - (USUAL_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const first = from ?? usual;
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  if (days < 1) {
    throw badRequest("empty_period", "A period ends after it begins", "to");
  }
  if (days > MOST_DAYS) {
    throw badRequest("period_too_long", `A period has at most ${MOST_DAYS} days`, "from");
  }
  const zone = sql`${timeZone}`;
  const { rows } = await sql<Pick<Period, "starts" | "ends">>`
    select ${midnight(sql`${first}::text`, zone)} as starts,
      ${midnight(sql`${last}::text::date + 1`, zone)} as ends`.execute(reads);
  const [bounds] = rows;
  if (bounds === undefined) {
    throw new Error("PostgreSQL returned no row for the bounds of a period");
  }
  return { from: first, to: last, ...bounds };
}

type SumRow = {
  /** Null for all that was before the period and after it. */
  readonly day: string | null;
  /** The day's bounds in the store's time zone. */
  readonly starts: Date | null;
  readonly ends: Date | null;
  readonly is_before: boolean;
  readonly type: string;
  readonly events: number;
  readonly put_in: number;
  readonly took_out: number;
};

type Balance = { readonly cents: number; readonly position: number };

/** What the account's own read table says, and of which event it knows. */
async function readBalance(reads: Reads, account: StoreAccount): Promise<Balance> {
  const { rows } = await sql<Balance>`
    select b.balance_cents as cents, b.position from ${nameOfTable(balancesTable)} b
    where b.account = ${account}`.execute(reads);
  return rows[0] ?? { cents: 0, position: 0 };
}

/**
 * The account's sums by day and type, and before and after the period. Blocks that were whole at `freshTo` come from
 * their table, the events after them, up to the balance's position, from the log: neither changes any more, so the
 * sums are of exactly the events that the balance has. "After" are also the events of the last day that came after
 * `freshTo`.
 */
async function readSums(
  reads: Reads,
  { account, position }: { readonly account: StoreAccount; readonly position: number },
  timeZone: string,
  { starts, ends }: Period,
  freshTo: number,
): Promise<readonly SumRow[]> {
  const whole = Math.floor(freshTo / BLOCK_EVENTS);
  const { rows } = await sql<SumRow>`
    with sums as (
      select b.quarter_at as at, b.type, false as is_late, b.events, b.in_cents, b.out_cents
      from ${nameOfTable(accountBlocksTable)} b
      where b.account = ${account} and b.block < ${whole}::bigint
      union all
      select e.recorded_at, e.type, e.position > ${freshTo}::bigint, 1::bigint,
        read.total(p.cents) filter (where p.to_account = ${account}),
        read.total(p.cents) filter (where p.from_account = ${account})
      from log.postings p join log.events e on e.position = p.position
      where p.position > ${whole * BLOCK_EVENTS}::bigint and p.position <= ${position}::bigint
        and (p.to_account = ${account} or p.from_account = ${account})
      group by e.position
    ), parts as (
      select case when at >= ${starts} and at < ${ends} and not is_late then (at at time zone ${timeZone})::date end as day,
        at < ${starts} and not is_late as is_before, type, read.total(events) as events,
        read.total(in_cents) as put_in, read.total(out_cents) as took_out
      from sums group by 1, 2, 3)
    select to_char(day, 'YYYY-MM-DD') as day, ${midnight(sql.ref("day"), sql`${timeZone}`)} as starts,
      ${midnight(sql`day + 1`, sql`${timeZone}`)} as ends, is_before, type, events, put_in, took_out
    from parts order by parts.day, type`.execute(reads);
  return rows;
}

const changeOf = (rows: readonly SumRow[]) =>
  rows.reduce((sum, row) => sum + row.put_in - row.took_out, 0);

/** A day's rows as one line; none for rows outside the period. */
function dayOf(own: readonly SumRow[], closing: number): ExplainAccountResponse["days"] {
  const [first] = own;
  if (first === undefined || first.day === null || first.starts === null || first.ends === null) {
    return [];
  }
  const groups = own.map((row) => ({
    type: row.type,
    label: spelledOut(row.type),
    events: row.events,
    in: toDollars(row.put_in),
    out: toDollars(row.took_out),
  }));
  return [
    {
      day: first.day,
      starts: first.starts.toISOString(),
      ends: first.ends.toISOString(),
      amount: toDollars(changeOf(own)),
      closing: toDollars(closing),
      groups,
    },
  ];
}

/** Throws HttpError 400 `empty_period` and `period_too_long`. */
export async function explainAccount(
  { reads, searches }: { readonly reads: Reads; readonly searches: Reads },
  query: AccountQuery,
  store: { readonly timeZone: string; readonly now: Date; readonly freshTo: number },
): Promise<ExplainAccountResponse> {
  const { account } = query;
  const { timeZone, freshTo } = store;
  const { starts, ends, from, to } = await readPeriod(reads, timeZone, store.now, query);
  const [last, stated] = await Promise.all([
    positionBefore(reads, ends, freshTo),
    readBalance(reads, account),
  ]);
  const { position } = stated;
  const period = { from, to, starts, ends };
  const sums = await readSums(searches, { account, position }, timeZone, period, freshTo);
  const opening = changeOf(sums.filter((row) => row.is_before));
  const after = sums.filter((row) => row.day === null && !row.is_before);
  const closing = stated.cents - changeOf(after);
  let balance = opening;
  const within = sums.filter(({ day }) => day !== null);
  const days = [...Map.groupBy(within, ({ day }) => day).values()].map((own) => {
    balance += changeOf(own);
    return dayOf(own, balance);
  });
  return {
    account,
    position: last,
    from,
    to,
    timeZone,
    opening: toDollars(opening),
    days: days.flat().reverse(),
    closing: toDollars(closing),
    summed: toDollars(balance),
    isBalanced: balance === closing,
  };
}
