// Runs in the worker: deletes old labels, and the bytes of labels that nobody can read any more.
import type { Logger } from "pino";
import { repeat } from "#jobs/repeat.ts";
import { retried } from "#jobs/retried.ts";
import type { Labels } from "#identity/labels.ts";
import { DAY_MS } from "#ledger/day-text.ts";

export type LabelCleaningDeps = {
  readonly labels: Labels;
  readonly clock: () => Date;
  readonly logger: Logger;
};

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
  return repeat(
    CLEAN_EVERY_MS,
    retried(deps.logger, "old labels could not be deleted", () => cleanLabels(deps)),
  );
}
