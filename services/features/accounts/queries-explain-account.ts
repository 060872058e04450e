// Explains an account of the store or of the world outside by days: what each type of event put in and took out.
import { sql } from "kysely";
import { badRequest } from "#http/errors.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import { positionBefore } from "#http/as-of.ts";
import type {
  ExplainAccountResponse,
  StoreAccount,
} from "#features/accounts/contract-explain-store.ts";
import { balancesTable } from "#features/accounts/projection.ts";
import { accountBlocksTable, BLOCK_EVENTS } from "#features/accounts/projection-blocks.ts";
import { spelledOut } from "#ledger/explain.ts";
import { toDollars } from "#ledger/money.ts";

/** How many days there are without a given first one. */
const USUAL_DAYS = 31;
const MOST_DAYS = 400;
const DAY_MS = 86_400_000;

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
  const today = new Intl.DateTimeFormat("en-CA", { timeZone }).format(now);
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
  const { rows } = await sql<Pick<Period, "starts" | "ends">>`
    select ${first}::text::timestamp at time zone ${timeZone} as starts,
      (${last}::text::timestamp + interval '1 day') at time zone ${timeZone} as ends`.execute(
    reads,
  );
  const [bounds] = rows;
  if (bounds === undefined) {
    throw new Error("PostgreSQL returned no row for the bounds of a period");
  }
  return { from: first, to: last, ...bounds };
}

type SumRow = {
  /** Null for all that was before the period and after it. */
  readonly day: string | null;
  readonly is_before: boolean;
  readonly type: string;
  readonly events: number;
  readonly put_in: number;
  readonly took_out: number;
  /** The account's balance in its own read table. There is a row for it even without any sum. */
  readonly balance: number;
};

/**
 * The account's sums by day and type, and before and after the period. Blocks that were whole at `freshTo` come from
 * their table, the events after them, up to the balance's position, from the log: so the sums are of exactly the
 * events that the balance has. "After" are also the events of the last day that came after `freshTo`.
 */
async function readSums(
  reads: Reads,
  account: StoreAccount,
  timeZone: string,
  { starts, ends }: Period,
  freshTo: number,
): Promise<readonly SumRow[]> {
  const whole = Math.floor(freshTo / BLOCK_EVENTS);
  const { rows } = await sql<SumRow>`
    with balance as materialized (
      select b.balance_cents, b.position from ${nameOfTable(balancesTable)} b where b.account = ${account}
    ), sums as (
      select b.quarter_at as at, b.type, false as is_late, b.events, b.in_cents, b.out_cents
      from ${nameOfTable(accountBlocksTable)} b
      where b.account = ${account} and b.block < ${whole}::bigint
      union all
      select e.recorded_at, e.type, e.position > ${freshTo}::bigint, 1,
        coalesce(sum(p.cents) filter (where p.to_account = ${account}), 0),
        coalesce(sum(p.cents) filter (where p.from_account = ${account}), 0)
      from log.postings p join log.events e on e.position = p.position
      where p.position > ${whole * BLOCK_EVENTS}::bigint and p.position <= (select position from balance)
        and (p.to_account = ${account} or p.from_account = ${account})
      group by e.position
    ), parts as (
      select case when at >= ${starts} and at < ${ends} and not is_late then (at at time zone ${timeZone})::date end as day,
        at < ${starts} and not is_late as is_before, type, sum(events) as events, sum(in_cents) as put_in, sum(out_cents) as took_out
      from sums group by 1, 2, 3)
    select to_char(p.day, 'YYYY-MM-DD') as day, coalesce(p.is_before, false) as is_before, coalesce(p.type, '') as type,
      coalesce(p.events, 0)::bigint as events, coalesce(p.put_in, 0)::bigint as put_in,
      coalesce(p.took_out, 0)::bigint as took_out, b.balance
    from (select coalesce(sum(balance_cents), 0)::bigint as balance from balance) b
    left join parts p on true
    order by p.day, p.type`.execute(reads);
  return rows;
}

const changeOf = (rows: readonly SumRow[]) =>
  rows.reduce((sum, row) => sum + row.put_in - row.took_out, 0);

/** Throws HttpError 400 `empty_period` and `period_too_long`. */
export async function explainAccount(
  { reads, searches }: { readonly reads: Reads; readonly searches: Reads },
  query: AccountQuery,
  store: { readonly timeZone: string; readonly now: Date; readonly freshTo: number },
): Promise<ExplainAccountResponse> {
  const { account } = query;
  const { timeZone, freshTo } = store;
  const { starts, ends, from, to } = await readPeriod(reads, timeZone, store.now, query);
  const [last, sums] = await Promise.all([
    positionBefore(reads, ends, freshTo),
    readSums(searches, account, timeZone, { from, to, starts, ends }, freshTo),
  ]);
  const opening = changeOf(sums.filter((row) => row.is_before));
  const after = sums.filter((row) => row.day === null && !row.is_before);
  const closing = (sums[0]?.balance ?? 0) - changeOf(after);
  let balance = opening;
  const within = sums.flatMap((row) => (row.day === null ? [] : [{ ...row, day: row.day }]));
  const days = [...Map.groupBy(within, ({ day }) => day)].map(([day, own]) => {
    const amount = changeOf(own);
    balance += amount;
    return {
      day,
      amount: toDollars(amount),
      closing: toDollars(balance),
      groups: own.map((row) => ({
        type: row.type,
        label: spelledOut(row.type),
        events: row.events,
        in: toDollars(row.put_in),
        out: toDollars(row.took_out),
      })),
    };
  });
  return {
    account,
    position: last,
    from,
    to,
    timeZone,
    opening: toDollars(opening),
    days: days.reverse(),
    closing: toDollars(closing),
    summed: toDollars(balance),
    isBalanced: balance === closing,
  };
}
