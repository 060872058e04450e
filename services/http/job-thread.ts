// A thread that the first job starts. It runs one job at a time, and is ended if a job must stop.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Done, Order } from "#http/job-thread-entry.ts";

export type JobThread = {
  /**
   * Must not be called before the last job is done. Rejects with the job's error, with an error if the thread ended,
   * or with the signal's reason after ending the thread.
   */
  readonly work: (order: Order, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;
  readonly end: () => Promise<void>;
};

export function createJobThread(memoryMb: number): JobThread {
  let worker: Worker | null = null;

  function start(): Worker {
    const started = new Worker(new URL("./job-thread-entry.ts", import.meta.url), {
      name: "work",
      // It needs neither of them, and must not get secrets.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    started.unref();
    const forget = (): void => {
      worker = worker === started ? null : worker;
    };
    started.on("error", forget);
    started.on("exit", forget);
    return started;
  }

  async function end(): Promise<void> {
    const ended = worker;
    worker = null;
    await ended?.terminate();
  }

  async function answerOf(current: Worker, order: Order, signal: AbortSignal): Promise<Done> {
    const over = new AbortController();
    const until = { signal: AbortSignal.any([signal, over.signal]) };
    try {
      signal.throwIfAborted();
      // Both reject with the thread's error, if it has one.
      const first = Promise.race([
        once(current, "message", until).then(([done]: Done[]) => done),
        once(current, "exit", until).then(
          ([code]) => new Error(`The work thread ended with ${code}`),
        ),
      ]);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
      current.postMessage(order);
      const said = await first;
      if (said === undefined || said instanceof Error) {
        throw said ?? new Error("The work thread sent no result");
      }
      return said;
    } catch (error) {
      await end();
      throw signal.aborted ? signal.reason : error;
    } finally {
      over.abort();
    }
  }

  return {
    async work(order, signal) {
      worker ??= start();
      const done = await answerOf(worker, order, signal);
      if (done.kind === "failed") {
        throw failureOf(done);
      }
      return done.bytes;
    },
    end,
  };
}

function failureOf({ message, stack }: Extract<Done, { kind: "failed" }>): Error {
  const cause = new Error(message);
  cause.stack = stack;
  return new Error(`Work in the thread failed: ${message}`, { cause });
}
