// Lets only a few dear reads run at once, and people take turns: who asks for much waits behind who asks for little.
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

export function createTurns(places: number): Turns {
  /** In the order in which the people are served next. */
  const queues = new Map<string, Set<Waiting>>();
  let free = places;

  function serve(): void {
    while (free > 0) {
      const [next] = queues;
      if (next === undefined) {
        return;
      }
      const [person, queue] = next;
      const [first] = queue;
      // Whoever was served goes to the end.
      queues.delete(person);
      if (first !== undefined) {
        queue.delete(first);
        free -= 1;
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

  return {
    async take(person, signal, work) {
      await wait(person, signal);
      try {
        return await work();
      } finally {
        free += 1;
        serve();
      }
    },
  };
}
