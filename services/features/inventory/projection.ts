// From the log to what screens list: every item as it is now, and the numbered history of its units.
import {
  bigint,
  boolean,
  defineTable,
  generated,
  insertColumns,
  nullable,
  text,
  timestamptz,
  uuid,
} from "#ledger/projection/columns.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { describing } from "#features/inventory/events.ts";
import { itemMovesSql, itemsTouchedSql } from "#features/inventory/projection-moves.ts";

export const inventoryItemsTable = defineTable({
  name: "inventory_items",
  // In the order in which PostgreSQL gets at them: it steps over each text before a column, but not over numbers. Searches that
  // no index helps read the searched texts of all rows.
  columns: {
    id: uuid(),
    quantity: bigint(),
    version: bigint(),
    added_position: bigint(),
    updated_position: bigint(),
    added_at: timestamptz(),
    /** When a unit last came in or was sold; without an index, so that a sale updates none. */
    unsold_since: timestamptz(),
    archived: boolean(),
    // A column of its own: quantities change with every sale, and an update that changes no indexed column
    // updates no index.
    out_of_stock: generated(boolean(), "quantity = 0"),
    search_text: generated(
      text(),
      "log.searchable(item_name || E'\\n' || listing_title || E'\\n' || barcode1 || E'\\n' || barcode2)",
    ),
    location_text: generated(text(), "lower(location)"),
    /** Null for a master item. */
    owner_uid: nullable(text()),
    item_name: text(),
    listing_title: text(),
    barcode1: text(),
    barcode2: text(),
    location: text(),
    link: text(),
    image_url: text(),
    asin: text(),
    tag_price_cents: nullable(bigint()),
  },
  keys: ["primary key (id)"],
  indexes: [
    "(added_position desc) where not archived",
    "(owner_uid, added_position desc) where not archived",
    // Deleted items are only listed as of a time at which they were there.
    "(owner_uid, added_position desc) where archived",
    // A location's items in the list's order come from this index alone, however far the page is.
    "(location_text text_pattern_ops, added_position) include (id) where not archived",
    // The order of a sorted list. Names and barcodes rarely change, so these only cost something when an item is added.
    `(lower(item_name) collate "C", added_position) where not archived`,
    `(lower(item_name) collate "C", added_position) where owner_uid is null and not archived`,
    `(lower(item_name) collate "C", added_position) where owner_uid is not null and not archived`,
    "(barcode1, added_position) where not archived",
    "(barcode2, added_position) where not archived",
    "using gin (search_text gin_trgm_ops) where not archived",
    "(added_position desc) where owner_uid is null and not archived",
    "(added_position desc) where owner_uid is not null and not archived",
    "(added_position desc) where out_of_stock and not archived",
    // What lies unsold, oldest first: few items sell again so late, so the rest is checked row by row.
    "(added_at, added_position) where not out_of_stock and not archived",
    "(added_position desc) where image_url = '' and not archived",
    "(added_position desc) where location = '' and not archived",
  ],
  // Without room in its page, an item's first sale wrote into all these indexes: five times the CPU.
  fillFactor: 80,
});

export const itemTimelineTable = defineTable({
  name: "item_timeline",
  columns: {
    item_id: uuid(),
    line: bigint(),
    position: bigint(),
    units_delta: bigint(),
    units_after: bigint(),
  },
  keys: ["primary key (item_id, line)"],
  indexes: [],
});

/**
 * Every item that events of the range touch: version, last position, the change of its units, and when units last came
 * in or were sold. Counts, removals and restored items do not matter for that.
 */
const touched = `
  select m.item_id::uuid as id, max(m.line) as version, max(m.position) as position,
    coalesce(sum(m.units), 0) as units, max(e.happened_at) filter (where m.stirs) as stirred_at
  from (${itemMovesSql}) m
  left join {events} e on e.position = m.position and e.position > $1::bigint and e.position <= $2::bigint
  group by 1`;

/** The last tag price that the range gives an item; null takes it off. */
const priced = `
  select distinct on (e.data ->> 'itemId') (e.data ->> 'itemId')::uuid as id,
    coalesce(e.data ->> 'afterCents', e.data ->> 'tagPriceCents')::bigint as cents
  from {events} e
  where e.position > $1::bigint and e.position <= $2::bigint
    and (e.type = 'ItemPriced' or e.type = 'ItemAdded' and e.data ? 'tagPriceCents')
    and {key:e.data ->> 'itemId'}
  order by e.data ->> 'itemId', e.position desc`;

/** The last event of the range with an item's description, and the one that added it, if that is in the range too. */
const noted = `
  select (e.data ->> 'itemId')::uuid as id, max(e.position) as position,
    min(e.position) filter (where e.type = 'ItemAdded') as added_position,
    min(e.happened_at) filter (where e.type = 'ItemAdded') as added_at
  from {events} e
  where e.position > $1::bigint and e.position <= $2::bigint
    and e.type in (${describing.map((type) => `'${type}'`).join(", ")})
    and {key:e.data ->> 'itemId'}
  group by 1`;

