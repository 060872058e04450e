// Lets only a few expensive reads run at once. The person who has read least is served first, so that short reads do not wait for long ones.
import { HttpError } from "#http/errors.ts";
import { readGently } from "#http/read-place.ts";
import { createUses } from "#http/read-use.ts";

export type Turns = {
  /**
   * Runs the work when it is this person's turn; its first `freeMs` do not count as used. Throws HttpError 400
   * `request_abandoned` if the signal comes first.
   */
  readonly take: <Result>(
    person: string,
    signal: AbortSignal,
    work: () => Promise<Result>,
    freeMs?: number,
  ) => Promise<Result>;
};

type Waiting = { readonly begin: () => void };

/** One more place is kept for those who read little. */
const KEPT_PLACES = 1;
/** After a read of somebody who reads much, its place rests for as long as the read took, but not longer than this. */
const MOST_REST_MS = 200;

export function createTurns(places: number, now: () => number = () => performance.now()): Turns {
  /** In the order in which the people were last served. */
  const queues = new Map<string, Set<Waiting>>();
  const uses = createUses(now);
  let running = 0;

  function serve(): void {
    for (;;) {
      const person = uses.least(queues.keys());
      if (person === undefined) {
        return;
      }
      const use = uses.of(person);
      const mayUseKept = use.running === 0 && uses.isLittle(person);
      if (running >= places + (mayUseKept ? KEPT_PLACES : 0)) {
        return;
      }
      const first = takeFirst(queues, person);
      if (first !== undefined) {
        running += 1;
        use.running += 1;
        first.begin();
      }
    }
  }

  async function wait(person: string, signal: AbortSignal): Promise<void> {
    const turn = Promise.withResolvers<void>();
    const queue = queues.get(person) ?? new Set();
    const waiting: Waiting = { begin: turn.resolve };
    const giveUp = (): void => {
      if (queue.delete(waiting)) {
        turn.reject(new HttpError(400, "request_abandoned", "The request was canceled"));
        if (queue.size === 0) {
          queues.delete(person);
        }
      }
    };
    queue.add(waiting);
    queues.set(person, queue);
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) {
      giveUp();
    }
    serve();
    await turn.promise.finally(() => signal.removeEventListener("abort", giveUp));
  }

  function end(person: string, ms: number, freeMs: number): void {
    const use = uses.of(person);
    use.ms += Math.max(0, ms - freeMs);
    use.running -= 1;
    const free = (): void => {
      running -= 1;
      serve();
    };
    if (uses.isLittle(person)) {
      free();
    } else {
      // The answer does not wait for this. Other requests get the processor first.
      setTimeout(free, Math.min(ms, MOST_REST_MS));
    }
  }

  return {
    async take(person, signal, work, freeMs = 0) {
      await wait(person, signal);
      const startedAt = now();
      try {
        return await (uses.isLittle(person) ? work() : readGently(work));
      } finally {
        end(person, now() - startedAt, freeMs);
      }
    },
  };
}

/** Those who wait with this person go to the end of the order. */
function takeFirst(queues: Map<string, Set<Waiting>>, person: string): Waiting | undefined {
  const queue = queues.get(person) ?? new Set();
  const [first] = queue;
  queues.delete(person);
  if (first !== undefined) {
    queue.delete(first);
  }
  if (queue.size > 0) {
    queues.set(person, queue);
  }
  return first;
}
