// A list of sales sorted by a column: scans an index in that order, or finds the matching sales and sorts them.
import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import type { SaleSort } from "#features/sales/contract.ts";
import type { After, Conditions, SaleRow } from "#features/sales/search-conditions.ts";
import { FIRST_WALK, saleColumns, saleRow } from "#features/sales/search-conditions.ts";

type SortKey = Exclude<SaleSort, "date">;

type Sorting = {
  readonly sort: SortKey;
  readonly order: "asc" | "desc";
  /** Whose sales; undefined for everybody's. */
  readonly consignorId: string | undefined;
};

/** What a row of `read.sales` is sorted by. Those with an index in `projection.ts` are written as there. */
const sortKeys: Readonly<Record<SortKey, RawBuilder<unknown>>> = {
  item: sql`search_text collate "C"`,
  quantity: sql`units`,
  price: sql`coalesce(price_cents, 0)`,
  tax: sql`(sales_tax_cents - refunded_tax_cents)`,
  payout: sql`(payout_cents - refunded_payout_cents)`,
  store: sql`store_cents`,
  shipping: sql`shipping_cents`,
  percentage: sql`coalesce(consignor_percentage, 0)`,
  consignor: sql`consignor_name collate "C"`,
};
const indexed: ReadonlySet<SortKey> = new Set([
  "item",
  "quantity",
  "price",
  "tax",
  "payout",
  "store",
  "shipping",
  "percentage",
]);

/** How many sales are read in order of their consignors. Each is on another page of the table, so fewer than with other indexes. */
const CONSIGNORS_WALK = 2_000;

/** The names that `nameOf` of profiles gives, in lower case. */
const profileNames = sql`(
  select uid, case when deactivated_at is null
    then lower(coalesce(display_name, username, email, uid)) else 'deleted user' end as name
  from identity.profiles)`;

/** Sales with these names; the store's own come first. */
const namedSales = sql`(
  select s.*, case when s.consignor_id is null then '' else coalesce(p.name, lower(s.consignor_id)) end as consignor_name
  from read.sales s left join ${profileNames} p on p.uid = s.consignor_id) sales`;

const salesOf = (sort: SortKey) => (sort === "consignor" ? namedSales : sql`read.sales`);

/** The sales after this one. Another consignor's sale is no place in the list: the page would tell how it compares. */
function isBehind({ sort, order, consignorId }: Sorting, after: After | undefined) {
  if (after === undefined) {
    return sql`true`;
  }
  const key = sortKeys[sort];
  const isTheirs =
    consignorId === undefined ? sql`true` : saleRow("consignor_id", "=", consignorId);
  return sql`(${key}, sold_at, position) ${order === "asc" ? sql`>` : sql`<`} (
    (select ${key} from ${salesOf(sort)} where sold_at = ${after.soldAt} and position = ${after.position}
      and ${isTheirs}),
    ${after.soldAt}, ${after.position})`;
}

/**
 * The first `limit` sales in order of their consignors' names: one consignor after the other, each in the order of an
 * index, so that the rest of the list is not read. Two consignors may have one name.
 */
