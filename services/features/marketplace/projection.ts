// From the log to the marketplace: every consignor's item, and what all of them together have of each barcode.
import {
  bigint,
  boolean,
  defineTable,
  generated,
  insertColumns,
  nullable,
  text,
  uuid,
} from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { describing } from "#features/inventory/events.ts";
import { itemMovesSql, itemsTouchedSql } from "#features/inventory/projection-moves.ts";

export const marketplaceItemsTable = defineTable({
  name: "marketplace_items",
  columns: {
    id: uuid(),
    owner_uid: text(),
    barcode1: text(),
    item_name: text(),
    link: text(),
    image_url: text(),
    asin: text(),
    units: bigint(),
    archived: boolean(),
    added_position: bigint(),
    updated_position: bigint(),
    /** The barcode it had before this step; null between steps. */
    former_barcode1: nullable(text()),
    // A column of its own: units change with every sale, and an update that changes no indexed column updates no index.
    in_stock: generated(boolean(), "units > 0 and not archived"),
  },
  keys: ["primary key (id)"],
  indexes: ["(barcode1) where in_stock", "(owner_uid, barcode1) where in_stock"],
  fillFactor: 80,
});

/** One row for each barcode that somebody has in stock, described by the newest of these items. */
export const marketplaceBarcodesTable = defineTable({
  name: "marketplace_barcodes",
  columns: {
    barcode1: text(),
    units: bigint(),
    owners: bigint(),
    item_name: text(),
    link: text(),
    image_url: text(),
    asin: text(),
    newest_position: bigint(),
    search_text: generated(text(), "log.searchable(item_name || E'\\n' || barcode1)"),
  },
  keys: ["primary key (barcode1)"],
  indexes: ["using gin (search_text gin_trgm_ops)"],
  fillFactor: 80,
});

const touched = `
  select distinct log.id_of_item_stream(s.stream_id)::uuid as id
  from {streams} s
  where s.position > $1::bigint and s.position <= $2::bigint
    and log.is_item_stream(s.stream_id) and {key:log.id_of_item_stream(s.stream_id)}`;

/** The items `i` of the range. By an array of ids: where statistics say that few items fit the rest, all would be read. */
const isTouched = `i.id = any (array(${touched}))`;

/** The barcodes that the range's items have, or had before it; `where` narrows the items `i`. */
function touchedBarcodes(where: string): string {
  return `
    select b.barcode1
    from {table:marketplace_items} i
    cross join lateral (values (i.barcode1), (i.former_barcode1)) as b (barcode1)
    where ${isTouched} and b.barcode1 is not null and ${where}`;
}

/** The last description that the range gives each consignor's item. */
const described = `
  select distinct on (e.data ->> 'itemId') (e.data ->> 'itemId')::uuid as id, e.position,
    min(e.position) filter (where e.type = 'ItemAdded') over (partition by e.data ->> 'itemId') as added_position,
    e.data ->> 'ownerUid' as owner_uid, e.type = 'ItemArchived' as archived, e.data -> 'after' as after
  from {events} e
  where e.position > $1::bigint and e.position <= $2::bigint
    and e.type in (${describing.map((type) => `'${type}'`).join(", ")})
    and e.data ->> 'ownerUid' is not null and {key:e.data ->> 'itemId'}
  order by e.data ->> 'itemId', e.position desc`;

/** What the range's movements change of each item. */
const moved = `
  select m.item_id as id, sum(m.units)::bigint as units, max(m.position) as position
  from (${itemMovesSql}) m
  where m.units is not null
  group by m.item_id`;

/** What is in stock of these barcodes, as rows of the table; `where` narrows the items `i`. */
function totals(barcodes: string, where: string): string {
  const newest = (column: string) => `(array_agg(i.${column} order by i.added_position desc))[1]`;
  return `
    select i.barcode1, sum(i.units)::bigint, count(distinct i.owner_uid), ${newest("item_name")},
      ${newest("link")}, ${newest("image_url")}, ${newest("asin")}, max(i.added_position)
    from {table:marketplace_items} i
    where i.in_stock and i.barcode1 in (${barcodes}) and ${where}
    group by i.barcode1`;
}

