// Combines simultaneous look-ups of many requests into one query, which is cheap at thousands of requests a second.

/** Looks up a key. Every call is answered by a query that started after the call. */
export type BatchLookup<Value> = (key: string) => Promise<Value | undefined>;

type Waiting<Value> = {
  readonly promise: Promise<Value | undefined>;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
};

const MAX_IN_FLIGHT = 2;

/**
 * Collects the keys of one tick, and those that arrive while earlier queries run, and loads them together. Nothing is
 * cached. If the load fails, all calls of that batch get its error.
 */
export function createBatchLookup<Value>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): BatchLookup<Value> {
  let waiting = new Map<string, Waiting<Value>>();
  let inFlight = 0;
  let scheduled = false;

  function schedule(): void {
    if (!scheduled && waiting.size > 0 && inFlight < MAX_IN_FLIGHT) {
      scheduled = true;
      setImmediate(() => void flush());
    }
  }

  async function flush(): Promise<void> {
    scheduled = false;
    const batch = waiting;
    waiting = new Map();
    inFlight += 1;
    try {
      const found = await load([...batch.keys()]);
      for (const [key, { resolve }] of batch) {
        resolve(found.get(key));
      }
    } catch (error) {
      for (const { reject } of batch.values()) {
        reject(error);
      }
    } finally {
      inFlight -= 1;
      schedule();
    }
  }

  return (key) => {
    let entry = waiting.get(key);
    if (entry === undefined) {
      entry = Promise.withResolvers<Value | undefined>();
      waiting.set(key, entry);
      schedule();
    }
    return entry.promise;
  };
}
