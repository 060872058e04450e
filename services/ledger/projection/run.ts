// Feeds the read tables: brings every generation that is shown or kept ready to the log's head.
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
import type { Step } from "#ledger/projection/round.ts";
import { planRound, restAfter } from "#ledger/projection/round.ts";
import type { Feed, StepCommit } from "#ledger/projection/step.ts";
import { isOvertaken, lowestPosition, stepTogether } from "#ledger/projection/step.ts";
import { isOneStatement, stepInOneStatement } from "#ledger/projection/step-function.ts";
import { createUpcasts } from "#ledger/projection/upcasts.ts";

/** How long a feed pauses after a failure that no key caused, such as a step with invalid SQL. */
const STUCK_MS = 5_000;

export type RunnerOptions = {
  readonly sql: Sql;
  readonly projections: readonly Projection[];
  /** What this program knows: it stops before an event of another type or a newer version. */
  readonly events: EventRegister;
  /** `local` if a standby is read from; `off` by default. */
  readonly commit?: StepCommit;
  /**
   * Tables from before a flip cost as much to feed as the shown ones, and nobody sees them. A worker feeds them by a
   * runner of their own, so that the shown ones do not wait. All by default.
   */
  readonly which?: "all" | "without previous" | "previous";
  /** Called when row keys were held back; the shop goes on, but a person must look at it. */
  readonly onHeld?: (news: HeldNews) => void;
  /** Called after each step with the position of the read tables. */
  readonly onReached?: (position: number) => void;
  /** Once it is aborted, a rest ends at once and no step begins. */
  readonly signal?: AbortSignal;
};

/** Nobody waits for tables from before a flip, so each step is followed by a pause that is this many times as long. */
const PREVIOUS_REST = 2;

/** False if one of the feeds failed: then they are at different positions. */
async function take(
  options: RunnerOptions,
  { behind, stuck }: { readonly behind: Behind; readonly stuck: StuckFeeds },
  { feeds, through }: Pick<Step, "feeds" | "through">,
): Promise<boolean> {
  const { older } = behind;
  try {
    const goal = { through, older, commit: options.commit ?? "off" };
    const step = isOneStatement(options.sql, feeds, goal) ? stepInOneStatement : stepTogether;
    await step(options.sql, feeds, goal);
    return true;
  } catch (error) {
    if (isOvertaken(error) || isNoFaultOfData(error)) {
      throw error;
    }
    await stepEach(options, { ...behind, feeds, through }, stuck);
    return false;
  }
}

/** One round. */
async function moveOnce(options: RunnerOptions, behind: Behind, stuck: StuckFeeds): Promise<void> {
  const round = planRound(behind, options.which === "previous" ? "previous" : "shown");
  if (round === undefined) {
    return;
  }
  const { front } = round;
  const together = [...front.feeds];
  for (const step of round.behind) {
    const isMoved = await take(options, { behind, stuck }, step);
    if (isMoved && step.through === front.from) {
      together.push(...step.feeds.map((feed) => at(feed, front.from)));
    }
    options.onReached?.(step.through);
  }
  await take(options, { behind, stuck }, { feeds: together, through: front.through });
  options.onReached?.(front.through);
}

async function restUnless(signal: AbortSignal | undefined, ms: number): Promise<void> {
  try {
    await delay(ms, undefined, signal && { signal });
  } catch (error) {
    if (signal?.aborted !== true) {
      throw error;
    }
  }
}

/** How many events there were to apply. */
function movedBy({ feeds, through }: Behind): number {
  return through - lowestPosition(feeds);
}

function at(feed: Feed, position: number): Feed {
  return { ...feed, generation: { ...feed.generation, position } };
}

/** Runs feeds that failed together one by one; those that still fail are paused for a while. */
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
   * Brings all read tables to the head; calls that arrive while it runs share one more round. Throws NewerEventError
   * when the next event is not known to this program, and NewerUpcastError when a newer program has upcast older
   * events to a version that this one does not know.
   */
  readonly catchUp: () => Promise<void>;
};

/** Creates a runner; any number of them may run, in any number of processes. */
export function createRunner(options: RunnerOptions): ProjectionRunner {
  let running: Promise<void> | undefined;
  let again = false;

  const stuck: StuckFeeds = new Map();
  const upcasts = createUpcasts(options.sql, options.events);
  const findBehind = createFinder(options, stuck, upcasts);
  // The next step starts no earlier than this.
  let restUntil = 0;
  const { which = "all", signal } = options;

  /** The same for the tables that this runner feeds. */
  async function findDue(): Promise<Behind> {
    const behind = await findBehind();
    const feeds = behind.feeds.filter(
      ({ generation }) =>
        which === "all" || (generation.state === "previous") === (which === "previous"),
    );
    return { ...behind, feeds };
  }

  /** Brings everything to the current head, and repeats while there is more. */
  async function reachHead(): Promise<void> {
    for (;;) {
      // What is written during the rest is part of the next step.
      const restMs = restUntil - performance.now();
      if (restMs > 0) {
        await restUnless(signal, restMs);
      }
      if (signal?.aborted === true) {
        return;
      }
      const behind = await findDue();
      if (behind.feeds.length === 0) {
        if (behind.newer !== undefined) {
          throw new NewerEventError(behind.newer);
        }
        if (behind.stuckBy !== undefined) {
          throw behind.stuckBy;
        }
        return;
      }
      const startedAt = performance.now();
      await moveOnce(options, behind, stuck);
      const now = performance.now();
      const ms = now - startedAt;
      restUntil =
        now +
        (which === "previous"
          ? PREVIOUS_REST * ms
          : restAfter({ events: movedBy(behind), ms, isRebuilding: behind.isRebuilding }));
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
