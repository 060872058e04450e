// Keeps many commands in flight at once, started strictly in order: the ledger decides them in that order.

/**
 * Starts `work` for one item after another, with at most `inFlight` unfinished. Resolves when all started work is
 * done; stops early, without an error, once `signal` is aborted. The first failure stops it and is thrown after
 * all other started work has ended.
 */
export async function runInOrder<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<void>,
  options: { readonly inFlight: number; readonly signal: AbortSignal },
): Promise<void> {
  const failures: unknown[] = [];
  const running = { count: 0, wake: Promise.withResolvers<void>() };
  const anEnd = async (): Promise<void> => {
    running.wake = Promise.withResolvers<void>();
    await running.wake.promise;
  };
  for await (const item of items) {
    while (running.count >= options.inFlight) {
      await anEnd();
    }
    if (failures.length > 0 || options.signal.aborted) {
      break;
    }
    running.count += 1;
    void work(item)
      .catch((error: unknown) => failures.push(error))
      .finally(() => {
        running.count -= 1;
        running.wake.resolve();
      });
  }
  while (running.count > 0) {
    await anEnd();
  }
  if (failures.length > 0) {
    throw failures[0];
  }
}
