// A search of the inventory in the order of a column: one of the indexes in that order is walked, or what matches is sorted.
import type { Expression, RawBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import { badRequest } from "#http/errors.ts";
import type { Reads } from "#http/reads.ts";
import type { ItemSort } from "#features/inventory/contract.ts";
import { MOST_SORTED_BY_QUANTITY } from "#features/inventory/contract.ts";
import type { Conditions, ItemRow, Part } from "#features/inventory/search-conditions.ts";
import { all, itemColumns, notArchived } from "#features/inventory/search-conditions.ts";

type Sorting = { readonly sort: Exclude<ItemSort, "added">; readonly order: "asc" | "desc" };

/** How many items are walked in the list's order before all that match are found and sorted. */
const firstWalk = 10_000;

/** What an item's source is called; null for the store's own. `p` is the owner's profile. */
const sourceName = (ownerUid: RawBuilder<unknown>) => sql`
  lower(case when p.deactivated_at is null
    then coalesce(p.display_name, p.username, p.email, ${ownerUid}) else 'Deleted user' end) collate "C"`;

/** ORDER BY over rows of the table, or over rows that also have a `source_name`. */
function orderBy({ sort, order }: Sorting, table: string): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${table}.${column}`);
  const direction = order === "asc" ? sql`asc` : sql`desc`;
  const added = sql`${of("added_position")} ${direction}`;
  switch (sort) {
    case "itemName": {
      return sql`lower(${of("item_name")}) collate "C" ${direction}, ${added}`;
    }
    case "location": {
      // By the operators of the index that also finds the beginnings of places.
      return sql`${of("location_text")} using ${order === "asc" ? sql`~<~` : sql`~>~`}, ${added}`;
    }
    case "source": {
      const nulls = order === "asc" ? sql`asc nulls first` : sql`desc nulls last`;
      return sql`${of("source_name")} ${nulls}, ${of("owner_uid")} ${nulls}, ${added}`;
    }
    default: {
      return sql`${of(sort)} ${direction}, ${added}`;
    }
  }
}

/** The first items of the list, `count` at most, found by an index in its order. */
function walk(sorting: Sorting, ordered: Expression<SqlBool>, count: number): RawBuilder<unknown> {
  return sorting.sort === "source"
    ? walkSources(sorting, ordered, count)
    : sql`
      select * from read.inventory_items i where ${ordered}
      order by ${orderBy(sorting, "i")} limit ${count}`;
}

/** Consignors by name, and of each the items by the index on owners. A look-up by uid finds each next owner. */
function walkSources(
  sorting: Sorting,
  ordered: Expression<SqlBool>,
  count: number,
): RawBuilder<unknown> {
  const direction = sorting.order === "asc" ? sql`asc nulls first` : sql`desc nulls last`;
  const added = sorting.order === "asc" ? sql`asc` : sql`desc`;
  return sql`
    select i.*, o.source_name from (
      with recursive owners (uid) as (
        (select owner_uid from read.inventory_items
          where owner_uid is not null and not archived order by owner_uid limit 1)
        union all
        select (select i.owner_uid from read.inventory_items i
          where i.owner_uid > owners.uid and not i.archived order by i.owner_uid limit 1)
        from owners where owners.uid is not null)
      select null::text as uid, null as source_name
      union all
      select owners.uid, ${sourceName(sql`owners.uid`)}
      from owners left join identity.profiles p on p.uid = owners.uid where owners.uid is not null
      order by source_name ${direction}, uid ${direction}) o
    cross join lateral (
      (select * from read.inventory_items
        where o.uid is null and owner_uid is null and ${ordered} order by added_position ${added} limit ${count})
      union all
      (select * from read.inventory_items
        where owner_uid = o.uid and ${ordered} order by added_position ${added} limit ${count})) i
    order by o.source_name ${direction}, o.uid ${direction}, i.added_position ${added} limit ${count}`;
}

/** Rows of the sorted list from `offset` on, at most `limit`. Throws HttpError 400 `too_many_to_sort`. */
export async function searchSorted(
  searches: Reads,
  { ordered, place, term }: Conditions,
  sorting: Sorting,
  { offset, limit }: Part,
): Promise<readonly ItemRow[]> {
  const matches = all(...ordered, ...place, ...term);
  if (sorting.sort === "quantity") {
    return sortAll(searches, sorting, matches, { offset, limit });
  }
  const isAtPlace = sorting.sort === "location";
  const inOrder = isAtPlace ? all(notArchived, ...place) : notArchived;
  const looked = [...ordered.slice(1), ...(isAtPlace ? [] : place), ...term];
  if (looked.length === 0) {
    return walkPage(searches, sorting, inOrder, looked, { offset, limit }, offset + limit);
  }
  if (term.length === 0 && (await isFew(searches, matches))) {
    return sortAll(searches, sorting, matches, { offset, limit });
  }
  const far = Math.max(firstWalk, 4 * (offset + limit));
  for (const count of [far, 4 * far]) {
    const found = await walkPage(searches, sorting, inOrder, looked, { offset, limit }, count);
    if (found.length === limit) {
      return found;
    }
    // A page that was nearly full is full after a longer walk.
    if (found.length * 4 < limit) {
      break;
    }
  }
  return sortAll(searches, sorting, matches, { offset, limit });
}

/** Whether fewer items match than a walk would look at. */
async function isFew(searches: Reads, matches: Expression<SqlBool>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from read.inventory_items where ${matches} offset ${firstWalk / 2} limit 1`.execute(
    searches,
  );
  return rows.length === 0;
}

