// Finds payouts in any order: turns a query into SQL, page after page without skipping.
import type { Expression, SqlBool } from "kysely";
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import { statement, type ValueOf } from "#http/statement.ts";
import type { RowOf } from "#ledger/projection/columns.ts";
import { columnsOf } from "#ledger/projection/columns.ts";
import { balancesTable } from "#features/accounts/projection.ts";
import type { PayoutMethodName, PayoutSort, PendingSort } from "#features/payouts/contract.ts";
import { payoutsTable } from "#features/payouts/projection.ts";

const inPayouts = withTables(payoutsTable, balancesTable);

/** The columns that lists need. */
export type PayoutRow = Omit<RowOf<typeof payoutsTable>, "settled_position">;
const payoutColumns = columnsOf(payoutsTable, "settled_position").map(
  (name) => `p.${name}` as const,
);

/** A page of a list. Without `sort` it has the list's own order, regardless of `order`. */
type Page<Sort> = {
  readonly sort: Sort | undefined;
  readonly order: "asc" | "desc";
  /** The position of the last payout of the previous page. */
  readonly cursor: string | undefined;
  readonly limit: number;
};

export type PendingQuery = Page<PendingSort> & {
  readonly method: PayoutMethodName | undefined;
  readonly consignor: string | undefined;
};

export type HistoryQuery = Page<PayoutSort> & { readonly status: PayoutRow["status"] | undefined };

/** Sort keys of a payout `p`, its consignor's profile `c` and balance `b`. Positions are in the order of the dates. */
const pendingKeys: Readonly<Record<PendingSort, Expression<unknown>>> = {
  date: sql.ref("p.position"),
  consignor: sql`lower(case when c.deactivated_at is null
    then coalesce(c.display_name, c.username, c.email, p.consignor_uid) else 'Deleted user' end) collate "C"`,
  method: sql.ref("p.method"),
  amount: sql.ref("p.amount_cents"),
  balanceAfter: sql`coalesce(b.balance_cents, 0)`,
};

/** Sort keys of a payout `p`. Pending ones come before settled ones. */
const historyKeys: Readonly<Record<PayoutSort, Expression<unknown>>> = {
  date: sql.ref("p.position"),
  method: sql.ref("p.method"),
  status: sql.ref("p.status"),
  settled: sql`coalesce(p.settled_at, '-infinity')`,
  amount: sql.ref("p.amount_cents"),
};

/** Whether a payout comes after the last one of the previous page; `last` selects that one's key and position. */
function isBehind(
  key: Expression<unknown>,
  order: "asc" | "desc",
  last: Expression<unknown>,
): Expression<SqlBool> {
  return sql<SqlBool>`(${key}, p.position) ${order === "asc" ? sql`>` : sql`<`} ${last}`;
}

/** Payouts with their consignors' names and balances. */
function payoutsWithPeople(reads: Reads) {
  return inPayouts(reads)
    .selectFrom("read.payouts as p")
    .leftJoin("read.balances as b", (join) =>
      join.on("b.account", "=", sql<string>`log.consignor_available_account(p.consignor_uid)`),
    )
    .leftJoin("identity.profiles as c", "c.uid", "p.consignor_uid");
}

/** Pending requests, one more than the limit; oldest first unless sorted. */
export function searchPending(reads: Reads, query: PendingQuery) {
  const { cursor, limit, method, consignor, sort = "date" } = query;
  const order = query.sort === undefined ? "asc" : query.order;
  const key = pendingKeys[sort];
  let matching = payoutsWithPeople(reads)
    .select(payoutColumns)
    .select(sql<number>`coalesce(b.balance_cents, 0)`.as("available_cents"))
    .where("p.status", "=", "pending");
  if (method !== undefined) {
    matching = matching.where("p.method", "=", method);
  }
  if (consignor !== undefined) {
    matching = matching.where("p.consignor_uid", "=", consignor);
  }
  if (cursor !== undefined && sort === "date") {
    matching = matching.where("p.position", order === "asc" ? ">" : "<", Number(cursor));
  } else if (cursor !== undefined) {
    // The last page's last payout may have been settled since; this page still begins after it.
    const last = payoutsWithPeople(reads)
      .select([sql`${key}`.as("key"), "p.position"])
      .where("p.position", "=", Number(cursor));
    matching = matching.where(isBehind(key, order, last));
  }
  return matching
    .orderBy(key, order)
    .orderBy("p.position", order)
    .limit(limit + 1)
    .execute();
}

/** One consignor's payouts, one more than the limit; newest first unless sorted. */
export function searchHistory(
  reads: Reads,
  uid: string,
  query: HistoryQuery,
): Promise<PayoutRow[]> {
  const { cursor, limit, status, sort = "date" } = query;
  const order = query.sort === undefined ? "desc" : query.order;
  const key = historyKeys[sort];
  const own = inPayouts(reads).selectFrom("read.payouts as p").where("p.consignor_uid", "=", uid);
  let matching = own.select(payoutColumns);
  if (status !== undefined) {
    matching = matching.where("p.status", "=", status);
  }
  if (cursor !== undefined && sort === "date") {
    matching = matching.where("p.position", order === "asc" ? ">" : "<", Number(cursor));
  } else if (cursor !== undefined) {
    const last = own
      .select([sql`${key}`.as("key"), "p.position"])
      .where("p.position", "=", Number(cursor));
    matching = matching.where(isBehind(key, order, last));
  }
  return matching
    .orderBy(key, order)
    .orderBy("p.position", order)
    .limit(limit + 1)
    .execute();
}

/** Sum of the payouts in cents, of one method or of all. */
function sumOf(method?: PayoutMethodName) {
  const which = method === undefined ? sql`` : sql`filter (where method = ${sql.lit(method)})`;
  return sql<number>`coalesce(sum(amount_cents) ${which}, 0)::bigint`;
}

const pendingSums = statement((reads) =>
  inPayouts(reads)
    .selectFrom("read.payouts")
    .select((eb) => [
      eb.fn.countAll<number>().as("count"),
      sumOf().as("amount"),
      sumOf("cashapp").as("cashapp"),
      sumOf("venmo").as("venmo"),
      eb.fn.min("requested_at").as("oldest"),
    ])
    .where("status", "=", "pending"),
);

/** Over all pending payouts. */
export async function sumUpPending(reads: Reads) {
  return (await pendingSums(reads, {})).at(0);
}

const paidSum = statement((reads, value: ValueOf<{ readonly uid: string }>) =>
  inPayouts(reads)
    .selectFrom("read.payouts")
    .select(sumOf().as("cents"))
    .where("consignor_uid", "=", value("uid"))
    .where("status", "=", "paid"),
);

/** Of one consignor's paid payouts. */
export async function sumUpPaid(reads: Reads, uid: string) {
  return (await paidSum(reads, { uid })).at(0);
}
