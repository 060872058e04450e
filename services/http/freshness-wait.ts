// The waiting behind read-your-own-writes: one loop looks at the checkpoints for every read that waits.
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
  /** The primary's: the head at a read's arrival is always this one. */
  readonly readCheckpoints: ReadCheckpoints;
  /** The standby's; null while it must not be read from. Without one all reads go to the primary. */
  readonly readStandby?: () => Promise<Checkpoints | null>;
  /** How long a read waits for the standby once the primary's tables are there. */
  readonly standbyPatienceMs?: number;
  /** Told where each read goes. */
  readonly onRead?: (source: ReadSource) => void;
  /** Tells the workers that somebody waits. A failure must stay its own. */
  readonly wakeUp: () => void;
  /** Asked only while row keys are held back. */
  readonly held: HeldLookup;
  /** How long a read that names a position waits for it. */
  readonly positionTimeoutMs?: number;
  /** How long a read without one waits for the head at its arrival. */
  readonly headTimeoutMs?: number;
};

type Waiter = {
  readonly projections: readonly string[];
  /** The position to reach; unknown until the first look when it is the head at arrival. */
  target: number | undefined;
  readonly namesPosition: boolean;
  readonly mayReadStandby: boolean;
  /** When the primary's tables were first seen at the target. */
  primaryThereAt: number | undefined;
  readonly giveUpAt: number;
  readonly resolve: (reached: Reached) => void;
  readonly reject: (error: unknown) => void;
};

const LOOK_AGAIN_AFTER_MS = 3;
const WAKE_AGAIN_AFTER_MS = 50;

/** The loop runs only while somebody waits; a new waiter is looked after at once. */
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
    // After this tick, so that all reads of the tick share the look.
    setImmediate(() => void look());
  }

  async function look(): Promise<void> {
    // Who arrives while the query runs needs a younger head than it may see.
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
    wait(projections, position, mayReadStandby = true) {
      const { promise, resolve, reject } = Promise.withResolvers<Reached>();
      const timeoutMs = position === undefined ? headTimeoutMs : positionTimeoutMs;
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

/** Answers one waiter by what a look found: true when it has its answer. */
function createSettle(options: FreshnessOptions): (waiter: Waiter, sighting: Sighting) => boolean {
  const { standbyPatienceMs = 100, onRead } = options;
  // What reads of the primary have shown: the standby must have it too, or a list would go back in time.
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

/** True when the waiter names a position that the log does not have, and has heard so. */
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
