// The units that events move of each item, as SQL: for every read table that counts them.

/** Whether units that come from or go to a place came in or were sold. */
const stirs = (place: string): string => `${place} not in ('world:adjusted', 'world:removed')`;

/** One side of the range's movements, as changes of an item's units. */
function side(own: "to_holding" | "from_holding", other: string, sign: "" | "-"): string {
  return `
    select log.id_of_item_holding(m.${own}), m.position, null::bigint, ${sign}m.units::int, ${stirs(`m.${other}`)}
    from {movements} m
    where m.position > $1::bigint and m.position <= $2::bigint and log.is_item_holding(m.${own})`;
}

/**
 * One row for each event and item of the range: the item's line, which is the version of its stream, the change of its
 * units (null if the event moves none), and whether units came in or were sold. Only movements move units, so events of
 * other features count here without being named. Where one moves units of an item without extending its stream, the line
 * has no number, and the step fails until the key is held back. `units` are int so that PostgreSQL sums them in bigint:
 * it sums bigint in numeric, which doubles the time of a replay.
 */
export const itemMovesSql = `
  select c.item_id, c.position,
    coalesce(max(c.version), read.no_item_line(c.position, c.item_id, log.item_stream(c.item_id))) as line,
    sum(c.units)::int as units, bool_or(c.stirs) as stirs
  from (
    select log.id_of_item_stream(s.stream_id) as item_id, s.position, s.version, null::int as units, false as stirs
    from {streams} s
    where s.position > $1::bigint and s.position <= $2::bigint and log.is_item_stream(s.stream_id)
    union all ${side("to_holding", "from_holding", "")}
    union all ${side("from_holding", "to_holding", "-")}
  ) c
  where {key:c.item_id}
  group by c.item_id, c.position`;

/** The row keys of tables with a row key for each item: also of those whose units are moved without their streams. */
export const itemsTouchedSql = `
  select distinct touched.key from (
    select log.id_of_item_stream(s.stream_id) as key
    from {streams} s
    where s.position > $1::bigint and s.position <= $2::bigint and log.is_item_stream(s.stream_id)
    union all
    select log.id_of_item_holding(h.name)
    from {movements} m
    cross join lateral (values (m.from_holding), (m.to_holding)) as h (name)
    where m.position > $1::bigint and m.position <= $2::bigint and log.is_item_holding(h.name)) touched`;
