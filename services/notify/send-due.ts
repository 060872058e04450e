// Sends what is due on a channel: batches of rows, several people at once, and each person's one after another.
import type { DeliverDeps } from "./deliver.ts";
import { deliver } from "./deliver.ts";
import type { Claimed, OutboxDeps, SentChannel } from "./outbox.ts";
import { claim, settle, takeBackLeases } from "./outbox.ts";
import type { Outcome } from "./outcome.ts";

const AT_ONCE = 10;

/** Works until nothing is due. Returns how many rows were tried. */
export async function sendDue(
  deps: DeliverDeps & OutboxDeps,
  channel: SentChannel,
  isEnding: () => boolean = () => false,
): Promise<number> {
  let tried = 0;
  await takeBackLeases(deps);
  while (!isEnding()) {
    const rows = await claim(deps, channel, AT_ONCE);
    if (rows.length === 0) {
      break;
    }
    tried += rows.length;
    await sendBatch(deps, rows);
  }
  return tried;
}

async function sendBatch(deps: DeliverDeps & OutboxDeps, rows: readonly Claimed[]): Promise<void> {
  const people = Map.groupBy(rows, ({ uid }) => uid);
  let halted: Outcome | undefined;
  const sendTo = async (own: readonly Claimed[]): Promise<void> => {
    for (const row of own.toSorted((one, two) => (one.id < two.id ? -1 : 1))) {
      const outcome = halted ?? (await deliver(deps, row));
      if (
        outcome.kind === "stopped" ||
        (outcome.kind === "limited" && outcome.scope === "channel")
      ) {
        halted = outcome;
      }
      await settle(deps, row, outcome);
    }
  };
  const sent = await Promise.allSettled([...people.values()].map(sendTo));
  for (const result of sent) {
    if (result.status === "rejected") {
      // Its rows are tried again when their leases end.
      throw result.reason;
    }
  }
}
