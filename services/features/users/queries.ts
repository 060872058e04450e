// What screens read about users: one with the balance, and the admins' list in any order with the store's totals.
import type { Sql } from "#db/connect.ts";
import { containing } from "#db/like.ts";
import { CSV_MAX_LINES, tooManyLines } from "#http/csv.ts";
import { nameOf } from "#identity/profiles.ts";
import type { UserRow } from "#identity/users.ts";
import { findUser, profileOf, ROLE_OF_PROFILE } from "#identity/users.ts";
import { toDollars } from "#ledger/money.ts";
import type { ListedUser, UserAnswer, UserListAnswer, UserSort } from "#features/users/contract.ts";
import { availableAccount } from "#features/accounts/streams.ts";

export async function readUser(sql: Sql, uid: string): Promise<UserAnswer | undefined> {
  const [user, [row]] = await Promise.all([
    findUser(sql, uid),
    sql<{ balance_cents: number }[]>`
      select balance_cents from read.balances where account = ${availableAccount.of(uid)}`,
  ]);
  return user === undefined ? undefined : { ...user, balance: toDollars(row?.balance_cents ?? 0) };
}

export type UserFilters = {
  readonly q: string | undefined;
  readonly role: "user" | "admin" | undefined;
  readonly status: "active" | "deleted" | "all";
  readonly money: "owed" | "negative" | "pending" | undefined;
  readonly sort: UserSort;
  readonly order: "asc" | "desc";
};

type ListRow = UserRow & {
  balance_cents: number;
  pending_cents: number;
  units: number;
  sales_cents: number;
  last_activity_at: Date | null;
};

const SALES_DAYS = 30;

const BALANCE = "coalesce(b.balance_cents, 0)";
const PENDING = "coalesce(w.balance_cents, 0)";
const UNITS = `(
  select coalesce(sum(i.quantity), 0)::bigint from read.inventory_items i
  where i.owner_uid = p.uid and not i.archived)`;
const SALES = `(
  select coalesce(sum(coalesce(s.price_cents, 0) - s.refunded_price_cents), 0)::bigint
  from read.sales s where s.consignor_id = p.uid and s.sold_at >= $1::timestamptz)`;
// Booking times never fall from line to line: the last line has the latest.
const ACTIVITY = `(
  select h.booked_at from read.account_history h
  where h.uid = p.uid order by h.line desc limit 1)`;
const NAME = "lower(coalesce(p.display_name, p.username, p.email))";

const ORDERS: Readonly<Record<UserSort, string>> = {
  name: NAME,
  email: "lower(p.email)",
  discord: "lower(p.discord_username)",
  role: ROLE_OF_PROFILE,
  units: UNITS,
  balance: BALANCE,
  pending: PENDING,
  sales: SALES,
  activity: ACTIVITY,
};

const SEARCHED = `lower(coalesce(p.display_name, '') || ' ' || coalesce(p.username, '') || ' '
  || coalesce(p.email, ''))`;

const FROM = `
  from identity.profiles p
  left join read.balances b on b.account = log.consignor_available_account(p.uid)
  left join read.balances w on w.account = log.consignor_payouts_account(p.uid)`;

const MONEY: Readonly<Record<"owed" | "negative" | "pending", string>> = {
  owed: `${BALANCE} > 0`,
  negative: `${BALANCE} < 0`,
  pending: `${PENDING} > 0`,
};

const STATUS: Readonly<Record<UserFilters["status"], string>> = {
  active: "p.deactivated_at is null",
  deleted: "p.deactivated_at is not null",
  all: "true",
};

/** The condition, with its parameters from $2 on; $1 is where the thirty days begin. */
function conditionOf(filters: UserFilters): { sql: string; parameters: string[] } {
  const parts = [STATUS[filters.status]];
  const parameters: string[] = [];
  if (filters.q !== undefined && filters.q !== "") {
    parameters.push(containing(filters.q.toLowerCase()), filters.q);
    parts.push(
      `(${SEARCHED} like $2 or lower(p.discord_username) like $2 or p.uid = $3 or p.discord_id = $3)`,
    );
  }
  if (filters.role !== undefined) {
    parameters.push(filters.role);
    parts.push(`${ROLE_OF_PROFILE} = $${parameters.length + 1}`);
  }
  if (filters.money !== undefined) {
    parts.push(MONEY[filters.money]);
  }
  return { sql: parts.join(" and "), parameters };
}

