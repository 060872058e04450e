// Finds the events of a page among millions: each filter has an ordered source of positions, the others are checked.
import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { ValueOf } from "#http/statement.ts";
import { statement, statements } from "#http/statement.ts";
import { numberArray, textArray } from "#ledger/log/encode.ts";
import { auditEventsTable, auditPeopleTable } from "#features/audit/projection.ts";
import { availableAccount, payoutsAccount } from "#features/accounts/streams.ts";

/** What free text was resolved to; an event that has any of it matches. */
export type Sought = {
  readonly streams: readonly string[];
  readonly uids: readonly string[];
  readonly cents: readonly number[];
  readonly positions: readonly number[];
};

/** All must match. */
export type AuditFilters = {
  /** Only events that touch this person. */
  readonly person: string | null;
  /** An event must extend each of these. */
  readonly streams: readonly string[];
  /** Empty for all. */
  readonly types: readonly string[];
  readonly actor: string | null;
  /** Null without free text. */
  readonly sought: Sought | null;
  /** True if amounts are sought only among the person's own postings. */
  readonly isOwn: boolean;
};

export type Order = "newest" | "oldest";

/** Positions between these two, without them. */
export type Bounds = { readonly after: number; readonly before: number };

/** A page's positions in its order, and where the next page begins; null on the last page. */
export type Found = { readonly positions: readonly number[]; readonly next: number | null };

/**
 * How many positions one request checks at most. If the filters match less often than that, the page has few events
 * or none, and a cursor: so no combination of filters makes a request slow.
 */
const MOST_CHECKED = 2_000;

/** More types than this are checked event by event. */
const FEW_TYPES = 8;

type SourceValues = {
  /** `{a,b}` */
  readonly keys: string;
  readonly after: number;
  readonly before: number;
  readonly limit: number;
};