/** That last event's description. */
const described = `
  select n.id, n.added_position, n.added_at,
    e.type = 'ItemArchived' as archived,
    e.data ->> 'ownerUid' as owner_uid,
    e.data -> 'after' ->> 'itemName' as item_name,
    e.data -> 'after' ->> 'listingTitle' as listing_title,
    e.data -> 'after' ->> 'barcode1' as barcode1,
    e.data -> 'after' ->> 'barcode2' as barcode2,
    e.data -> 'after' ->> 'location' as location,
    e.data -> 'after' ->> 'link' as link,
    e.data -> 'after' ->> 'imageUrl' as image_url,
    e.data -> 'after' ->> 'asin' as asin
  from noted n
  join {events} e on e.position = n.position and e.position > $1::bigint and e.position <= $2::bigint`;

/** Items as they are now, including archived ones. Row key: the item's id. */
export const inventoryProjection: Projection = {
  name: "inventory",
  version: 8,
  tables: [inventoryItemsTable],
  step: [
    // Most events only move units of existing items: those rows keep their description, so no index changes.
    `with touched as materialized (${touched}),
      noted as materialized (${noted}),
      described as materialized (${described}),
      priced as materialized (${priced}),
      added as (
        insert into {table:inventory_items} (${insertColumns(inventoryItemsTable)})
        select d.id, t.units, t.version, d.added_position, t.position, d.added_at,
          greatest(d.added_at, t.stirred_at), d.archived, d.owner_uid, d.item_name, d.listing_title,
          d.barcode1, d.barcode2, d.location, d.link, d.image_url, d.asin, p.cents
        from described d
        join touched t on t.id = d.id
        left join priced p on p.id = d.id
        where d.added_position is not null),
      redescribed as (
        update {table:inventory_items} i
        set item_name = d.item_name, listing_title = d.listing_title, barcode1 = d.barcode1,
          barcode2 = d.barcode2, location = d.location, link = d.link, image_url = d.image_url,
          asin = d.asin, archived = d.archived, quantity = i.quantity + t.units, version = t.version,
          updated_position = t.position, unsold_since = greatest(i.unsold_since, t.stirred_at),
          tag_price_cents = case when p.id is null then i.tag_price_cents else p.cents end
        from described d
        join touched t on t.id = d.id
        left join priced p on p.id = d.id
        where i.id = d.id and d.added_position is null)
    update {table:inventory_items} i
    set quantity = i.quantity + t.units, version = t.version, updated_position = t.position,
      unsold_since = greatest(i.unsold_since, t.stirred_at),
      tag_price_cents = case when p.id is null then i.tag_price_cents else p.cents end
    from touched t
    left join priced p on p.id = t.id
    where i.id = t.id and not exists (select from described d where d.id = t.id)`,
  ],
  shortcuts: [
    {
      without: [...describing, "ItemPriced"],
      statement: `
        update {table:inventory_items} i
        set quantity = i.quantity + t.units, version = t.version, updated_position = t.position,
          unsold_since = greatest(i.unsold_since, t.stirred_at)
        from (${touched}) t
        where i.id = t.id`,
    },
  ],
  keysTouched: itemsTouchedSql,
  forgetKeys: ["delete from {table:inventory_items} where id::text = any ($1::text[])"],
  streamsOfKey: "array[log.item_stream(key)]",
};

/**
 * The lines of every item's history, numbered from 1 without gaps, so that a page is a range of numbers
 * however old its lines are. What happened is in the log and is joined when it is read. Row key: the item's id.
 */
export const itemTimelineProjection: Projection = {
  name: "item_timeline",
  version: 1,
  tables: [itemTimelineTable],
  step: [
    // One sort by item and line is enough for the sums, the line before the range and the running count. That
    // line is looked up once per item, so a chunk of a replay costs the same however long the history is.
    `with moves as (
      select m.item_id::uuid as item_id, m.line, m.position, coalesce(m.units, 0) as units_delta
      from (${itemMovesSql}) m
      order by item_id, line
      offset 0),
    lines as (
      select item_id, line, position, units_delta,
        lag(line) over (partition by item_id order by line) is null as is_first
      from moves)
    insert into {table:item_timeline} (${insertColumns(itemTimelineTable)})
    select l.item_id, l.line, l.position, l.units_delta,
      sum(l.units_delta + coalesce(b.units_after, 0)::int)
        over (partition by l.item_id order by l.line rows unbounded preceding)
    from lines l
    left join lateral (
      select t.units_after from {table:item_timeline} t
      where l.is_first and t.item_id = l.item_id and t.line = l.line - 1
      limit 1
    ) b on true`,
  ],
  keysTouched: itemsTouchedSql,
  forgetKeys: ["delete from {table:item_timeline} where item_id::text = any ($1::text[])"],
  streamsOfKey: "array[log.item_stream(key)]",
};
