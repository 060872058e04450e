// Look-ups that many requests need at the same moment become one query: cheap at thousands of requests a second.

/** Looks a key up. Every call is answered by a query that started after the call was made. */
export type BatchLookup<Value> = (key: string) => Promise<Value | undefined>;

type Waiting<Value> = {
  readonly promise: Promise<Value | undefined>;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
};

const MAX_IN_FLIGHT = 2;

/**
 * Gathers the keys asked for in one tick, and while earlier queries run, and loads them together. Nothing is
 * kept afterwards. When the load fails, everybody in that batch gets its error.
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
