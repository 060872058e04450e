// Finds the events of a page among millions: each filter has an ordered source of positions, the others are checked.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import type { ValueOf } from "#http/statement.ts";
import { statement } from "#http/statement.ts";
import { textArray } from "#ledger/log/encode.ts";
import { auditPeopleTable } from "#features/audit/projection.ts";
import type { AuditFilters, CheckShape, Sought } from "#features/audit/search-check.ts";
import { matchingOf } from "#features/audit/search-check.ts";
import type { Order, Source } from "#features/audit/search-source.ts";
import { readSource } from "#features/audit/search-source.ts";

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

/** The narrowest filter gives the positions: a thing, then free text, a person, own entries, an actor, a few types. */
function planOf(filters: AuditFilters, followsStreams: boolean): Plan {
  const { person, streams, types, actor, account, ownEntries, sought, isOwn } = filters;
  const shape = {
    person: person !== null,
    streams: streams.length > 1,
    types: types.length > 0,
    actor: actor !== null,
    account: account !== null,
    ownEntries,
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
  if (ownEntries) {
    const sources = [{ of: "own-entries", keys: [""] }] as const;
    return { sources, positions: [], shape: { ...shape, ownEntries: false } };
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
      ? await matchingOf(reads, { ...plan.shape, order }, filters, positions)
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
