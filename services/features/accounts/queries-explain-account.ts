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

type Ends = { readonly opening: number; readonly closing: number };

/**
 * The balance before the period, summed from the log, and the balance after it: what the read table says, less what
 * came after the period. Postings have no index by account, so this reads all of them.
 */
async function readEnds(
  reads: Reads,
  account: StoreAccount,
  before: number,
  last: number,
): Promise<Ends> {
  const { rows } = await sql<Ends>`
    with balance as materialized (
      select b.balance_cents, b.position from ${nameOfTable(balancesTable)} b where b.account = ${account})
    select
      coalesce(sum(own.cents) filter (where own.position <= ${before}::bigint), 0)::bigint as opening,
      (coalesce((select balance_cents from balance), 0) - coalesce(sum(own.cents) filter (
        where own.position > ${last}::bigint and own.position <= (select position from balance)), 0))::bigint
        as closing
    from (
      select p.position, case when p.to_account = ${account} then p.cents else -p.cents end as cents
      from log.postings p
      where (p.to_account = ${account} or p.from_account = ${account})
        and not (p.position > ${before}::bigint and p.position <= ${last}::bigint)) own`.execute(
    reads,
  );
  return rows[0] ?? { opening: 0, closing: 0 };
}

type DayRow = {
  readonly day: string;
  readonly type: string;
  readonly events: number;
  readonly put_in: number;
  readonly took_out: number;
};

async function readDays(
  reads: Reads,
  account: StoreAccount,
  timeZone: string,
  before: number,
  last: number,
): Promise<readonly DayRow[]> {
  const { rows } = await sql<DayRow>`
    select to_char(e.recorded_at at time zone ${timeZone}, 'YYYY-MM-DD') as day, e.type,
      count(distinct e.position) as events,
      coalesce(sum(p.cents) filter (where p.to_account = ${account}), 0)::bigint as put_in,
      coalesce(sum(p.cents) filter (where p.from_account = ${account}), 0)::bigint as took_out
    from log.postings p join log.events e on e.position = p.position
    where p.position > ${before}::bigint and p.position <= ${last}::bigint
      and (p.to_account = ${account} or p.from_account = ${account})
    group by 1, 2 order by 1, 2`.execute(reads);
  return rows;
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
  const [before, last] = await Promise.all([
    positionBefore(reads, starts, freshTo),
    positionBefore(reads, ends, freshTo),
  ]);
  const [bounds, rows] = await Promise.all([
    readEnds(searches, account, before, last),
    readDays(searches, account, timeZone, before, last),
  ]);
  let balance = bounds.opening;
  const days = [...Map.groupBy(rows, ({ day }) => day)].map(([day, own]) => {
    const amount = own.reduce((sum, row) => sum + row.put_in - row.took_out, 0);
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
    opening: toDollars(bounds.opening),
    days: days.reverse(),
    closing: toDollars(bounds.closing),
    summed: toDollars(balance),
    isBalanced: balance === bounds.closing,
  };
}
