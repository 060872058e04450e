// Runs the worker's regular work by a timer, never twice at once.

export type Repeating = {
  /** Runs the work now, or again right after the run that has begun: that one may have looked too early. */
  readonly soon: () => void;
  /** Resolves when no run is left. */
  readonly close: () => Promise<void>;
};

/** Runs `work` now and then every `everyMs`; a run that takes longer skips turns. `work` handles its own failures. */
export function repeat(everyMs: number, work: () => Promise<void>): Repeating {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isClosed = false;

  async function run(): Promise<void> {
    isWanted = false;
    await work();
    running = isWanted && !isClosed ? run() : undefined;
    await running;
  }

  function soon(): void {
    if (running === undefined) {
      running = run();
    } else {
      isWanted = true;
    }
  }

  soon();
  const timer = setInterval(() => {
    running ??= run();
  }, everyMs).unref();
  return {
    soon: () => {
      if (!isClosed) {
        soon();
      }
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await running;
    },
  };
}
