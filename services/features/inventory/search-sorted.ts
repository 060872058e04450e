// An inventory search sorted by a column: scans an index in that order, or finds the matching items and sorts them.
import type { Expression, RawBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import { badRequest } from "#http/errors.ts";
import type { Reads } from "#http/reads.ts";
import type { ItemSort } from "#features/inventory/contract.ts";
import { MOST_SORTED_BY_QUANTITY } from "#features/inventory/contract-queries.ts";
import type { Conditions, ItemRow, Part } from "#features/inventory/search-conditions.ts";
import { all, itemColumns, notArchived } from "#features/inventory/search-conditions.ts";

type Sorting = { readonly sort: Exclude<ItemSort, "added">; readonly order: "asc" | "desc" };

/** How many items are scanned in the list's order at first, and at most; after that, all matching items are sorted. */
const firstWalk = 10_000;
const longestWalk = 50_000;

/** Up to this many items are sorted at once; fewer with a term, as their rows must be read to see if they match. */
const fewItems = 30_000;
const fewOfTerm = 5000;

/** The name of an item's source; null for the store's own. `p` is the owner's profile. */
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
      // With the operators of the index that also finds the beginning of a location.
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

/** A scan in the list's order: the conditions that its index can check, and whose items it covers. */
type Walk = {
  readonly sorting: Sorting;
  readonly inOrder: Expression<SqlBool>;
  readonly owners: Conditions["owners"];
};

/** The first items of the list, at most `count`, from an index in its order. */
function firstOf({ sorting, inOrder, owners }: Walk, count: number): RawBuilder<unknown> {
  if (sorting.sort === "source") {
    return firstOfSources(sorting, owners, count);
  }
  // The names of the store's items and of the consignors' items have separate indexes, so neither is scanned for the other.
  const whose = {
    all: sql``,
    master: sql`and owner_uid is null`,
    consignor: sql`and owner_uid is not null`,
  }[sorting.sort === "itemName" ? owners : "all"];
  return sql`
    (select * from read.inventory_items i where ${inOrder} ${whose}
    order by ${orderBy(sorting, "i")} limit ${count})`;
}

/** Consignors by name, and each one's items from the index on owners. */
function firstOfSources(
  { order }: Sorting,
  owners: Conditions["owners"],
  count: number,
): RawBuilder<unknown> {
  const direction = order === "asc" ? sql`asc nulls first` : sql`desc nulls last`;
  const added = order === "asc" ? sql`asc` : sql`desc`;
  const ofOwner = (whose: RawBuilder<unknown>) => sql`
    (select * from read.inventory_items
      where ${whose} and not archived order by added_position ${added} limit ${count})`;
  const hasOwner =
    owners === "all" ? sql`true` : sql`uid is ${owners === "master" ? sql`null` : sql`not null`}`;
  return sql`(
    select i.*, o.source_name from (
      with recursive owners (uid) as (
        (select owner_uid from read.inventory_items
          where owner_uid is not null and not archived order by owner_uid limit 1)
        union all
        select (select i.owner_uid from read.inventory_items i
          where i.owner_uid > owners.uid and not i.archived order by i.owner_uid limit 1)
        from owners where owners.uid is not null)
      select * from (
        select null::text as uid, null as source_name
        union all
        select owners.uid, ${sourceName(sql`owners.uid`)}
        from owners left join identity.profiles p on p.uid = owners.uid where owners.uid is not null
      ) named where ${hasOwner}
      order by source_name ${direction}, uid ${direction}) o
    cross join lateral (
      ${ofOwner(sql`o.uid is null and owner_uid is null`)}
      union all
      ${ofOwner(sql`owner_uid = o.uid`)}) i
    order by o.source_name ${direction}, o.uid ${direction}, i.added_position ${added} limit ${count})`;
}

/** Rows of the sorted list from `offset` on, at most `limit`. Throws HttpError 400 `too_many_to_sort`. */
export async function searchSorted(
  searches: Reads,
  { ordered, place, term, owners }: Conditions,
  sorting: Sorting,
  { offset, limit }: Part,
): Promise<readonly ItemRow[]> {
  const matches = all(...ordered, ...place, ...term);
  if (sorting.sort === "quantity") {
    return sortAll(searches, sorting, matches, { offset, limit });
  }
  const isByPlace = sorting.sort === "location";
  const inOrder = isByPlace ? all(notArchived, ...place) : notArchived;
  const looked = [...ordered.slice(1), ...(isByPlace ? [] : place), ...term];
  const walk = { sorting, inOrder, owners };
  const needed = offset + limit;
  if (looked.length === 0) {
    return loadItems(
      searches,
      (await walkIds(searches, walk, looked, needed, needed)).slice(offset),
    );
  }
  if (term.length === 0 && (await isFew(searches, matches, fewItems))) {
    return sortAll(searches, sorting, matches, { offset, limit });
  }
  for (let count = Math.max(firstWalk, 4 * needed), walks = 1; count <= longestWalk; walks += 1) {
    const ids = await walkIds(searches, walk, looked, count, needed);
    if (ids.length === needed) {
      return loadItems(searches, ids.slice(offset));
    }
    if (walks === 1 && term.length > 0 && (await isFew(searches, matches, fewOfTerm))) {
      break;
    }
    // Far enough for the page if items match as often as so far, plus a margin.
    const wanted = (1.5 * count * needed) / Math.max(1, ids.length);
    count = count < longestWalk && ids.length < 10 ? longestWalk : Math.ceil(wanted);
  }
  return sortAll(searches, sorting, matches, { offset, limit });
}

async function isFew(
  searches: Reads,
  matches: Expression<SqlBool>,
  count: number,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from read.inventory_items where ${matches} offset ${count} limit 1`.execute(searches);
  return rows.length === 0;
}

/** The ids of the first `needed` matching items among the first `count` of the list. */
async function walkIds(
  searches: Reads,
  walk: Walk,
  looked: readonly Expression<SqlBool>[],
  count: number,
  needed: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from ${firstOf(walk, count)} first where ${all(...looked)}
    order by ${orderBy(walk.sorting, "first")} limit ${needed}`.execute(searches);
  return rows.map(({ id }) => id);
}

/** The items in the order of their ids. */
async function loadItems(searches: Reads, ids: readonly string[]): Promise<readonly ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select ${sql.join(itemColumns.map((name) => sql.ref(`i.${name}`)))}
    from unnest(${`{${ids.join(",")}}`}::text::uuid[]) with ordinality as wanted (id, nth)
    join read.inventory_items i on i.id = wanted.id order by wanted.nth`.execute(searches);
  return rows;
}

/** What the order is made of, apart from the column itself. */
const sortedColumns: Readonly<Record<Sorting["sort"], readonly string[]>> = {
  itemName: ["item_name"],
  barcode1: ["barcode1"],
  barcode2: ["barcode2"],
  location: ["location_text"],
  source: ["owner_uid"],
  quantity: ["quantity"],
};

/** Finds all matching items with the indexes, and sorts them. */
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
