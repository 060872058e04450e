// What screens read about users: the admins' list in any order with the store's totals.
import type { Expression, RawBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import { asSearched, containing } from "#db/like.ts";
import { CSV_MAX_LINES, tooManyLines } from "#http/csv.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import { statement, statements, type ValueOf } from "#http/statement.ts";
import { wordsOfPerson } from "#identity/people-search.ts";
import { nameOf } from "#identity/profiles.ts";
import type { UserRow } from "#identity/users.ts";
import { profileOf, ROLE_OF_PROFILE } from "#identity/users.ts";
import { toDollars } from "#ledger/money.ts";
import type { ListedUser, UserListResponse, UserSort } from "#features/users/contract-people.ts";
import { accountHistoryTable, balancesTable } from "#features/accounts/projection.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import { salesTable } from "#features/sales/projection.ts";
import { tradesTable } from "#features/trades/projection.ts";
import { DAY_MS } from "#ledger/day-text.ts";

export type UserFilters = {
  readonly q: string | undefined;
  readonly role: "user" | "admin" | undefined;
  readonly status: "active" | "deleted" | "all";
  readonly money: "owed" | "negative" | "pending" | undefined;
  readonly sort: UserSort;
  readonly order: "asc" | "desc";
};

type ListRow = UserRow & {
  readonly balance_cents: number;
  readonly pending_cents: number;
  readonly held_cents: number;
  readonly units: number;
  readonly sales_cents: number;
  readonly last_activity_at: Date | null;
};

const SALES_DAYS = 30;

const balance = sql`coalesce(b.balance_cents, 0)`;
const pending = sql`coalesce(w.balance_cents, 0)`;
const role = sql.raw(ROLE_OF_PROFILE);
const units = sql`(
  select coalesce(sum(i.quantity), 0)::bigint from ${nameOfTable(inventoryItemsTable)} i
  where i.owner_uid = p.uid and not i.archived)`;
const held = sql`(
  select coalesce(sum(t.held_cents), 0)::bigint from ${nameOfTable(tradesTable)} t
  where t.buyer_uid = p.uid and t.held_cents > 0)`;
const salesSince = (from: Expression<string>) => sql`(
  select coalesce(sum(coalesce(s.price_cents, 0) - s.refunded_price_cents), 0)::bigint
  from ${nameOfTable(salesTable)} s where s.consignor_id = p.uid and s.sold_at >= ${from}::timestamptz)`;
// Booking times never decrease from line to line, so the last line has the latest.
const activity = sql`(
  select h.booked_at from ${nameOfTable(accountHistoryTable)} h
  where h.uid = p.uid order by h.line desc limit 1)`;
const name = sql`lower(coalesce(p.display_name, p.username, p.email))`;

function orderOf(sort: UserSort, salesFrom: Expression<string>): RawBuilder<unknown> {
  const orders: Readonly<Record<UserSort, RawBuilder<unknown>>> = {
    name,
    email: sql`lower(p.email)`,
    discord: sql`lower(p.discord_username)`,
    role,
    units,
    balance,
    pending,
    held,
    sales: salesSince(salesFrom),
    activity,
  };
  return orders[sort];
}

const searched = sql.raw(wordsOfPerson("p"));

const people = sql`
  identity.profiles p
  left join ${nameOfTable(balancesTable)} b on b.account = log.consignor_available_account(p.uid)
  left join ${nameOfTable(balancesTable)} w on w.account = log.consignor_payouts_account(p.uid)`;

const ofMoney = {
  owed: sql<SqlBool>`${balance} > 0`,
  negative: sql<SqlBool>`${balance} < 0`,
  pending: sql<SqlBool>`${pending} > 0`,
} as const;

const ofStatus = {
  active: sql<SqlBool>`p.deactivated_at is null`,
  deleted: sql<SqlBool>`p.deactivated_at is not null`,
  all: sql<SqlBool>`true`,
} as const;

/** Which filters there are, and the sorting. */
type ListShape = Omit<UserFilters, "q"> & { readonly hasText: boolean };

type TextValues = { readonly pattern: string; readonly text: string };

const shapeOf = ({ q, ...shape }: UserFilters): ListShape => ({
  ...shape,
  hasText: q !== undefined && q !== "",
});

const textOf = ({ q = "" }: UserFilters): TextValues => ({
  pattern: containing(asSearched(q)),
  text: q,
});

function conditionOf(
  { status, hasText, role: wanted, money }: Omit<ListShape, "sort" | "order">,
  value: ValueOf<TextValues>,
): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [ofStatus[status]];
  if (hasText) {
    conditions.push(
      sql`(${searched} like ${value("pattern")} or log.searchable(p.discord_username) like ${value("pattern")}
        or p.uid = ${value("text")} or p.discord_id = ${value("text")})`,
    );
  }
  if (wanted !== undefined) {
    conditions.push(sql`${role} = ${sql.lit(wanted)}`);
  }
  if (money !== undefined) {
    conditions.push(ofMoney[money]);
  }
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

type PageValues = TextValues & {
  readonly salesFrom: string;
  readonly limit: number;
  readonly offset: number;
};

const pageOfUsers = statements((_reads, value: ValueOf<PageValues>, shape: ListShape) => {
  const direction = shape.order === "asc" ? sql`asc` : sql`desc`;
  const salesFrom = value("salesFrom");
  return sql<ListRow>`
    with page as (
      select p.*, ${balance} as balance_cents, ${pending} as pending_cents,
        row_number() over (
          order by ${orderOf(shape.sort, salesFrom)} ${direction} nulls last, ${name} nulls last, p.uid) as nth
      from ${people}
      where ${conditionOf(shape, value)}
      order by nth limit ${value("limit")}::bigint offset ${value("offset")}::bigint
    )
    select p.uid, p.email, p.email_verified_at is not null as email_verified, p.display_name,
      p.username, ${role} as role, p.discord_id, p.discord_username, p.discord_linked_at,
      p.discord_notifications_enabled, p.lands_on, p.migrated_from, p.deactivated_at, p.created_at,
      p.balance_cents, p.pending_cents, ${held} as held_cents, ${units} as units, ${salesSince(salesFrom)} as sales_cents,
      ${activity} as last_activity_at
    from page p order by p.nth`;
});

/** A page of the list. It is sorted first; only the page's own figures are summed. */
async function readRows(
  reads: Reads,
  now: Date,
  filters: UserFilters,
  page: { readonly limit: number; readonly offset: number },
): Promise<ListedUser[]> {
  const rows = await pageOfUsers(reads, shapeOf(filters), {
    ...textOf(filters),
    ...page,
    salesFrom: thirtyDaysBefore(now),
  });
  return rows.map(listedOf);
}

function thirtyDaysBefore(now: Date): string {
  return new Date(now.getTime() - SALES_DAYS * DAY_MS).toISOString();
}

function listedOf(row: ListRow): ListedUser {
  const { discordNotificationsEnabled: _, landsOn: _landsOn, ...user } = profileOf(row);
  const { uid, email, displayName, username, role } = user;
  const { deactivated_at: deactivatedAt } = row;
  return {
    ...user,
    name: nameOf(uid, { uid, email, displayName, username, role, deactivatedAt }),
    units: row.units,
    balance: toDollars(row.balance_cents),
    pending: toDollars(row.pending_cents),
    heldForTrades: toDollars(row.held_cents),
    sales30Days: toDollars(row.sales_cents),
    lastActivityAt: row.last_activity_at?.toISOString() ?? null,
  };
}

/** A page, the total count, and what the store owes and is owed. */
export async function readUserList(
  reads: Reads,
  now: Date,
  filters: UserFilters,
  paging: { readonly page: number; readonly limit: number },
): Promise<UserListResponse> {
  const { page, limit } = paging;
  const [users, total, totals] = await Promise.all([
    readRows(reads, now, filters, { limit, offset: (page - 1) * limit }),
    countUsers(reads, filters),
    readTotals(reads),
  ]);
  return { users, total, hasMore: page * limit < total, totals };
}

type CountShape = Omit<ListShape, "sort" | "order">;

const counted = statements(
  (_reads, value: ValueOf<TextValues>, shape: CountShape) =>
    sql<{ readonly total: number }>`
      select count(*) as total from ${people} where ${conditionOf(shape, value)}`,
);

async function countUsers(reads: Reads, filters: UserFilters): Promise<number> {
  const { sort: _, order: __, ...shape } = shapeOf(filters);
  const [row] = await counted(reads, shape, textOf(filters));
  return row?.total ?? 0;
}

const EXPORT_BATCH = 1000;

/** All filtered rows in order, of one moment, in batches. Refused at once if there are too many for a file. */
export async function* readUserExport(
  reads: Reads,
  now: Date,
  filters: UserFilters,
): AsyncGenerator<readonly ListedUser[]> {
  const users = await readRows(reads, now, filters, { limit: CSV_MAX_LINES + 1, offset: 0 });
  if (users.length > CSV_MAX_LINES) {
    throw tooManyLines(CSV_MAX_LINES);
  }
  for (let begin = 0; begin < users.length; begin += EXPORT_BATCH) {
    yield users.slice(begin, begin + EXPORT_BATCH);
  }
}

type MoneyTotals = {
  readonly owed: number;
  readonly in_transit: number;
  readonly held: number;
  readonly negative: number;
  readonly negative_count: number;
};

const moneyTotals = statement(
  () => sql<MoneyTotals>`
    select
      coalesce(sum(balance_cents) filter (where is_available and balance_cents > 0), 0)::bigint as owed,
      coalesce(sum(balance_cents) filter (where not is_available), 0)::bigint as in_transit,
      coalesce(-sum(balance_cents) filter (where is_available and balance_cents < 0), 0)::bigint
        as negative,
      count(*) filter (where is_available and balance_cents < 0) as negative_count,
      (select coalesce(sum(held_cents), 0)::bigint from ${nameOfTable(tradesTable)}
        where held_cents > 0) as held
    from (
      select balance_cents, log.is_consignor_available_account(account) as is_available
      from ${nameOfTable(balancesTable)} where log.is_consignor_account(account)
    ) b`,
);

const peopleTotals = statement(
  () => sql<{ readonly users: number; readonly admins: number }>`
    select count(*) as users, coalesce(
      (select jsonb_array_length(a.state -> 'uids') from log.streams a where a.id = 'admins'), 0) as admins
    from identity.profiles where deactivated_at is null`,
);

async function readTotals(reads: Reads): Promise<UserListResponse["totals"]> {
  const [[sums], [counts]] = await Promise.all([moneyTotals(reads, {}), peopleTotals(reads, {})]);
  return {
    owed: toDollars(sums?.owed ?? 0),
    inTransit: toDollars(sums?.in_transit ?? 0),
    heldForTrades: toDollars(sums?.held ?? 0),
    negative: toDollars(sums?.negative ?? 0),
    negativeCount: sums?.negative_count ?? 0,
    userCount: counts?.users ?? 0,
    adminCount: counts?.admins ?? 0,
  };
}
