// Runs in the worker: keeps the payout holds in line with the row keys that are held back.
import type { Logger } from "pino";
import type { HoldDeps } from "#features/holds/place-holds.ts";
import { placeHolds } from "#features/holds/place-holds.ts";

export type PayoutHoldDeps = HoldDeps & { readonly logger: Logger };

/** A key may have been folded again by a script, which tells nobody. */
const LOOK_EVERY_MS = 5_000;

export type PayoutHoldWatch = {
  /** Looks now, because keys were just held back. */
  readonly look: () => void;
  readonly close: () => Promise<void>;
};

/** Looks now, whenever it is told, and every five seconds. A failure is logged and tried again the next time. */
export function startPayoutHolds(deps: PayoutHoldDeps): PayoutHoldWatch {
  let running: Promise<void> = Promise.resolve();
  let isWaiting = false;
  const after = async (before: Promise<void>): Promise<void> => {
    await before;
    isWaiting = false;
    try {
      await placeHolds(deps);
    } catch (error) {
      deps.logger.warn({ err: error }, "payout holds could not be updated; it is tried again");
    }
  };
  const look = (): void => {
    // One look that has not begun yet is enough.
    if (!isWaiting) {
      isWaiting = true;
      running = after(running);
    }
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return {
    look,
    close: () => {
      clearInterval(timer);
      return running;
    },
  };
}