/** The totals of all barcodes, from the items. */
const allTotals = `
  select t.barcode1, t.units, t.owners, i.item_name, i.link, i.image_url, i.asin, t.newest_position
  from (
    select barcode1, sum(units)::bigint as units, count(distinct owner_uid) as owners,
      max(added_position) as newest_position
    from {table:marketplace_items}
    where in_stock
    group by barcode1) t
  join {table:marketplace_items} i on i.added_position = t.newest_position and i.barcode1 = t.barcode1`;

const totalColumns = insertColumns(marketplaceBarcodesTable);
const replaceTotals = `on conflict (barcode1) do update set ${totalColumns
  .split(", ")
  .slice(1)
  .map((name) => `${name} = excluded.${name}`)
  .join(", ")}`;

const keptKeys = "i.id::text <> all ($1::text[])";
const barcodesOfKeys =
  "select o.barcode1 from {table:marketplace_items} o where o.id::text = any ($1::text[])";

/** The items alone. */
const itemSteps = [
  `with described as materialized (${described}),
    added as (
      insert into {table:marketplace_items} (${insertColumns(marketplaceItemsTable)})
      select d.id, d.owner_uid, d.after ->> 'barcode1', d.after ->> 'itemName', d.after ->> 'link',
        d.after ->> 'imageUrl', d.after ->> 'asin', 0, d.archived, d.added_position, d.position, null
      from described d
      where d.added_position is not null)
  update {table:marketplace_items} i
  set barcode1 = d.after ->> 'barcode1', item_name = d.after ->> 'itemName', link = d.after ->> 'link',
    image_url = d.after ->> 'imageUrl', asin = d.after ->> 'asin', archived = d.archived,
    updated_position = d.position, former_barcode1 = nullif(i.barcode1, d.after ->> 'barcode1')
  from described d
  where i.id = d.id and d.added_position is null`,
  `update {table:marketplace_items} i
  set units = i.units + m.units, updated_position = greatest(i.updated_position, m.position)
  from (${moved}) m
  where i.id = m.id::uuid`,
];

/** Consignors' items and the totals of their barcodes. Row key: the item's id; the totals follow from the items. */
export const marketplaceProjection: Projection = {
  name: "marketplace",
  version: 3,
  tables: [marketplaceItemsTable, marketplaceBarcodesTable],
  step: [
    ...itemSteps,
    `insert into {table:marketplace_barcodes} (${totalColumns})
    ${totals(touchedBarcodes("true"), "true")}
    ${replaceTotals}`,
    `delete from {table:marketplace_barcodes} b
    where b.barcode1 in (${touchedBarcodes("(i.former_barcode1 is not null or not i.in_stock)")})
      and not exists (select from {table:marketplace_items} i where i.barcode1 = b.barcode1 and i.in_stock)`,
    `update {table:marketplace_items} i set former_barcode1 = null
    where i.former_barcode1 is not null and ${isTouched}`,
  ],
  onlyFor: [describing, null, null, null, describing],
  keysTouched: itemsTouchedSql,
  forgetKeys: [
    `insert into {table:marketplace_barcodes} (${totalColumns})
    ${totals(barcodesOfKeys, keptKeys)}
    ${replaceTotals}`,
    `delete from {table:marketplace_barcodes} b
    where b.barcode1 in (${barcodesOfKeys})
      and not exists (
        select from {table:marketplace_items} i where i.barcode1 = b.barcode1 and i.in_stock and ${keptKeys})`,
    "delete from {table:marketplace_items} where id::text = any ($1::text[])",
  ],
  streamsOfKey: "array[log.item_stream(key)]",
  fill: {
    step: itemSteps,
    finish: [
      "update {table:marketplace_items} set former_barcode1 = null where former_barcode1 is not null",
      "delete from {table:marketplace_barcodes}",
      `insert into {table:marketplace_barcodes} (${totalColumns}) ${allTotals}`,
    ],
  },
  derived: {
    tables: ["marketplace_barcodes"],
    deriveKeys: [
      `insert into {table:marketplace_barcodes} (${totalColumns})
      ${totals(barcodesOfKeys, "true")}
      ${replaceTotals}`,
    ],
  },
};
