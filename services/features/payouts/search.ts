// Finds payouts in any order: turns a query into SQL, page after page without skipping.
import type { Expression, SqlBool } from "kysely";
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import { statement, statements, type ValueOf } from "#http/statement.ts";
import { asSearched, containing } from "#db/like.ts";
import { wordsOfPerson } from "#identity/people-search.ts";
import { idsOfStart } from "#ledger/uuid.ts";
import type { RowOf } from "#ledger/projection/columns.ts";
import { columnsOf } from "#ledger/projection/columns.ts";
import { balancesTable } from "#features/accounts/projection.ts";
import type { PayoutMethodName, PayoutSort, PendingSort } from "#features/payouts/contract.ts";
import { payoutsTable } from "#features/payouts/projection.ts";

const inPayouts = withTables(payoutsTable, balancesTable);

/** The columns that lists need. */
export type PayoutRow = Omit<RowOf<typeof payoutsTable>, "settled_position" | "returned_position">;
export const payoutColumns = columnsOf(payoutsTable, "settled_position", "returned_position").map(
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
  readonly q: string | undefined;
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
  settled: sql`coalesce(p.returned_at, p.settled_at, '-infinity')`,
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

/** What `isMeant` compares with. */
export type Searched = {
  readonly like: string;
  /** Null where the text is not the beginning of an id. */
  readonly idFrom: string | null;
  readonly idTo: string | null;
};

export function searchedFor(q: string): Searched {
  // A Venmo payment's note is "Payout" and the id.
  const ids = idsOfStart(q.replace(/^payout\s+/iu, ""));
  return {
    like: containing(asSearched(q)),
    idFrom: ids?.from ?? null,
    idTo: ids?.to ?? null,
  };
}

/**
 * Whether somebody who typed this text means payout `p`: by its consignor, its handle, its transfer's reference or its
 * id. A deleted consignor is shown as "Deleted user" on every screen, and is found by that.
 */
export function isMeant(value: ValueOf<Searched>): Expression<SqlBool> {
  return sql<SqlBool>`(
    p.consignor_uid in (
      select c.uid from identity.profiles c
      where ${sql.raw(wordsOfPerson("c"))} like ${value("like")})
    or ('deleted user' like ${value("like")} and p.consignor_uid in (
      select c.uid from identity.profiles c where c.deactivated_at is not null))
    or p.handle_id in (
      select h.id from identity.payout_handles h where log.searchable(h.handle) like ${value("like")})
    or log.searchable(p.reference) like ${value("like")}
    or p.payout_id between ${value("idFrom")}::uuid and ${value("idTo")}::uuid)`;
}

type PageValues = { readonly cursor: number; readonly limit: number };

type PendingShape = {
  readonly sort: PendingSort;
  readonly order: "asc" | "desc";
  readonly isLaterPage: boolean;
  readonly isSearched: boolean;
  readonly hasMethod: boolean;
  readonly hasConsignor: boolean;
};

type PendingValues = PageValues &
  Searched & { readonly method: string; readonly consignor: string };

const pendingPage = statements((reads, value: ValueOf<PendingValues>, shape: PendingShape) => {
  const { sort, order, isLaterPage } = shape;
  const key = pendingKeys[sort];
  let matching = payoutsWithPeople(reads)
    .select(payoutColumns)
    .select(sql<number>`coalesce(b.balance_cents, 0)`.as("available_cents"))
    .where("p.status", "=", "pending");
  if (shape.isSearched) {
    matching = matching.where(isMeant(value));
  }
  if (shape.hasMethod) {
    matching = matching.where(sql<SqlBool>`p.method = ${value("method")}`);
  }
  if (shape.hasConsignor) {
    matching = matching.where("p.consignor_uid", "=", value("consignor"));
  }
  if (isLaterPage && sort === "date") {
    matching = matching.where("p.position", order === "asc" ? ">" : "<", value("cursor"));
  } else if (isLaterPage) {
    // The last page's last payout may have been settled since; this page still begins after it.
    const last = payoutsWithPeople(reads)
      .select([sql`${key}`.as("key"), "p.position"])
      .where("p.position", "=", value("cursor"));
    matching = matching.where(isBehind(key, order, last));
  }
  return matching.orderBy(key, order).orderBy("p.position", order).limit(value("limit"));
});

/** Pending requests, one more than the limit; oldest first unless sorted. */
export function searchPending(reads: Reads, query: PendingQuery) {
  const { cursor, limit, q = "", method, consignor, sort = "date" } = query;
  return pendingPage(
    reads,
    {
      sort,
      order: query.sort === undefined ? "asc" : query.order,
      isLaterPage: cursor !== undefined,
      isSearched: q !== "",
      hasMethod: method !== undefined,
      hasConsignor: consignor !== undefined,
    },
    {
      cursor: Number(cursor ?? 0),
      limit: limit + 1,
      ...searchedFor(q),
      method: method ?? "",
      consignor: consignor ?? "",
    },
  );
}

type HistoryShape = {
  readonly sort: PayoutSort;
  readonly order: "asc" | "desc";
  readonly isLaterPage: boolean;
  readonly hasStatus: boolean;
};

type HistoryValues = PageValues & { readonly uid: string; readonly status: string };

const historyPage = statements((reads, value: ValueOf<HistoryValues>, shape: HistoryShape) => {
  const { sort, order, isLaterPage } = shape;
  const key = historyKeys[sort];
  const own = inPayouts(reads)
    .selectFrom("read.payouts as p")
    .where("p.consignor_uid", "=", value("uid"));
  let matching = own.select(payoutColumns);
  if (shape.hasStatus) {
    matching = matching.where(sql<SqlBool>`p.status = ${value("status")}`);
  }
  if (isLaterPage && sort === "date") {
    matching = matching.where("p.position", order === "asc" ? ">" : "<", value("cursor"));
  } else if (isLaterPage) {
    const last = own
      .select([sql`${key}`.as("key"), "p.position"])
      .where("p.position", "=", value("cursor"));
    matching = matching.where(isBehind(key, order, last));
  }
  return matching.orderBy(key, order).orderBy("p.position", order).limit(value("limit"));
});

/** One consignor's payouts, one more than the limit; newest first unless sorted. */
export function searchHistory(
  reads: Reads,
  uid: string,
  query: HistoryQuery,
): Promise<readonly PayoutRow[]> {
  const { cursor, limit, status, sort = "date" } = query;
  return historyPage(
    reads,
    {
      sort,
      order: query.sort === undefined ? "desc" : query.order,
      isLaterPage: cursor !== undefined,
      hasStatus: status !== undefined,
    },
    { cursor: Number(cursor ?? 0), limit: limit + 1, uid, status: status ?? "" },
  );
}

/** Sum of the payouts in cents, of one method or of all. */
export function sumOf(method?: PayoutMethodName) {
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
