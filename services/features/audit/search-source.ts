// The ordered sources of an audit page: for each filter, the next positions that have it, from an index in the log's order.
import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { ValueOf } from "#http/statement.ts";
import { statements } from "#http/statement.ts";
import { auditEventsTable, auditPeopleTable } from "#features/audit/projection.ts";

export type Order = "newest" | "oldest";

type SourceValues = {
  /** `{a,b}` */
  readonly keys: string;
  readonly after: number;
  readonly before: number;
  readonly limit: number;
};

type SourceShape = {
  readonly of:
    | "all"
    | "streams"
    | "people"
    | "own-entries"
    | "types"
    | "actors"
    | "cents"
    | "share-cents";
  readonly order: Order;
};

/** How many of a stream's events have positions below a bound, by binary search: versions are in the log's order. */
function versionsBelow(bound: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    with recursive halving (low, high) as (
      select 0::bigint, coalesce((select max(v.version) from log.event_streams v where v.stream_id = k.key), 0)
      union all
      select case when v.position < ${bound}::bigint then v.version else h.low end,
        case when v.position < ${bound}::bigint then h.high else v.version - 1 end
      from halving h
      join log.event_streams v on v.stream_id = k.key and v.version = (h.low + h.high + 1) / 2
      where h.low < h.high)
    select low from halving where low = high limit 1)`;
}

/** For each key the first positions between the bounds, in the order; each comes from an index in that order. */
export const readSource = statements(
  (_reads: Reads, value: ValueOf<SourceValues>, { of, order }: SourceShape) => {
    const direction = order === "newest" ? sql`desc` : sql`asc`;
    const between = sql`x.position > ${value("after")}::bigint and x.position < ${value("before")}::bigint`;
    const events = nameOfTable(auditEventsTable);
    const firstOf = (table: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`
      select x.position from ${table} x where ${condition} and ${between}
      order by x.position ${direction} limit ${value("limit")}::bigint`;
    const first = {
      all: firstOf(events, sql`true`),
      // An event of a higher position has a higher version.
      streams: sql`
        select x.position from log.event_streams x
        where x.stream_id = k.key and x.version > ${versionsBelow(sql`${value("after")}::bigint + 1`)}
          and x.version <= ${versionsBelow(value("before"))}
        order by x.version ${direction} limit ${value("limit")}::bigint`,
      people: firstOf(nameOfTable(auditPeopleTable), sql`x.uid = k.key`),
      "own-entries": firstOf(events, sql`x.own_entry`),
      types: firstOf(events, sql`x.type = k.key`),
      actors: firstOf(events, sql`x.actor = k.key`),
      cents: firstOf(events, sql`x.cents = k.key::bigint`),
      "share-cents": firstOf(events, sql`x.share_cents = k.key::bigint`),
    }[of];
    return sql<{ readonly key: string; readonly position: number }>`
      select k.key, f.position from unnest(${value("keys")}::text[]) as k (key) cross join lateral (${first}) f`;
  },
);

/** A source of positions: which index, and the keys to look up in it. */
export type Source = { readonly of: SourceShape["of"]; readonly keys: readonly string[] };
