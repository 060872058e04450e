// Runs in the worker: deletes old labels, and the bytes of labels that nobody can read any more.
import type { Logger } from "pino";
import type { Labels } from "#identity/labels.ts";

export type LabelCleaningDeps = {
  readonly labels: Labels;
  readonly clock: () => Date;
  readonly logger: Logger;
};

const DAY_MS = 86_400_000;
/** Last year's labels are kept until the end of January. */
export const LABELS_KEPT_DAYS = 400;

export async function cleanLabels({
  labels,
  clock,
}: Pick<LabelCleaningDeps, "labels" | "clock">): Promise<void> {
  await labels.deleteOlder(new Date(clock().getTime() - LABELS_KEPT_DAYS * DAY_MS));
  await labels.sweep();
}

const CLEAN_EVERY_MS = 600_000;

/** Cleans now and every ten minutes. A failure is logged and retried the next time. */
export function startLabelCleaning(deps: LabelCleaningDeps): {
  readonly close: () => Promise<void>;
} {
  let running: Promise<void> = Promise.resolve();
  const after = async (before: Promise<void>): Promise<void> => {
    await before;
    try {
      await cleanLabels(deps);
    } catch (error) {
      deps.logger.warn({ err: error }, "old labels could not be deleted yet");
    }
  };
  const clean = (): void => {
    running = after(running);
  };
  clean();
  const timer = setInterval(clean, CLEAN_EVERY_MS);
  timer.unref();
  return {
    close: () => {
      clearInterval(timer);
      return running;
    },
  };
}
