// Wake-ups: after a commit a job says "catch up" to the workers. It carries no event, so a lost or doubled one is harmless.
import { setTimeout as delay } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import { ensureQueue } from "#jobs/boss.ts";
import { retried } from "#jobs/retried.ts";

const queueName = "catch-up";

/** Makes the queue. At most one job waits in it, since one is enough. */
export async function ensureWakeUpQueue(boss: PgBoss): Promise<void> {
  await ensureQueue(boss, {
    name: queueName,
    policy: "short",
    // Its own table, because rows are added and deleted much more often than in other queues.
    partition: true,
    notify: true,
    retryLimit: 0,
    expireInSeconds: 300,
    retentionSeconds: 60,
    deleteAfterSeconds: 1,
  });
}

export type Waker = {
  /** Asks the workers to catch up. Returns at once and never throws; a failure is logged. */
  readonly wake: () => void;
  /**
   * From now on this process does the work itself: `nudge` is called at once, and the job for other workers is sent
   * less often. Returns a function that ends this.
   */
  readonly callHere: (nudge: () => void) => () => void;
  /** Resolves when the last send is done; later calls of `wake` do nothing. */
  readonly close: () => Promise<void>;
};

export type WakerOptions = {
  readonly logger: Logger;
  /** The least time from one send to the next. */
  readonly intervalMs?: number;
  /** The same while this process does the work itself. */
  readonly leisureMs?: number;
};

/** Sends wake-ups, one at a time: calls during a send become one more. */
export function createWaker(boss: PgBoss, options: WakerOptions): Waker {
  const { intervalMs = 5, leisureMs = 200 } = options;
  let nudge: (() => void) | undefined;
  let sending: Promise<void> | undefined;
  let isAskedAgain = false;
  let isClosed = false;
  const closing = new AbortController();
  // Workers also run once a second, so one line per outage is enough.
  const send = retried(options.logger, "a wake-up could not be sent", () => boss.send(queueName));

  async function run(): Promise<void> {
    isAskedAgain = false;
    const startedAt = performance.now();
    await send();
    const spacingMs = nudge === undefined ? intervalMs : leisureMs;
    const restMs = startedAt + spacingMs - performance.now();
    if (restMs > 0 && !isClosed) {
      await delay(restMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    sending = isAskedAgain && !isClosed ? run() : undefined;
  }

  return {
    wake() {
      isAskedAgain = true;
      if (!isClosed) {
        nudge?.();
        sending ??= run();
      }
    },
    callHere(handler) {
      nudge = handler;
      return () => {
        nudge = undefined;
      };
    },
    async close() {
      isClosed = true;
      closing.abort();
      await sending;
    },
  };
}

export type WakeUpListener = {
  /** Runs the handler like a wake-up does; for commits in this process. */
  readonly nudge: () => void;
  /** Resolves when every run of the handler is done. */
  readonly stop: () => Promise<void>;
};

export type ListenOptions = {
  readonly logger: Logger;
  /** How often the handler runs without a wake-up, in case one got lost. */
  readonly timerMs?: number;
};

/** Runs `handler` at once, at each wake-up, and by its own timer. Its errors are logged; the next run tries again. */
export async function onWake(
  boss: PgBoss,
  handler: () => Promise<void>,
  options: ListenOptions,
): Promise<WakeUpListener> {
  const run = retried(options.logger, "catching up failed", handler, { level: "error" });
  // Including nudges and jobs: after stopping, nothing may use the database any more.
  const running = new Set<Promise<void>>();
  let isStopped = false;

  function attempt(): Promise<void> {
    const attempted = run().finally(() => running.delete(attempted));
    running.add(attempted);
    return attempted;
  }

  function lookByItself(): void {
    if (running.size === 0) {
      void attempt();
    }
  }

  lookByItself();
  const timer = setInterval(lookByItself, options.timerMs ?? 1_000);
  const workerId = await boss.work(
    queueName,
    { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 2 },
    attempt,
  );
  return {
    nudge: () => {
      if (!isStopped) {
        void attempt();
      }
    },
    async stop() {
      if (isStopped) {
        return;
      }
      isStopped = true;
      clearInterval(timer);
      await boss.offWork(queueName, { id: workerId, wait: true });
      await Promise.all(running);
    },
  };
}
