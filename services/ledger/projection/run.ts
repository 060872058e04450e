// Feeding the read tables: every generation that is shown or kept ready is brought to the log's head.
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "postgres";
import { isServerTrouble } from "#ledger/log/failure.ts";
import { readHead } from "#ledger/log/read.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { quarantineFirstFailure } from "#ledger/projection/quarantine.ts";
import type { Feed } from "#ledger/projection/step.ts";
import { isOvertaken, stepTogether } from "#ledger/projection/step.ts";

/** The most events one live transaction takes: long enough to be set-based, short enough to hold nobody up. */
const MAX_STEP = 20_000;
/** The longest rest between two steps; nobody waits longer for it, however much is written. */
const MAX_REST_MS = 50;
/** Shorter rests gain nothing. */
const MIN_REST_MS = 4;

export type RunnerOptions = {
  readonly sql: Sql;
  readonly projections: readonly Projection[];
  /** Told when a row key was set aside; the shop goes on, a person must look. */
  readonly onQuarantine?: (projection: string, keys: readonly string[], atPosition: number) => void;
  /** Told after each step how far the read tables are. */
  readonly onReached?: (position: number) => void;
};

async function readFeeds(options: RunnerOptions): Promise<Feed[]> {
  const [generations, quarantine] = await Promise.all([
    readGenerations(options.sql),
    options.sql<{ projection: string; generation: number; key: string }[]>`
      select projection, generation, key from read.quarantine order by projection, generation, key`,
  ]);
  return generations.flatMap((generation) => {
    const projection = options.projections.find((entry) => entry.name === generation.name);
    // A previous generation of another version is fed by the program that knows its step, if any runs.
    if (
      projection === undefined ||
      generation.state === "building" ||
      generation.version !== projection.version
    ) {
      return [];
    }
    const quarantined = quarantine
      .filter(
        (entry) =>
          entry.projection === generation.name && entry.generation === generation.generation,
      )
      .map((entry) => entry.key);
    return [{ projection, generation, quarantined }];
  });
}

async function stepAlone(options: RunnerOptions, feed: Feed, through: number): Promise<void> {
  try {
    await stepTogether(options.sql, [feed], through);
  } catch (error) {
    if (isOvertaken(error) || isServerTrouble(error)) {
      throw error;
    }
    const { reached, keys } = await quarantineFirstFailure(options.sql, feed, through);
    if (keys.length > 0) {
      options.onQuarantine?.(feed.projection.name, keys, reached + 1);
    }
  }
}

/**
 * How long to rest after a step. A step costs much the same for one event as for a hundred, so a busy log is
 * followed in fewer, larger ones, and leaves the machine to those who write; up to a few hundred events a
 * second there is no rest at all. Nor is there any for who is far behind.
 */
function restAfter(moved: number): number {
  const restMs = Math.min(MAX_REST_MS, moved / 2);
  return restMs < MIN_REST_MS || moved >= MAX_STEP ? 0 : restMs;
}

type Behind = { readonly head: number; readonly feeds: readonly Feed[] };

/** The feeds that the log's head is ahead of. */
async function findBehind(options: RunnerOptions): Promise<Behind> {
  const [head, feeds] = await Promise.all([readHead(options.sql), readFeeds(options)]);
  return {
    head: head.position,
    feeds: feeds.filter(({ generation }) => generation.position < head.position),
  };
}

/** One round: feeds that stand together move together. Returns how many events the longest step took. */
async function moveOnce(options: RunnerOptions, { head, feeds }: Behind): Promise<number> {
  let moved = 0;
  for (const [position, group] of Map.groupBy(feeds, ({ generation }) => generation.position)) {
    const through = Math.min(head, position + MAX_STEP);
    try {
      await stepTogether(options.sql, group, through);
    } catch (error) {
      if (isOvertaken(error) || isServerTrouble(error)) {
        throw error;
      }
      for (const feed of group) {
        await stepAlone(options, feed, through);
      }
    }
    moved = Math.max(moved, through - position);
    options.onReached?.(through);
  }
  return moved;
}

export type ProjectionRunner = {
  /** Brings all read tables to the head; calls that come meanwhile share one more round. */
  readonly catchUp: () => Promise<void>;
};

/** A runner; any number of them may run, in any number of processes. */
export function createRunner(options: RunnerOptions): ProjectionRunner {
  let running: Promise<void> | undefined;
  let again = false;

  // The next step is not taken before this moment.
  let restUntil = 0;

  /** Brings everything to the head as it is found, and again while there is more. */
  async function reachHead(): Promise<void> {
    for (;;) {
      let behind = await findBehind(options);
      const restMs = restUntil - performance.now();
      if (behind.feeds.length > 0 && restMs > 0) {
        await delay(restMs);
        behind = await findBehind(options);
      }
      if (behind.feeds.length === 0) {
        return;
      }
      const moved = await moveOnce(options, behind);
      restUntil = performance.now() + restAfter(moved);
    }
  }

  async function run(): Promise<void> {
    try {
      do {
        again = false;
        try {
          await reachHead();
        } catch (error) {
          if (!isOvertaken(error)) {
            throw error;
          }
          again = true;
        }
      } while (again);
    } finally {
      running = undefined;
    }
  }

  return {
    catchUp() {
      if (running === undefined) {
        running = run();
      } else {
        again = true;
      }
      return running;
    },
  };
}
