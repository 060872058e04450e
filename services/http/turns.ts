// Lets only a few dear reads run at once. Who has read least is served first, so that short reads do not wait for long ones.
import { HttpError } from "#http/errors.ts";

export type Turns = {
  /** Runs the work when it is this person's turn. Throws HttpError 400 `request_abandoned` if the signal comes first. */
  readonly take: <Result>(
    person: string,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ) => Promise<Result>;
};

type Waiting = { readonly begin: () => void };

/** What a person's reads took lately, in milliseconds, which fades; and how many run now. */
type Use = { ms: number; at: number; running: number };

/** After this time, about a third of what a person used still counts. */
const FADING_MS = 10_000;
/** One more place is kept for those who used less than this: a tenth of the time, which is much for a person at a till. */
const LITTLE_MS = 1_000;
const KEPT_PLACES = 1;
const MAX_REMEMBERED = 5_000;

export function createTurns(places: number, now: () => number = () => performance.now()): Turns {
  /** In the order in which the people were last served. */
  const queues = new Map<string, Set<Waiting>>();
  const uses = new Map<string, Use>();
  let running = 0;

  function useOf(person: string): Use {
    const use = uses.get(person) ?? { ms: 0, at: now(), running: 0 };
    const at = now();
    use.ms *= Math.exp((use.at - at) / FADING_MS);
    use.at = at;
    uses.set(person, use);
    return use;
  }

  /** Of those with the fewest running reads, who used least. */
  function nextPerson(): { readonly person: string; readonly use: Use } | undefined {
    let next: { readonly person: string; readonly use: Use } | undefined;
    for (const person of queues.keys()) {
      const use = useOf(person);
      const isFewer = next === undefined || use.running < next.use.running;
      if (isFewer || (use.running === next?.use.running && use.ms < next.use.ms)) {
        next = { person, use };
      }
    }
    return next;
  }

  function serve(): void {
    for (let next = nextPerson(); next !== undefined; next = nextPerson()) {
      const { person, use } = next;
      const mayUseKept = use.running === 0 && use.ms < LITTLE_MS;
      if (running >= places + (mayUseKept ? KEPT_PLACES : 0)) {
        return;
      }
      const queue = queues.get(person) ?? new Set();
      const [first] = queue;
      queues.delete(person);
      if (first !== undefined) {
        queue.delete(first);
        running += 1;
        use.running += 1;
        first.begin();
      }
      if (queue.size > 0) {
        queues.set(person, queue);
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

  function end(person: string, ms: number): void {
    const use = useOf(person);
    use.ms += ms;
    use.running -= 1;
    running -= 1;
    forgetRested(uses);
    serve();
  }

  return {
    async take(person, signal, work) {
      await wait(person, signal);
      const startedAt = now();
      try {
        return await work();
      } finally {
        end(person, now() - startedAt);
      }
    },
  };
}

function forgetRested(uses: Map<string, Use>): void {
  if (uses.size > MAX_REMEMBERED) {
    for (const [person, { ms, running }] of uses) {
      if (running === 0 && ms < LITTLE_MS) {
        uses.delete(person);
      }
    }
  }
}
