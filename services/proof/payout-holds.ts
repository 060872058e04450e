// Runs in the worker: keeps payout holds and alerts in line with the row keys that are held back.
import type { Logger } from "pino";
import type { HoldDeps } from "#features/holds/place-holds.ts";
import { placeHolds } from "#features/holds/place-holds.ts";
import { ALERTS, alertsStream } from "#features/alerts/streams.ts";
import { repeat } from "#jobs/repeat.ts";
import { retried } from "#jobs/retried.ts";
import { readState } from "#ledger/log/read-state.ts";
import { countHeldKeys, readHeldKeys } from "#ledger/projection/held.ts";
import type { Alerting } from "./alerting.ts";

export type HeldWatchDeps = HoldDeps & { readonly alerting: Alerting };
export type PayoutHoldDeps = HeldWatchDeps & { readonly logger: Logger };

/** Raises an alert for each projection that holds back keys in its shown tables, and resolves the others. */
async function alertOfHeld({ sql, readEvent, alerting }: HeldWatchDeps): Promise<void> {
  const held = (await countHeldKeys(sql)).filter(({ state }) => state === "live");
  const { open } = await readState({ sql, readEvent }, alertsStream, ALERTS);
  const keyOf = (projection: string) => `held:${projection}`;
  for (const { projection, held: count } of held) {
    const key = keyOf(projection);
    if (!open.some((alert) => alert.key === key)) {
      const first = (await readHeldKeys(sql, ["live"], 1_000)).find(
        (entry) => entry.projection === projection,
      );
      const rowKey = count === 1 ? (first?.key ?? null) : null;
      const fault = { key, subject: projection, rowKey, count } as const;
      await alerting.raise({ ...fault, kind: "held", atPosition: first?.atPosition ?? 0 });
    }
  }
  const settled = open.filter(
    ({ kind, key }) => kind === "held" && !held.some((entry) => keyOf(entry.projection) === key),
  );
  for (const { key } of settled) {
    await alerting.resolve(key);
  }
}

/** One look, by any number of workers. */
export async function followHeldKeys(deps: HeldWatchDeps): Promise<void> {
  await placeHolds(deps);
  await alertOfHeld(deps);
}

/** A key may have been folded again by a script, which tells nobody. */
const LOOK_EVERY_MS = 5_000;

export type PayoutHoldWatch = {
  /** Looks now, because keys were just held back. */
  readonly look: () => void;
  readonly close: () => Promise<void>;
};

/** Looks now, whenever it is told, and every five seconds. A failure is logged and tried again the next time. */
export function startPayoutHolds(deps: PayoutHoldDeps): PayoutHoldWatch {
  const { soon, close } = repeat(
    LOOK_EVERY_MS,
    retried(deps.logger, "payout holds could not be updated", () => followHeldKeys(deps)),
  );
  return { look: soon, close };
}
