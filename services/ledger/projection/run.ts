// Feeding the read tables: every generation that is shown or kept ready is brought to the log's head.
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "postgres";
import { isNoFaultOfData, isUpcastMissing } from "#ledger/log/failure.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import type { Behind, StuckFeeds } from "#ledger/projection/behind.ts";
import { createFinder, nameOfFeed } from "#ledger/projection/behind.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { NewerEventError } from "#ledger/projection/newer-events.ts";
import type { HeldNews } from "#ledger/projection/quarantine.ts";
import { stepPastFailures } from "#ledger/projection/quarantine.ts";
import type { StepCommit } from "#ledger/projection/step.ts";
import { isOvertaken, stepTogether } from "#ledger/projection/step.ts";
import { createUpcasts } from "#ledger/projection/upcasts.ts";

/** The most events one live transaction takes: long enough to be set-based, short enough to hold nobody up. */
const MAX_STEP = 20_000;
/** The longest rest between two steps; nobody waits longer for it, however much is written. */
const MAX_REST_MS = 50;
/** Shorter rests gain nothing. */
const MIN_REST_MS = 4;
/** How long a feed is left alone that fails for no key's fault, such as a step that is no SQL. */
const STUCK_MS = 5_000;

export type RunnerOptions = {
  readonly sql: Sql;
  readonly projections: readonly Projection[];
  /** What this program knows: it stops before an event of another type or a newer version. */
  readonly events: EventRegister;
  /** `local` where a standby is read from; `off` unless said otherwise. */
  readonly commit?: StepCommit;
  /** Told when row keys were held back; the shop goes on, a person must look. */
  readonly onHeld?: (news: HeldNews) => void;
  /** Told after each step how far the read tables are. */
  readonly onReached?: (position: number) => void;
};

/**
 * How long to rest after a step. A step costs much the same for one event as for a hundred, so a busy log is
 * followed in fewer, larger ones, and leaves the machine to those who write; up to a few hundred events a
 * second there is no rest at all. Nor is there any for who is far behind.
 */
function restAfter(moved: number): number {
  const restMs = Math.min(MAX_REST_MS, moved / 2);
  return restMs < MIN_REST_MS || moved >= MAX_STEP ? 0 : restMs;
}

/** One round: feeds that stand together move together. Returns how many events the longest step took. */
async function moveOnce(
  options: RunnerOptions,
  behind: Behind,
  stuck: StuckFeeds,
): Promise<number> {
  let moved = 0;
  for (const [position, group] of Map.groupBy(
    behind.feeds,
    ({ generation }) => generation.position,
  )) {
    const through = Math.min(behind.through, position + MAX_STEP);
    try {
      await stepTogether(options.sql, group, {
        through,
        older: behind.older,
        commit: options.commit ?? "off",
      });
    } catch (error) {
      if (isOvertaken(error) || isNoFaultOfData(error)) {
        throw error;
      }
      await stepEach(options, { ...behind, feeds: group, through }, stuck);
    }
    moved = Math.max(moved, through - position);
    options.onReached?.(through);
  }
  return moved;
}

/** Feeds that could not move together, each by itself; those that cannot move at all are left alone for a while. */
async function stepEach(
  options: RunnerOptions,
  { feeds, through, older }: Behind,
  stuck: StuckFeeds,
): Promise<void> {
  for (const feed of feeds) {
    try {
      await stepPastFailures(
        options.sql,
        feed,
        { through, older, commit: options.commit ?? "off" },
        options.onHeld,
      );
    } catch (error) {
      if (isOvertaken(error) || isNoFaultOfData(error)) {
        throw error;
      }
      stuck.set(nameOfFeed(feed), { error, until: performance.now() + STUCK_MS });
    }
  }
}

export type ProjectionRunner = {
  /**
   * Brings all read tables to the head; calls that come meanwhile share one more round. Throws NewerEventError
   * when they stand before an event that this program does not know, and NewerUpcastError when a newer program has
   * upcast older events further than this one knows.
   */
  readonly catchUp: () => Promise<void>;
};

/** A runner; any number of them may run, in any number of processes. */
export function createRunner(options: RunnerOptions): ProjectionRunner {
  let running: Promise<void> | undefined;
  let again = false;

  const stuck: StuckFeeds = new Map();
  const upcasts = createUpcasts(options.sql, options.events);
  const findBehind = createFinder(options, stuck, upcasts);
  // The next step is not taken before this moment.
  let restUntil = 0;

  /** Brings everything to the head as it is found, and again while there is more. */
  async function reachHead(): Promise<void> {
    for (;;) {
      let behind = await findBehind();
      const restMs = restUntil - performance.now();
      if (behind.feeds.length > 0 && restMs > 0) {
        await delay(restMs);
        behind = await findBehind();
      }
      if (behind.feeds.length === 0) {
        if (behind.newer !== undefined) {
          throw new NewerEventError(behind.newer);
        }
        if (behind.stuckBy !== undefined) {
          throw behind.stuckBy;
        }
        return;
      }
      const moved = await moveOnce(options, behind, stuck);
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
          if (isUpcastMissing(error)) {
            upcasts.doubt();
          } else if (!isOvertaken(error)) {
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