async function walkPage(
  searches: Reads,
  sorting: Sorting,
  ordered: Expression<SqlBool>,
  looked: readonly Expression<SqlBool>[],
  { offset, limit }: Part,
  count: number,
): Promise<readonly ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select ${sql.join(itemColumns.map((name) => sql.ref(name)))}
    from (${walk(sorting, ordered, count)}) first where ${all(...looked)}
    order by ${orderBy(sorting, "first")} offset ${offset} limit ${limit}`.execute(searches);
  return rows;
}

/** What the order is made of, besides the column itself. */
const sortedColumns: Readonly<Record<Sorting["sort"], readonly string[]>> = {
  itemName: ["item_name"],
  barcode1: ["barcode1"],
  barcode2: ["barcode2"],
  location: ["location_text"],
  source: ["owner_uid"],
  quantity: ["quantity"],
};

/** Lets the indexes find all that matches, and sorts it. */
async function sortAll(
  searches: Reads,
  sorting: Sorting,
  matches: Expression<SqlBool>,
  { offset, limit }: Part,
): Promise<readonly ItemRow[]> {
  const needed = ["id", "added_position", ...sortedColumns[sorting.sort]];
  const most = sorting.sort === "quantity" ? sql`limit ${MOST_SORTED_BY_QUANTITY + 1}` : sql``;
  const named =
    sorting.sort === "source"
      ? sql`(
        select m.*, case when m.owner_uid is not null then ${sourceName(sql`m.owner_uid`)} end as source_name
        from matching m left join identity.profiles p on p.uid = m.owner_uid)`
      : sql`matching`;
  const { rows } = await sql<ItemRow & { readonly matched: number }>`
    with matching as materialized (
      select ${sql.join(needed.map((name) => sql.ref(name)))} from read.inventory_items
      where ${matches} ${most}),
    page as (
      select * from ${named} n order by ${orderBy(sorting, "n")} offset ${offset} limit ${limit})
    select ${sql.join(itemColumns.map((name) => sql.ref(`i.${name}`)))},
      (select count(*) from matching) as matched
    from page join read.inventory_items i on i.id = page.id
    order by ${orderBy(sorting, "page")}`.execute(searches);
  if (sorting.sort === "quantity" && (rows[0]?.matched ?? 0) > MOST_SORTED_BY_QUANTITY) {
    const said = MOST_SORTED_BY_QUANTITY.toLocaleString("en-US");
    throw badRequest(
      "too_many_to_sort",
      `More than ${said} items match. Narrow the search to sort it by quantity`,
      "sort",
    );
  }
  return rows;
}
