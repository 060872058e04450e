// The waiting for read-your-own-writes: one loop checks the checkpoints for all waiting reads.
import type { Checkpoints, ReadCheckpoints } from "#http/checkpoints.ts";
import type { HeldLookup } from "#ledger/projection/held-lookup.ts";
import { badRequest } from "#http/errors.ts";
import type { Freshness, Reached } from "#http/freshness.ts";
import {
  chooseSource,
  type ReadSource,
  type Sighting,
  type SourceChoice,
} from "#http/read-source.ts";

export type FreshnessOptions = {
  /** The primary's checkpoints: the head at a read's arrival is always the primary's. */
  readonly readCheckpoints: ReadCheckpoints;
  /** The standby's checkpoints; null while it must not be read from. Without a standby, all reads go to the primary. */
  readonly readStandby?: () => Promise<Checkpoints | null>;
  /** How long a read waits for the standby once the primary's tables are ready. */
  readonly standbyPatienceMs?: number;
  /** Called with where each read goes. */
  readonly onRead?: (source: ReadSource) => void;
  /** Tells the workers that a read waits. Must not throw. */
  readonly wakeUp: () => void;
  /** Called only while row keys are held back. */
  readonly held: HeldLookup;
  /** How long a read with a position waits for it, and a call that decides from the tables for the head. */
  readonly positionTimeoutMs?: number;
  /** How long a read without a position waits for the head at its arrival. */
  readonly headTimeoutMs?: number;
};

type Waiter = {
  readonly projections: readonly string[];
  /** The position to reach; if it is the head at arrival, it is unknown until the first check. */
  target: number | undefined;
  readonly namesPosition: boolean;
  readonly mayReadStandby: boolean;
  /** When the primary's tables had first reached the target. */
  primaryThereAt: number | undefined;
  readonly giveUpAt: number;
  readonly resolve: (reached: Reached) => void;
  readonly reject: (error: unknown) => void;
};

const LOOK_AGAIN_AFTER_MS = 3;
const WAKE_AGAIN_AFTER_MS = 50;

/** The loop runs only while reads wait; a new waiter is checked at once. */
export function createFreshness(options: FreshnessOptions): Freshness {
  const { positionTimeoutMs = 2_000, headTimeoutMs = 250 } = options;
  const readStandby = options.readStandby ?? (() => Promise.resolve(null));
  const settle = createSettle(options);
  let waiters: Waiter[] = [];
  let isLooking = false;
  let timer: NodeJS.Timeout | undefined;
  let wokenAt = Number.NEGATIVE_INFINITY;

  function lookSoon(): void {
    if (isLooking) {
      return;
    }
    clearTimeout(timer);
    isLooking = true;
    // After this tick, so that all reads of the tick share one check.
    setImmediate(() => void look());
  }

  async function look(): Promise<void> {
    // A read that arrives while the query runs needs a newer head than the query may see.
    const seen = waiters;
    waiters = [];
    try {
      const wantsStandby = seen.some(({ mayReadStandby }) => mayReadStandby);
      const [primary, standby] = await Promise.all([
        options.readCheckpoints(),
        wantsStandby ? readStandby() : null,
      ]);
      const left = seen.filter((waiter) => !settle(waiter, { primary, standby }));
      wakeFor(left.filter(({ primaryThereAt }) => primaryThereAt === undefined));
      const arrived = waiters.length > 0;
      waiters = [...left, ...waiters];
      lookAgain(arrived);
    } catch (error) {
      for (const { reject } of seen) {
        reject(error);
      }
      lookAgain(waiters.length > 0);
    }
  }

  function lookAgain(atOnce: boolean): void {
    isLooking = false;
    if (atOnce) {
      lookSoon();
    } else if (waiters.length > 0) {
      timer = setTimeout(lookSoon, LOOK_AGAIN_AFTER_MS);
    }
  }

  function wakeFor(left: readonly Waiter[]): void {
    const now = performance.now();
    if (left.length > 0 && now - wokenAt >= WAKE_AGAIN_AFTER_MS) {
      wokenAt = now;
      options.wakeUp();
    }
  }

  return {
    held: options.held,
    wait(projections, position, mayReadStandby = true, isPatient = false) {
      const { promise, resolve, reject } = Promise.withResolvers<Reached>();
      const timeoutMs = position === undefined && !isPatient ? headTimeoutMs : positionTimeoutMs;
      waiters.push({
        projections,
        target: position,
        namesPosition: position !== undefined,
        mayReadStandby,
        primaryThereAt: undefined,
        giveUpAt: performance.now() + timeoutMs,
        resolve,
        reject,
      });
      lookSoon();
      return promise;
    },
  };
}

/** Answers one waiter from the result of a check; true if it got its answer. */
function createSettle(options: FreshnessOptions): (waiter: Waiter, sighting: Sighting) => boolean {
  const { standbyPatienceMs = 100, onRead } = options;
  // The position that reads from the primary have shown: the standby must have it too, or a list would go back in time.
  let shownByPrimary = 0;
  return (waiter, { primary, standby }) => {
    if (refusesPosition(waiter, primary.head)) {
      return true;
    }
    const seen = { primary, standby: waiter.mayReadStandby ? standby : null };
    const choice = choiceFor(waiter, seen, shownByPrimary, standbyPatienceMs);
    if (choice.kind === "wait") {
      return false;
    }
    const { source, freshTo, stale, held } = choice;
    if (source === "primary") {
      shownByPrimary = Math.max(shownByPrimary, freshTo);
    }
    if (waiter.mayReadStandby) {
      onRead?.(source);
    }
    waiter.resolve({ source, freshTo, stale, held });
    return true;
  };
}

/** Rejects a waiter whose position is beyond the log; true if it did. */
function refusesPosition(waiter: Waiter, head: number): boolean {
  const isUnknown = waiter.namesPosition && waiter.target !== undefined && waiter.target > head;
  if (isUnknown) {
    waiter.reject(
      badRequest(
        "position_unknown",
        "Ledger-Position is beyond the end of the ledger",
        "Ledger-Position",
      ),
    );
  }
  return isUnknown;
}

function choiceFor(
  waiter: Waiter,
  seen: Sighting,
  shownByPrimary: number,
  patienceMs: number,
): SourceChoice {
  const now = performance.now();
  waiter.target ??= seen.primary.head;
  const choice = chooseSource(
    {
      projections: waiter.projections,
      target: waiter.target,
      shownByPrimary,
      isOverdue: now >= waiter.giveUpAt,
      mayAwaitStandby: now - (waiter.primaryThereAt ?? now) < patienceMs,
    },
    seen,
  );
  if (choice.kind === "wait" && choice.isPrimaryThere) {
    waiter.primaryThereAt ??= now;
  }
  return choice;
}
