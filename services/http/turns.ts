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

type PlaceKind = "common" | "kept";
type Waiting = { readonly begin: (place: PlaceKind) => void; readonly since: number };

/** One more place is kept for those who read little. */
const KEPT_PLACES = 1;
/** Who has waited this long goes before those who read less, because people whose reads count for nothing never run out. */
const MOST_WAIT_MS = 500;
/** After a read of somebody who reads much, its place rests for as long as the read took, but not longer than this. */
const MOST_REST_MS = 200;

export function createTurns(places: number, now: () => number = () => performance.now()): Turns {
  /** In the order in which the people were last served. */
  const queues = new Map<string, Set<Waiting>>();
  const uses = createUses(now);
  const free = { common: places, kept: KEPT_PLACES };

  /** Who gets the next place, and which; undefined if there is none, or nobody for it. */
  function next(): { readonly person: string; readonly place: PlaceKind } | undefined {
    const least = uses.least(queues.keys());
    if (least === undefined) {
      return undefined;
    }
    if (free.common > 0) {
      return { person: overdue(queues, now() - MOST_WAIT_MS) ?? least, place: "common" };
    }
    const mayUseKept = uses.of(least).running === 0 && uses.isLittle(least);
    return free.kept > 0 && mayUseKept ? { person: least, place: "kept" } : undefined;
  }

  function serve(): void {
    for (let turn = next(); turn !== undefined; turn = next()) {
      const { person, place } = turn;
      const first = takeFirst(queues, person);
      if (first !== undefined) {
        free[place] -= 1;
        uses.of(person).running += 1;
        first.begin(place);
      }
    }
  }

  async function wait(person: string, signal: AbortSignal): Promise<PlaceKind> {
    const turn = Promise.withResolvers<PlaceKind>();
    const queue = queues.get(person) ?? new Set();
    const waiting: Waiting = { begin: turn.resolve, since: now() };
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
    return turn.promise.finally(() => signal.removeEventListener("abort", giveUp));
  }

  function end(person: string, place: PlaceKind, ms: number, freeMs: number): void {
    const use = uses.of(person);
    use.ms += Math.max(0, ms - freeMs);
    use.running -= 1;
    const leave = (): void => {
      free[place] += 1;
      serve();
    };
    if (uses.isLittle(person)) {
      leave();
    } else {
      // The answer does not wait for this. Other requests get the processor first.
      setTimeout(leave, Math.min(ms, MOST_REST_MS));
    }
  }

  return {
    async take(person, signal, work, freeMs = 0) {
      const place = await wait(person, signal);
      const startedAt = now();
      try {
        return await (uses.isLittle(person) ? work() : readGently(work));
      } finally {
        end(person, place, now() - startedAt, freeMs);
      }
    },
  };
}

/** Of those who have waited since before this time, who was served longest ago. */
function overdue(queues: ReadonlyMap<string, Set<Waiting>>, before: number): string | undefined {
  for (const [person, queue] of queues) {
    const [first] = queue;
    if (first !== undefined && first.since <= before) {
      return person;
    }
  }
  return undefined;
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
