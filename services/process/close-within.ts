// Closes a part of a process that may wait for the database, but not for ever.
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";

export const CLOSES_WITHIN_MS = 20_000;

export type ClosingPart = {
  /** For the log: "a part of the worker". */
  readonly name: string;
  readonly close: () => Promise<void>;
  /** Says what is left when the limit is reached. */
  readonly onLate: () => void;
};

/**
 * Does not wait for ever for a statement that gets no answer, such as one behind a lock: the store's connections end
 * next, within seconds. What is interrupted then is as after a crash.
 */
export async function closeWithin(
  limitMs: number,
  { name, close, onLate }: ClosingPart,
  logger: Logger,
): Promise<void> {
  let isLate = false;
  const closing = close().catch((error: unknown) => {
    if (!isLate) {
      throw error;
    }
    logger.warn({ err: error }, `${name} was interrupted`);
  });
  const late = delay(limitMs, true, { ref: false });
  isLate = (await Promise.race([closing, late])) === true;
  if (isLate) {
    onLate();
  }
}
