// Works on a queue and reports failures to the process's log, because pg-boss only notes them on the job.
import type { Job, PgBoss } from "pg-boss";
import type { Logger } from "pino";

type TriedJob = Pick<Job, "id" | "retryCount">;

/** How often a job of the queue is tried once more. Where that is 0, the next job does its work. */
type Retries = { readonly retryLimit: number };

export type QueueWork = Retries & {
  readonly queue: string;
  readonly pollingIntervalSeconds: number;
  /** What a failure is called in the log. */
  readonly failure: string;
  /** Failures after it are those of a process that ends. */
  readonly ending: AbortSignal | null;
  readonly work: (job: TriedJob) => Promise<unknown>;
};

/** What becomes of a job that has failed just now, in words. */
export function afterFailure(
  { retryCount }: Pick<Job, "retryCount">,
  { retryLimit }: Retries,
): string {
  return isLastTry(retryCount, retryLimit) ? "that was its last try" : "it is tried again";
}

function isLastTry(retryCount: number, retryLimit: number): boolean {
  return retryLimit > 0 && retryCount >= retryLimit;
}

/**
 * One line when the work begins to fail, one when a job is given up, and one when the work succeeds again: a queue may
 * have several jobs a second. Returns how to stop.
 */
export async function workOn(
  { boss, logger }: { readonly boss: Pick<PgBoss, "work" | "offWork">; readonly logger: Logger },
  { queue, pollingIntervalSeconds, failure, retryLimit, ending, work }: QueueWork,
): Promise<() => Promise<void>> {
  let isFailing = false;
  const tryJob = async (job: TriedJob): Promise<void> => {
    try {
      await work(job);
    } catch (error) {
      if (ending?.aborted === true) {
        return;
      }
      if (!isFailing || isLastTry(job.retryCount, retryLimit)) {
        logger.error({ err: error, queue }, `${failure}; ${afterFailure(job, { retryLimit })}`);
      }
      isFailing = true;
      throw error;
    }
    if (isFailing) {
      isFailing = false;
      logger.info({ queue }, `works again (before: ${failure})`);
    }
  };
  const id = await boss.work(queue, { pollingIntervalSeconds }, async (jobs) => {
    for (const job of jobs) {
      await tryJob(job);
    }
  });
  return () => boss.offWork(queue, { id, wait: true });
}
