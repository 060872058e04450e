// Sends a command that names a payment handle: the handle is personal, so the event has only its id and hash.
import { runCommand } from "#http/command.ts";
import type { CommandContext } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { bindingHandles } from "#identity/payout-handles.ts";
import type { Decider } from "#ledger/decider.ts";
import { looksUsual, withPrefix } from "#features/payouts/contract.ts";
import type { PayoutMethod } from "#features/payouts/streams.ts";

type Named = {
  readonly uid: string;
  readonly method: PayoutMethod;
  /** As it was typed, with its prefix or without. */
  readonly typed: string;
  /** Who typed it. */
  readonly by: string;
};

type HandleFields = {
  readonly method: PayoutMethod;
  readonly handleId: string;
  readonly handleHash: string;
  readonly happenedAt: string;
};

/** The answer, and a warning if the handle looks unusual for its method. */
export async function runWithHandle<Command extends HandleFields, Answer>(
  c: CommandContext,
  deps: RouteDeps,
  decider: Decider<Command, Answer>,
  { uid, method, typed, by }: Named,
  commandOf: (handle: HandleFields) => NoInfer<Command>,
): Promise<{ readonly answer: Answer; readonly warning: string | null }> {
  const handle = withPrefix(method, typed);
  const answer = await bindingHandles(async () => {
    // None for a deleted user, whom the decider refuses.
    const bound = await deps.payoutHandles.bind(uid, method, handle, by);
    const command = commandOf({
      method,
      handleId: bound?.id ?? "",
      handleHash: bound?.hash ?? "",
      happenedAt: deps.clock().toISOString(),
    });
    // Kept outside the log, and written in the same transaction as the event.
    const row = bound === undefined ? null : { id: bound.id, write: bound.keep };
    return runCommand(c, deps.ledger, decider, command, row);
  });
  const warning = looksUsual(method, handle) ? null : `${handle} looks unusual. Is it right?`;
  return { answer, warning };
}
