// Runs work that would block all other requests, such as drawing a PDF, in its own thread, one job at a time.
import { HttpError } from "#http/errors.ts";
import { createJobThread } from "#http/job-thread.ts";
import type { Order } from "#http/job-thread-entry.ts";
import { createWorkPlaces } from "#http/work-places.ts";

/** What a module must export to run in the thread. Input and output are copied. */
export type WorkModule = { readonly work: (input: never) => Promise<Uint8Array<ArrayBuffer>> };

/** The right to one job, from the request until it is disposed. */
export type Place = Disposable & {
  /**
   * Calls the module's `work` in the thread when it is this job's turn. If the signal is aborted, the job is dropped,
   * or ended together with the thread. Throws HttpError 400 `request_abandoned` then, and errors of `work`.
   */
  readonly run: <Module extends WorkModule>(
    moduleUrl: string,
    input: Parameters<Module["work"]>[0],
    signal: AbortSignal,
  ) => Promise<Uint8Array<ArrayBuffer>>;
};

export type WorkThread = {
  /**
   * Takes a place for one job of a person who may have at most `most`. Throws HttpError 429 `work_underway` if they
   * have that many, and 503 `work_waiting` if too many people wait; both with Retry-After.
   */
  readonly enter: (person: string, most: number) => Place;
  /** Ends the thread; waiting requests get a 503. */
  readonly close: () => Promise<void>;
};

export type WorkThreadOptions = {
  readonly idleMs?: number;
  readonly limitMs?: number;
  readonly memoryMb?: number;
};

type Job = {
  readonly order: Order;
  readonly stop: AbortController;
  readonly end: PromiseWithResolvers<Uint8Array<ArrayBuffer>>;
};

/** Starting the thread takes about 0.3 seconds of CPU, keeping it about 100 MB. */
const DEFAULT_IDLE_MS = 30_000;
/** Far more than any job takes on a busy machine: a job that takes longer hangs and would block all others. */
const DEFAULT_LIMIT_MS = 120_000;
/** Five times as long as the longest statement takes. */
const DEFAULT_MEMORY_MB = 512;

export function createWorkThread(options: WorkThreadOptions = {}): WorkThread {
  const thread = createJobThread(options.memoryMb ?? DEFAULT_MEMORY_MB);
  const places = createWorkPlaces();
  /** The waiting jobs in the order they arrived, and the current one. */
  const waiting = new Set<Job>();
  const jobs = new Set<Job>();
  let isWorking = false;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;

  async function drain(): Promise<void> {
    if (isWorking) {
      return;
    }
    isWorking = true;
    clearTimeout(idle);
    for (let [job] = waiting; job !== undefined; [job] = waiting) {
      waiting.delete(job);
      const { order, stop, end } = job;
      const limit = setTimeout(
        () => stop.abort(tookTooLong()),
        options.limitMs ?? DEFAULT_LIMIT_MS,
      );
      await thread.work(order, stop.signal).then(end.resolve, end.reject);
      clearTimeout(limit);
    }
    isWorking = false;
    idle = setTimeout(() => void thread.end(), options.idleMs ?? DEFAULT_IDLE_MS);
    idle.unref();
  }

  async function run(order: Order, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    if (isClosed) {
      throw closing();
    }
    const job: Job = { order, stop: new AbortController(), end: Promise.withResolvers() };
    job.stop.signal.addEventListener("abort", () => {
      waiting.delete(job);
      job.end.reject(job.stop.signal.reason);
    });
    const giveUp = (): void => job.stop.abort(abandoned());
    signal.addEventListener("abort", giveUp);
    jobs.add(job);
    waiting.add(job);
    if (signal.aborted) {
      giveUp();
    }
    void drain();
    try {
      return await job.end.promise;
    } finally {
      jobs.delete(job);
      signal.removeEventListener("abort", giveUp);
    }
  }

  return {
    enter(person, most) {
      const place = places.take(person, most);
      return {
        run: (moduleUrl, input, signal) => run({ moduleUrl, input }, signal),
        [Symbol.dispose]: place.leave,
      };
    },
    async close() {
      isClosed = true;
      for (const { stop } of jobs) {
        stop.abort(closing());
      }
      await thread.end();
      clearTimeout(idle);
    },
  };
}

function closing(): HttpError {
  return new HttpError(503, "closing", "The service is being restarted. Try again in a moment", {
    retryAfterSeconds: 10,
  });
}

function abandoned(): HttpError {
  return new HttpError(400, "request_abandoned", "The request for this file was canceled");
}

function tookTooLong(): Error {
  return new Error("A job in the work thread took too long and was stopped");
}
