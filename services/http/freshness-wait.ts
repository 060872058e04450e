// The waiting behind read-your-own-writes: one loop looks at the checkpoints for every read that waits.
import type { Checkpoints, ReadCheckpoints } from "#http/checkpoints.ts";
import type { HeldLookup } from "#ledger/projection/held-lookup.ts";
import { badRequest } from "#http/errors.ts";
import type { Freshness, Reached } from "#http/freshness.ts";

export type FreshnessOptions = {
  readonly readCheckpoints: ReadCheckpoints;
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
  readonly giveUpAt: number;
  readonly resolve: (reached: Reached) => void;
  readonly reject: (error: unknown) => void;
};

const LOOK_AGAIN_AFTER_MS = 3;
const WAKE_AGAIN_AFTER_MS = 50;

/** The loop runs only while somebody waits; a new waiter is looked after at once. */
export function createFreshness(options: FreshnessOptions): Freshness {
  const { positionTimeoutMs = 2_000, headTimeoutMs = 250 } = options;
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
      const checkpoints = await options.readCheckpoints();
      const left = seen.filter((waiter) => !settle(waiter, checkpoints));
      wakeFor(left);
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
    wait(projections, position) {
      const { promise, resolve, reject } = Promise.withResolvers<Reached>();
      const timeoutMs = position === undefined ? headTimeoutMs : positionTimeoutMs;
      waiters.push({
        projections,
        target: position,
        namesPosition: position !== undefined,
        giveUpAt: performance.now() + timeoutMs,
        resolve,
        reject,
      });
      lookSoon();
      return promise;
    },
  };
}

/** True when the waiter has its answer. */
function settle(waiter: Waiter, { head, positions, held }: Checkpoints): boolean {
  if (waiter.namesPosition && waiter.target !== undefined && waiter.target > head) {
    waiter.reject(
      badRequest(
        "position_unknown",
        "Ledger-Position is beyond the end of the ledger",
        "Ledger-Position",
      ),
    );
    return true;
  }
  waiter.target ??= head;
  const reached = waiter.projections.map((name) => positions.get(name) ?? 0);
  const freshTo = Math.min(head, ...reached);
  const stale = freshTo < waiter.target;
  if (stale && performance.now() < waiter.giveUpAt) {
    return false;
  }
  const heldKeys = waiter.projections.reduce((sum, name) => sum + (held.get(name) ?? 0), 0);
  waiter.resolve({ freshTo, stale, held: heldKeys });
  return true;
}
