// Finds the read tables that are behind the log, as far as this program knows its events, and those that are paused.
import type { Sql } from "postgres";
import type { EventRegister } from "#ledger/log/read.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { createFeedReader } from "#ledger/projection/feeds.ts";
import type { NewerEvent } from "#ledger/projection/newer-events.ts";
import { knownThrough, readKnownHead } from "#ledger/projection/newer-events.ts";
import type { OlderEvents } from "#ledger/projection/sources.ts";
import type { Feed } from "#ledger/projection/step.ts";
import { StuckTables } from "#ledger/projection/stuck-tables.ts";
import type { Upcasts } from "#ledger/projection/upcasts.ts";

/** Feeds whose steps fail, by name, and why: they are paused for a while, so that others are not delayed. */
export type StuckFeeds = Map<string, { readonly error: unknown; readonly until: number }>;

export type Behind = {
  readonly through: number;
  readonly feeds: readonly Feed[];
  readonly isRebuilding: boolean;
  /** The older events in the log up to there; each has its row in read.upcast_events. */
  readonly older: OlderEvents;
  /** The event at which this program has to stop. */
  readonly newer: NewerEvent | undefined;
  /** One of the paused feeds, a shown one first; undefined if there is none. */
  readonly stuckBy: StuckTables | undefined;
};

export function nameOfFeed({ generation }: Feed): string {
  return `${generation.name} ${generation.generation}`;
}

function stuckIn(paused: readonly Feed[], stuck: StuckFeeds): StuckTables | undefined {
  const feed = paused.find(({ generation }) => generation.state === "live") ?? paused.at(0);
  return feed && new StuckTables(feed.generation, stuck.get(nameOfFeed(feed))?.error);
}

/** Finds the feeds that are behind the log's head, as far as its events are known. */
export function createFinder(
  options: {
    readonly sql: Sql;
    readonly projections: readonly Projection[];
    readonly events: EventRegister;
  },
  stuck: StuckFeeds,
  upcasts: Upcasts,
): () => Promise<Behind> {
  const readFeeds = createFeedReader(options.sql, options.projections);
  // Every event up to here is known; the log never changes, so none is checked twice.
  let knownUpTo: number | undefined;

  async function lowestPosition(): Promise<number> {
    const { feeds } = await readFeeds();
    const positions = feeds.map(({ generation }) => generation.position);
    return positions.length === 0 ? 0 : Math.min(...positions);
  }

  return async () => {
    knownUpTo ??= await lowestPosition();
    const [found, { feeds, isRebuilding }] = await Promise.all([
      readKnownHead(options.sql, options.events, knownUpTo),
      readFeeds(),
    ]);
    const through = knownThrough(found);
    const older = await upcasts.bringTo(through, { after: knownUpTo, hasOlder: found.hasOlder });
    knownUpTo = through;
    const now = performance.now();
    const isLeftAlone = (feed: Feed) => (stuck.get(nameOfFeed(feed))?.until ?? 0) > now;
    const behind = feeds.filter(({ generation }) => generation.position < through);
    return {
      through,
      older,
      newer: found.newer,
      isRebuilding,
      feeds: behind.filter((feed) => !isLeftAlone(feed)),
      stuckBy: stuckIn(behind.filter(isLeftAlone), stuck),
    };
  };
}
