// Explains a number over all people by what each of them adds to it.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import * as z from "zod/mini";
import { cursorOf, placeIn, placeText } from "#http/list-place.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { Profiles } from "#identity/profiles.ts";
import type { ExplainedNumber } from "#features/accounts/contract-explain.ts";
import type {
  ExplainTotalResponse,
  TotalNumber,
} from "#features/accounts/contract-explain-store.ts";
import { accountHistoryTable, balancesTable } from "#features/accounts/projection.ts";
import { payoutsTable } from "#features/payouts/projection.ts";
import { tradesTable } from "#features/trades/projection.ts";
import { toDollars } from "#ledger/money.ts";

const balances = nameOfTable(balancesTable);
const payouts = nameOfTable(payoutsTable);

type Total = {
  /** The person's number that explains a line further. */
  readonly number: ExplainedNumber;
  /** The projections of `stated` and `lines`. */
  readonly of: readonly [string, string];
  /** The number as screens show it. */
  readonly stated: RawBuilder<unknown>;
  /** `uid` and `amount`, from another table if there is one. */
  readonly lines: RawBuilder<unknown>;
  /** The same from the table of `stated`: while one table is ahead of the other, they cannot be compared. */
  readonly same: RawBuilder<unknown>;
};

/** What people have available, above or below zero, as a positive amount. */
function available(sign: RawBuilder<unknown>): Total {
  const isPerson = sql`log.is_consignor_available_account(b.account)`;
  const uid = sql`log.id_of_consignor_available_account(b.account)`;
  return {
    number: "available",
    of: ["balances", "account_history"],
    stated: sql`select sum(greatest(${sign}b.balance_cents, 0)) from ${balances} b where ${isPerson}`,
    lines: sql`
      select ${uid} as uid, ${sign}h.available_after_cents as amount
      from ${balances} b
      cross join lateral (
        select a.available_after_cents from ${nameOfTable(accountHistoryTable)} a
        where a.uid = ${uid} order by a.line desc limit 1) h
      where ${isPerson}`,
    same: sql`select ${uid} as uid, ${sign}b.balance_cents as amount from ${balances} b where ${isPerson}`,
  };
}

/** Requests that are not paid yet. */
function pendingBy(method: "cashapp" | "venmo"): Total {
  const isWanted = sql`p.status = 'pending' and p.method = ${method}`;
  const lines = sql`
    select p.consignor_uid as uid, sum(p.amount_cents)::bigint as amount
    from ${payouts} p where ${isWanted} group by p.consignor_uid`;
  return {
    number: "pendingPayouts",
    of: ["payouts", "payouts"],
    stated: sql`select sum(p.amount_cents) from ${payouts} p where ${isWanted}`,
    lines,
    same: lines,
  };
}

const isPending = sql`log.is_consignor_payouts_account(b.account)`;
const isEscrow = sql`log.is_trade_escrow_account(b.account)`;
const heldLines = sql`
  select t.buyer_uid as uid, sum(t.held_cents)::bigint as amount
  from ${nameOfTable(tradesTable)} t where t.held_cents > 0 group by t.buyer_uid`;

const totals: Readonly<Record<TotalNumber, Total>> = {
  owed: available(sql``),
  negative: available(sql`-`),
  pendingPayouts: {
    number: "pendingPayouts",
    of: ["balances", "payouts"],
    stated: sql`select sum(b.balance_cents) from ${balances} b where ${isPending}`,
    lines: sql`
      select p.consignor_uid as uid, sum(p.amount_cents)::bigint as amount
      from ${payouts} p where p.status = 'pending' group by p.consignor_uid`,
    same: sql`
      select log.id_of_consignor_payouts_account(b.account) as uid, b.balance_cents as amount
      from ${balances} b where ${isPending}`,
  },
  pendingCashApp: pendingBy("cashapp"),
  pendingVenmo: pendingBy("venmo"),
  heldForTrades: {
    number: "heldForTrades",
    of: ["trades", "balances"],
    stated: sql`select sum(b.balance_cents) from ${balances} b where ${isEscrow}`,
    lines: heldLines,
    same: heldLines,
  },
};

/** The place of a page's last person: the amount and the uid. */
const place = z.tuple([z.int(), placeText]);

type TotalRow = {
  readonly uid: string | null;
  readonly amount: number;
  readonly lines: number;
  readonly summed: number;
  readonly stated: number;
  readonly comparable: boolean;
};

/** The largest amounts first. Everything is read in one statement, so that it is of one moment. */
export async function explainTotal(
  { reads, profiles }: { readonly reads: Reads; readonly profiles: Profiles },
  position: number,
  query: {
    readonly number: TotalNumber;
    readonly cursor?: string | undefined;
    readonly limit: number;
  },
): Promise<ExplainTotalResponse> {
  const { number, limit } = query;
  const after = query.cursor === undefined ? undefined : placeIn(query.cursor, place);
  const isBehind =
    after === undefined
      ? sql`true`
      : sql`(amount < ${after[0]}::bigint or amount = ${after[0]}::bigint and uid > ${after[1]})`;
  const asked = totals[number];
  const { rows } = await sql<TotalRow>`
    with places as materialized (
      select count(distinct position) = 1 as same from read.projections
      where state = 'live' and name in (${asked.of[0]}, ${asked.of[1]})),
    lines as materialized (
      select l.uid, l.amount from (${asked.lines}) l, places p where p.same and l.amount > 0
      union all
      select l.uid, l.amount from (${asked.same}) l, places p where not p.same and l.amount > 0),
    sums as (
      select count(*) as lines, coalesce(sum(amount), 0)::bigint as summed,
        coalesce((${asked.stated}), 0)::bigint as stated, (select same from places) as comparable
      from lines),
    page as (select * from lines where ${isBehind} order by amount desc, uid limit ${limit + 1})
    select p.uid, coalesce(p.amount, 0) as amount, s.lines, s.summed, s.stated, s.comparable
    from sums s left join page p on true
    order by p.amount desc, p.uid`.execute(reads);
  const [first] = rows;
  const shown = rows.slice(0, limit).filter((row) => row.uid !== null);
  const last = shown.at(-1);
  const uids = shown.flatMap(({ uid }) => (uid === null ? [] : [uid]));
  const names = await profiles.displayNames(new Set(uids));
  const summed = first?.summed ?? 0;
  const closing = first?.comparable === false ? summed : (first?.stated ?? 0);
  return {
    number,
    position,
    closing: toDollars(closing),
    summed: toDollars(summed),
    isBalanced: summed === closing,
    lineCount: first?.lines ?? 0,
    lines: shown.map(({ uid, amount }) => ({
      consignorID: uid ?? "",
      displayName: names.get(uid ?? "") ?? uid ?? "",
      number: asked.number,
      amount: toDollars(amount),
    })),
    nextCursor:
      rows.length > limit && last !== undefined ? cursorOf([last.amount, last.uid ?? ""]) : null,
  };
}