/** A page of the list: sorted first, and only then are the page's own figures added up. */
async function readRows(
  sql: Sql,
  now: Date,
  filters: UserFilters,
  page: { readonly limit: number; readonly offset: number },
): Promise<ListedUser[]> {
  const { sql: condition, parameters } = conditionOf(filters);
  const limit = `$${parameters.length + 2}::bigint`;
  const offset = `$${parameters.length + 3}::bigint`;
  const direction = filters.order === "asc" ? "asc" : "desc";
  const rows = await sql.unsafe<ListRow[]>(
    `with page as (
      select p.*, ${BALANCE} as balance_cents, ${PENDING} as pending_cents,
        row_number() over (
          order by ${ORDERS[filters.sort]} ${direction} nulls last, ${NAME} nulls last, p.uid) as nth
      ${FROM}
      where ${condition}
      order by nth limit ${limit} offset ${offset}
    )
    select p.uid, p.email, p.email_verified_at is not null as email_verified, p.display_name,
      p.username, ${ROLE_OF_PROFILE} as role, p.discord_id, p.discord_username, p.discord_linked_at,
      p.discord_notifications_enabled, p.migrated_from, p.deactivated_at, p.created_at,
      p.balance_cents, p.pending_cents, ${UNITS} as units, ${SALES} as sales_cents,
      ${ACTIVITY} as last_activity_at
    from page p order by p.nth`,
    [thirtyDaysBefore(now), ...parameters, page.limit, page.offset],
    { prepare: true },
  );
  return rows.map(listedOf);
}

function thirtyDaysBefore(now: Date): string {
  return new Date(now.getTime() - SALES_DAYS * 86_400_000).toISOString();
}

function listedOf(row: ListRow): ListedUser {
  const { discordNotificationsEnabled: _, ...user } = profileOf(row);
  const { uid, email, displayName, username, role } = user;
  const { deactivated_at: deactivatedAt } = row;
  return {
    ...user,
    name: nameOf(uid, { uid, email, displayName, username, role, deactivatedAt }),
    units: row.units,
    balance: toDollars(row.balance_cents),
    pending: toDollars(row.pending_cents),
    sales30Days: toDollars(row.sales_cents),
    lastActivityAt: row.last_activity_at?.toISOString() ?? null,
  };
}

/** A page, how many there are in all, and what the store owes and is owed. */
export async function readUserList(
  sql: Sql,
  now: Date,
  filters: UserFilters,
  paging: { readonly page: number; readonly limit: number },
): Promise<UserListAnswer> {
  const { page, limit } = paging;
  const [users, total, totals] = await Promise.all([
    readRows(sql, now, filters, { limit, offset: (page - 1) * limit }),
    countUsers(sql, now, filters),
    readTotals(sql),
  ]);
  return { users, total, hasMore: page * limit < total, totals };
}

async function countUsers(sql: Sql, now: Date, filters: UserFilters): Promise<number> {
  const { sql: condition, parameters } = conditionOf(filters);
  const [counted] = await sql.unsafe<{ total: number }[]>(
    // The first parameter has no use here but its number.
    `select count(*) as total ${FROM} where $1::timestamptz is not null and ${condition}`,
    [thirtyDaysBefore(now), ...parameters],
    { prepare: true },
  );
  return counted?.total ?? 0;
}

const EXPORT_BATCH = 1000;

/** Every row that the filters leave, in their order, batch by batch. More than a file takes is refused at once. */
export async function* readUserExport(
  sql: Sql,
  now: Date,
  filters: UserFilters,
): AsyncGenerator<readonly ListedUser[]> {
  if ((await countUsers(sql, now, filters)) > CSV_MAX_LINES) {
    throw tooManyLines(CSV_MAX_LINES);
  }
  for (let offset = 0; ; offset += EXPORT_BATCH) {
    const rows = await readRows(sql, now, filters, { limit: EXPORT_BATCH, offset });
    yield rows;
    if (rows.length < EXPORT_BATCH) {
      return;
    }
  }
}

async function readTotals(sql: Sql): Promise<UserListAnswer["totals"]> {
  const [[money], [people]] = await Promise.all([
    sql<{ owed: number; in_transit: number; negative: number; negative_count: number }[]>`
      select
        coalesce(sum(balance_cents) filter (where is_available and balance_cents > 0), 0)::bigint as owed,
        coalesce(sum(balance_cents) filter (where not is_available), 0)::bigint as in_transit,
        coalesce(-sum(balance_cents) filter (where is_available and balance_cents < 0), 0)::bigint
          as negative,
        count(*) filter (where is_available and balance_cents < 0) as negative_count
      from (
        select balance_cents, log.is_consignor_available_account(account) as is_available
        from read.balances where log.is_consignor_account(account)
      ) b`,
    sql<{ users: number; admins: number }[]>`
      select count(*) as users, coalesce(
        (select jsonb_array_length(a.state -> 'uids') from log.streams a where a.id = 'admins'), 0) as admins
      from identity.profiles where deactivated_at is null`,
  ]);
  return {
    owed: toDollars(money?.owed ?? 0),
    inTransit: toDollars(money?.in_transit ?? 0),
    negative: toDollars(money?.negative ?? 0),
    negativeCount: money?.negative_count ?? 0,
    userCount: people?.users ?? 0,
    adminCount: people?.admins ?? 0,
  };
}
