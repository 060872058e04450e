// Feeding the read tables: every generation that is shown or kept ready is brought to the log's head.
import type { Sql } from "postgres";
import { isConnectionFailure } from "#ledger/log/failure.ts";
import { readHead } from "#ledger/log/read.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { quarantineFirstFailure } from "#ledger/projection/quarantine.ts";
import type { Feed } from "#ledger/projection/step.ts";
import { isOvertaken, stepTogether } from "#ledger/projection/step.ts";

/** The most events one live transaction takes: long enough to be set-based, short enough to hold nobody up. */
const MAX_STEP = 20_000;

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
    if (isOvertaken(error) || isConnectionFailure(error)) {
      throw error;
    }
    const { reached, keys } = await quarantineFirstFailure(options.sql, feed, through);
    if (keys.length > 0) {
      options.onQuarantine?.(feed.projection.name, keys, reached + 1);
    }
  }
}

/** One round: feeds that stand together move together. Returns false when all stood at the head already. */
async function catchUpOnce(options: RunnerOptions): Promise<boolean> {
  const [head, feeds] = await Promise.all([readHead(options.sql), readFeeds(options)]);
  const groups = Map.groupBy(
    feeds.filter((feed) => feed.generation.position < head.position),
    (feed) => feed.generation.position,
  );
  for (const [position, group] of groups) {
    const through = Math.min(head.position, position + MAX_STEP);
    try {
      await stepTogether(options.sql, group, through);
    } catch (error) {
      if (isOvertaken(error) || isConnectionFailure(error)) {
        throw error;
      }
      for (const feed of group) {
        await stepAlone(options, feed, through);
      }
    }
    options.onReached?.(through);
  }
  return groups.size > 0;
}

export type ProjectionRunner = {
  /** Brings all read tables to the head; calls that come meanwhile share one more round. */
  readonly catchUp: () => Promise<void>;
};

/** A runner; any number of them may run, in any number of processes. */
export function createRunner(options: RunnerOptions): ProjectionRunner {
  let running: Promise<void> | undefined;
  let again = false;

  async function run(): Promise<void> {
    try {
      do {
        again = false;
        try {
          while (await catchUpOnce(options)) {
            // Under load new events have come meanwhile; the loop ends at the head.
          }
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
