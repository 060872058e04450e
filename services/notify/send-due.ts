// Sends the messages that are due on a channel: to several people at once, and to each person one after another.
import { setTimeout as wait } from "node:timers/promises";
import type { DeliverDeps } from "./deliver.ts";
import { deliver } from "./deliver.ts";
import type { Claimed, OutboxDeps, SentChannel } from "./outbox.ts";
import { claim, settle, takeBackLeases } from "./outbox.ts";
import type { Outcome } from "./outcome.ts";

/** To this many people at once. A message that hangs keeps one place; the others go on. */
const PEOPLE_AT_ONCE = 10;
/** While messages hang, others become due. */
const LOOK_AGAIN_MS = 250;
const NOT_BEGUN: Outcome = { kind: "limited", scope: "person", forMs: 0 };

/** Works until nothing is due, and starts nothing new once it has to end. Returns how many rows were tried. */
export async function sendDue(
  deps: DeliverDeps & OutboxDeps,
  channel: SentChannel,
  ending?: AbortSignal,
): Promise<number> {
  const sending = new Map<string, Promise<void>>();
  let failure: { readonly reason: unknown } | undefined;
  let tried = 0;
  await takeBackLeases(deps);
  for (;;) {
    const places = PEOPLE_AT_ONCE - sending.size;
    const mayBegin = ending?.aborted !== true && failure === undefined;
    const rows =
      mayBegin && places > 0 ? await claim(deps, channel, places, [...sending.keys()]) : [];
    tried += rows.length;
    const sendTo = sendInTurn(deps, ending);
    for (const [uid, own] of Map.groupBy(rows, (row) => row.uid)) {
      const sent = sendTo(own)
        .catch((reason: unknown) => {
          // Its rows are tried again when their leases end.
          failure ??= { reason };
        })
        .finally(() => sending.delete(uid));
      sending.set(uid, sent);
    }
    if (sending.size === 0) {
      break;
    }
    await firstOf([...sending.values()], mayBegin);
  }
  if (failure !== undefined) {
    throw failure.reason;
  }
  return tried;
}

/** Until somebody's messages are through, or it is time to look for others. */
async function firstOf(sending: readonly Promise<void>[], looksAgain: boolean): Promise<void> {
  const over = new AbortController();
  const pause = wait(LOOK_AGAIN_MS, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race(looksAgain ? [...sending, pause] : sending);
  over.abort();
}

/** An error that stops one person's message also stops the others that were claimed with it. */
function sendInTurn(deps: DeliverDeps & OutboxDeps, ending: AbortSignal | undefined) {
  let halted: Outcome | undefined;
  return async (own: readonly Claimed[]): Promise<void> => {
    for (const row of own.toSorted((one, two) => (one.id < two.id ? -1 : 1))) {
      const outcome = halted ?? (ending?.aborted === true ? NOT_BEGUN : await deliver(deps, row));
      if (
        outcome.kind === "stopped" ||
        (outcome.kind === "limited" && outcome.scope === "channel")
      ) {
        halted = outcome;
      }
      await settle(deps, row, outcome);
    }
  };
}