type SourceShape = {
  readonly of: "all" | "streams" | "people" | "types" | "actors" | "cents" | "share-cents";
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
const readSource = statements(
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
type Source = { readonly of: SourceShape["of"]; readonly keys: readonly string[] };

type CheckShape = {
  readonly person: boolean;
  readonly streams: boolean;
  readonly types: boolean;
  readonly actor: boolean;
  readonly sought: boolean;
  readonly isOwn: boolean;
  readonly order: Order;
};

type CheckValues = {
  readonly candidates: string;
  readonly person: string;
  readonly streams: string;
  readonly streamCount: number;
  readonly types: string;
  readonly actor: string;
  readonly soughtStreams: string;
  readonly soughtUids: string;
  readonly soughtCents: string;
  readonly soughtPositions: string;
  readonly accounts: string;
};

/**
 * Which of the candidates match. Each condition is a subquery with a limit, so that it looks up the candidate in an
 * index: a plan that reads everything of a busy account or item would be a hundred times slower.
 */
const check = statements((_reads: Reads, value: ValueOf<CheckValues>, shape: CheckShape) => {
  const people = nameOfTable(auditPeopleTable);
  const cents = value("soughtCents");
  const found = (from: RawBuilder<unknown>) => sql`(select true ${from} limit 1)`;
  const hasAmount = shape.isOwn
    ? found(sql`from log.postings o where o.position = a.position and o.cents = any (${cents}::bigint[])
        and (o.from_account = any (${value("accounts")}::text[]) or o.to_account = any (${value("accounts")}::text[]))`)
    : sql`a.cents = any (${cents}::bigint[]) or a.share_cents = any (${cents}::bigint[])`;
  // The empty text keeps the planner from the index of streams.
  const streamsAt = sql`from log.event_streams s where s.position = a.position and s.stream_id || ''`;
  const conditions = {
    person: found(
      sql`from ${people} p where p.uid = ${value("person")} and p.position = a.position`,
    ),
    streams: sql`(select count(*) ${streamsAt} = any (${value("streams")}::text[])) = ${value("streamCount")}::bigint`,
    types: sql`a.type = any (${value("types")}::text[])`,
    actor: sql`a.actor = ${value("actor")}`,
    sought: sql`(a.position = any (${value("soughtPositions")}::bigint[]) or ${hasAmount}
      or ${found(sql`${streamsAt} = any (${value("soughtStreams")}::text[])`)}
      or ${found(sql`from ${people} p where p.position = a.position and p.uid = any (${value("soughtUids")}::text[])`)})`,
  };
  const wanted = [
    sql`true`,
    ...(shape.person ? [conditions.person] : []),
    ...(shape.types ? [conditions.types] : []),
    ...(shape.actor ? [conditions.actor] : []),
    ...(shape.streams ? [conditions.streams] : []),
    ...(shape.sought ? [conditions.sought] : []),
  ];
  const direction = shape.order === "newest" ? sql`desc` : sql`asc`;
  return sql<{ readonly position: number }>`
    select a.position from ${nameOfTable(auditEventsTable)} a
    where a.position = any (${value("candidates")}::bigint[]) and ${sql.join(wanted, sql` and `)}
    order by a.position ${direction}`;
});

/** Where the page's positions come from, and what is left to check of each. */
type Plan = {
  readonly sources: readonly Source[];
  /** Positions that match by themselves. */
  readonly positions: readonly number[];
  readonly shape: Omit<CheckShape, "order">;
};

function sourcesOfText({ streams, uids, cents }: Sought): Source[] {
  const amounts = cents.map(String);
  const sources: readonly Source[] = [
    { of: "streams", keys: streams },
    { of: "people", keys: uids },
    { of: "cents", keys: amounts },
    { of: "share-cents", keys: amounts },
  ];
  return sources.filter(({ keys }) => keys.length > 0);
}

const readOwnStreams = statement(
  (_reads, value: ValueOf<{ readonly streams: string; readonly uid: string }>) => sql<{
    readonly stream: string;
  }>`
    select k.name as stream from unnest(${value("streams")}::text[]) as k (name)
    where exists (
      select from log.event_streams s
      join ${nameOfTable(auditPeopleTable)} p on p.uid = ${value("uid")} and p.position = s.position
      where s.stream_id = k.name and s.version = 1)`,
);

/**
 * Whether somebody's own events are found through the streams that are asked for: only if all of them began with this
 * person. The cursors of any other stream would tell when something happened to what belongs to others.
 */
async function mayFollowStreams(reads: Reads, filters: AuditFilters): Promise<boolean> {
  const { person, streams, sought, isOwn } = filters;
  const all = [...new Set([...streams, ...(sought?.streams ?? [])])];
  if (!isOwn || person === null || all.length === 0) {
    return true;
  }
  const own = await readOwnStreams(reads, { streams: textArray(all), uid: person });
  return own.length === all.length;
}

/** The narrowest filter gives the positions: a thing, then free text, a person, an actor, a few types. */
function planOf(filters: AuditFilters, followsStreams: boolean): Plan {
  const { person, streams, types, actor, sought, isOwn } = filters;
  const shape = {
    person: person !== null,
    streams: streams.length > 1,
    types: types.length > 0,
    actor: actor !== null,
    sought: sought !== null,
    isOwn,
  };
  if (person !== null && !followsStreams) {
    const sources = [{ of: "people", keys: [person] }] as const;
    const checked = { ...shape, person: false, streams: streams.length > 0 };
    return { sources, positions: [], shape: checked };
  }
  const [stream] = streams;
  if (stream !== undefined) {
    return { sources: [{ of: "streams", keys: [stream] }], positions: [], shape };
  }
  // The index of amounts has those of everybody.
  if (sought !== null && !(isOwn && sought.cents.length > 0)) {
    const positions = sought.positions;
    return { sources: sourcesOfText(sought), positions, shape: { ...shape, sought: false } };
  }
  if (person !== null) {
    const sources = [{ of: "people", keys: [person] }] as const;
    return { sources, positions: [], shape: { ...shape, person: false } };
  }
  if (actor !== null) {
    const sources = [{ of: "actors", keys: [actor] }] as const;
    return { sources, positions: [], shape: { ...shape, actor: false } };
  }
  if (types.length > 0 && types.length <= FEW_TYPES) {
    return {
      sources: [{ of: "types", keys: types }],
      positions: [],
      shape: { ...shape, types: false },
    };
  }
  return { sources: [{ of: "all", keys: [""] }], positions: [], shape };
}

/** The next positions of all sources together, and up to where they are complete; null once there are no more. */
async function nextOf(
  reads: Reads,
  { sources, positions }: Plan,
  order: Order,
  bounds: Bounds,
  limit: number,
): Promise<{ readonly positions: readonly number[]; readonly through: number | null }> {
  const { after, before } = bounds;
  const lists = await Promise.all(
    sources.map(async ({ of, keys }) => {
      const rows = await readSource(
        reads,
        { of, order },
        { keys: textArray(keys), after, before, limit },
      );
      return [...Map.groupBy(rows, ({ key }) => key).values()];
    }),
  );
  const full = lists.flat().filter((rows) => rows.length === limit);
  const ends = full.map((rows) => rows.at(-1)?.position ?? 0);
  const isNewest = order === "newest";
  const through = ends.length === 0 ? null : isNewest ? Math.max(...ends) : Math.min(...ends);
  const isWithin = (position: number) =>
    position > after &&
    position < before &&
    (through === null || (isNewest ? position >= through : position <= through));
  const all = new Set([...lists.flat(2).map(({ position }) => position), ...positions]);
  return {
    positions: [...all].filter(isWithin).sort((a, b) => (isNewest ? b - a : a - b)),
    through,
  };
}

function valuesOf(filters: AuditFilters, candidates: readonly number[]): CheckValues {
  const { person, streams, types, actor, sought } = filters;
  const own = person === null ? [] : [availableAccount.of(person), payoutsAccount.of(person)];
  return {
    candidates: numberArray(candidates),
    person: person ?? "",
    streams: textArray(streams),
    streamCount: streams.length,
    types: textArray(types),
    actor: actor ?? "",
    soughtStreams: textArray(sought?.streams ?? []),
    soughtUids: textArray(sought?.uids ?? []),
    soughtCents: numberArray(sought?.cents ?? []),
    soughtPositions: numberArray(sought?.positions ?? []),
    accounts: textArray(own),
  };
}

/** The first `limit` events that match, in the order. */
export async function findPositions(
  reads: Reads,
  filters: AuditFilters,
  order: Order,
  bounds: Bounds,
  limit: number,
): Promise<Found> {
  const plan = planOf(filters, await mayFollowStreams(reads, filters));
  // Without free text there may still be positions alone, which no other row vouches for.
  const { isOwn: _isOwn, ...checked } = plan.shape;
  const needsCheck = Object.values(checked).some(Boolean) || plan.positions.length > 0;
  const found: number[] = [];
  let rest = bounds;
  let taken = 0;
  for (let size = limit + 1; ; size = Math.min(size * 4, Math.max(MOST_CHECKED - taken, 1))) {
    const { positions, through } = await nextOf(reads, plan, order, rest, size);
    taken += positions.length;
    const matching = needsCheck
      ? (await check(reads, { ...plan.shape, order }, valuesOf(filters, positions))).map(
          ({ position }) => position,
        )
      : positions;
    found.push(...matching);
    if (found.length > limit) {
      return { positions: found.slice(0, limit), next: found[limit - 1] ?? null };
    }
    if (through === null) {
      return { positions: found, next: null };
    }
    if (taken >= MOST_CHECKED) {
      return { positions: found, next: through };
    }
    rest = order === "newest" ? { ...rest, before: through } : { ...rest, after: through };
  }
}

const readPositionAt = statements(
  (_reads: Reads, value: ValueOf<{ readonly instant: string }>, _shape: { readonly of: "time" }) =>
    sql<{ readonly position: number }>`
      with recursive halving (low, high) as (
        select 0::bigint, coalesce((select max(position) from log.events), 0)
        union all
        select case when e.recorded_at < ${value("instant")}::text::timestamptz then e.position else h.low end,
          case when e.recorded_at < ${value("instant")}::text::timestamptz then h.high else e.position - 1 end
        from halving h join log.events e on e.position = (h.low + h.high + 1) / 2
        where h.low < h.high)
      select low as position from halving where low = high limit 1`,
);

/** The last position recorded before an instant (0 for none), by binary search: the log is in the order of recording. */
export async function lastPositionBefore(reads: Reads, instant: string): Promise<number> {
  const [row] = await readPositionAt(reads, { of: "time" }, { instant });
  return row?.position ?? 0;
}
