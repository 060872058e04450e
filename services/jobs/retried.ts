// Reports failures of the worker's regular work, which is tried again at its next turn.
import type { Logger } from "pino";

export type RetriedOptions = {
  readonly level?: "warn" | "error";
  /** Failures after it are those of a process that ends, and no news. */
  readonly ending?: AbortSignal;
};

/** The work, which writes one line when it begins to fail and one when it works again. It never rejects. */
export function retried(
  logger: Logger,
  failure: string,
  work: () => Promise<unknown>,
  { level = "warn", ending }: RetriedOptions = {},
): () => Promise<void> {
  let isFailing = false;
  return async () => {
    try {
      await work();
      if (isFailing) {
        isFailing = false;
        logger.info(`works again (before: ${failure})`);
      }
    } catch (error) {
      if (!isFailing && ending?.aborted !== true) {
        isFailing = true;
        logger[level]({ err: error }, `${failure}; it is tried again`);
      }
    }
  };
}