function walkByConsignor(
  { order }: Sorting,
  after: After | undefined,
  limit: number,
): RawBuilder<unknown> {
  const direction = order === "asc" ? sql`asc` : sql`desc`;
  const inOrder = sql`sold_at ${direction}, position ${direction}`;
  const isAfter = order === "asc" ? sql`>` : sql`<`;
  const [soldAt, position] =
    order === "asc"
      ? [sql`timestamptz '-infinity'`, sql`-1::bigint`]
      : [sql`timestamptz 'infinity'`, sql`9223372036854775807::bigint`];
  /** The sales of a consignor with this name: all of them, or those after the cursor if it is this one's. */
  const salesOfName = (name: RawBuilder<unknown>, isTheirs: RawBuilder<unknown>) =>
    after === undefined
      ? sql`select *, ${name} as key from read.sales where ${isTheirs}
          order by ${inOrder} limit ${limit}`
      : sql`select *, ${name} as key from read.sales
          where ${isTheirs} and (sold_at, position) ${isAfter} (
            case when ${name} = (select name from place) then ${after.soldAt} else ${soldAt} end,
            case when ${name} = (select name from place) then ${after.position} else ${position} end)
          order by ${inOrder} limit ${limit}`;
  const isReached = (name: RawBuilder<unknown>) =>
    after === undefined ? sql`true` : sql`${name} ${isAfter}= (select name from place)`;
  const place =
    after === undefined
      ? sql`null`
      : sql`(select consignor_name from ${namedSales}
          where sold_at = ${after.soldAt} and position = ${after.position})`;
  return sql`(
    with recursive place as materialized (select ${place} collate "C" as name),
    sellers (uid) as (
      (select min(uid) from read.sales_sums where uid > '')
      union all
      select (select min(s.uid) from read.sales_sums s where s.uid > sellers.uid)
      from sellers where sellers.uid is not null),
    named as materialized (
      select s.uid, coalesce(p.name, lower(s.uid)) collate "C" as name
      from sellers s left join ${profileNames} p on p.uid = s.uid
      where s.uid is not null)
    select * from (
      (select * from (${salesOfName(sql`''`, sql`kind = 'master'`)}) own where ${isReached(sql`''`)})
      union all
      (select theirs.* from (
          select uid, name from named where ${isReached(sql`name`)} order by name ${direction}) seller
        cross join lateral (${salesOfName(sql`seller.name`, sql`consignor_id = seller.uid`)}) theirs
        order by seller.name ${direction}, theirs.sold_at ${direction}, theirs.position ${direction}
        limit ${limit})) both_kinds
    order by key collate "C" ${direction}, sold_at ${direction}, position ${direction} limit ${limit})`;
}

/** At most `limit` sales after the one of the cursor, sorted by the column, equal ones by date and position. */
export async function searchSorted(
  searches: Reads,
  { ordered, looked }: Conditions,
  sorting: Sorting,
  after: After | undefined,
  limit: number,
): Promise<readonly SaleRow[]> {
  const { sort, order, consignorId } = sorting;
  const conditions = [...ordered, ...looked];
  const key = sortKeys[sort];
  const direction = order === "asc" ? sql`asc` : sql`desc`;
  const inOrder = sql`key ${direction}, sold_at ${direction}, position ${direction}`;
  const behind = isBehind(sorting, after);
  const isAll = conditions.length === 0;
  if ((indexed.has(sort) || sort === "consignor") && consignorId === undefined) {
    const walk =
      sort === "consignor"
        ? walkByConsignor(sorting, after, isAll ? limit : Math.max(CONSIGNORS_WALK, 4 * limit))
        : sql`(
            select *, ${key} as key from read.sales where ${behind}
            order by ${inOrder} limit ${isAll ? limit : Math.max(FIRST_WALK, 4 * limit)})`;
    const walked = await sql<SaleRow>`
      select ${columns("first")} from ${walk} first where ${saleRow.and(conditions)}
      order by ${inOrder} limit ${limit}`.execute(searches);
    if (isAll || walked.rows.length === limit) {
      return walked.rows;
    }
  }
  const { rows } = await sql<SaleRow>`
    with matching as ${isAll ? sql`` : sql`materialized`} (
      select sale_id, sold_at, position, ${key} as key from ${salesOf(sort)}
      where ${saleRow.and(conditions)} and ${behind}),
    page as (select sale_id, key from matching order by ${inOrder} limit ${limit})
    select ${columns("s")} from page join read.sales s on s.sale_id = page.sale_id
    order by page.key ${direction}, s.sold_at ${direction}, s.position ${direction}`.execute(
    searches,
  );
  return rows;
}

/** The ids of the first `limit` sales in that order, to be read batch by batch. */
export async function sortedSaleIds(
  searches: Reads,
  { ordered, looked }: Conditions,
  { sort, order }: Pick<Sorting, "sort" | "order">,
  limit: number,
): Promise<readonly string[]> {
  const direction = order === "asc" ? sql`asc` : sql`desc`;
  const { rows } = await sql<{ readonly sale_id: string }>`
    with matching as materialized (
      select sale_id, sold_at, position, ${sortKeys[sort]} as key from ${salesOf(sort)}
      where ${saleRow.and([...ordered, ...looked])})
    select sale_id from matching
    order by key ${direction}, sold_at ${direction}, position ${direction} limit ${limit}`.execute(
    searches,
  );
  return rows.map((one) => one.sale_id);
}

const columns = (table: string) => sql.join(saleColumns.map((name) => sql.ref(`${table}.${name}`)));
