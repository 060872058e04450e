// Decides that a consignor corrects where a requested payout goes, as long as no admin began to pay it.
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { pendingPayout, refuseOwnChange } from "#features/payouts/decider.ts";
import { PayoutHandleCorrected } from "#features/payouts/events.ts";
import type { PayoutMethod } from "#features/payouts/streams.ts";
import { payoutStreamId } from "#features/payouts/streams.ts";
import { RESTORES } from "#features/restores/streams.ts";

export type CorrectPayoutHandle = {
  readonly payoutId: string;
  readonly consignorId: string;
  /** How the consignor thinks that it is paid: the handle is one of this method. */
  readonly method: PayoutMethod;
  readonly handleId: string;
  /** Binds the handle's row to the event. */
  readonly handleHash: string;
  readonly happenedAt: string;
};

/**
 * Rejects 404 `payout_not_found`; 409 `payout_already_paid`, `payout_already_deleted`, `payout_already_returned`,
 * `payout_being_paid`, and `payouts_unchecked` after a restore. The method may change too: no money moves before somebody pays.
 */
export const correctPayoutHandle: Decider<CorrectPayoutHandle, { readonly payoutId: string }> = {
  type: "CorrectPayoutHandle",
  streams: ({ payoutId }) => [payoutStreamId(payoutId), RESTORES],
  decide: (command, states) => {
    const pending = pendingPayout(command, states);
    if ("kind" in pending) {
      return pending;
    }
    const refusal = refuseOwnChange(pending, states);
    if (refusal !== null) {
      return refusal;
    }
    const { happenedAt, ...corrected } = command;
    const event = emit(PayoutHandleCorrected, corrected, {
      streams: [payoutStreamId(command.payoutId)],
      happenedAt,
    });
    return accept([event], { payoutId: command.payoutId });
  },
};
