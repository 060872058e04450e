// Decides that a paid payout came back: its transfer failed, so the money is available again.
import type { Decider } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { move } from "#ledger/posting.ts";
import {
  availableAccount,
  consignorStream,
  consignorStreamId,
} from "#features/accounts/streams.ts";
import type { PayoutAnswer, SettlePayout } from "#features/payouts/decider.ts";
import { ALREADY, NOT_FOUND } from "#features/payouts/decider.ts";
import { PayoutReturned } from "#features/payouts/events.ts";
import { PAID_BY, payoutStream, payoutStreamId } from "#features/payouts/streams.ts";
import { recipientStreams, refuseRecipient } from "#features/users/streams.ts";

export type ReturnPayout = SettlePayout & {
  /** The reason, in identity.notes. */
  readonly noteId: string;
};

const ownStreams = ({ payoutId, consignorId }: SettlePayout): readonly string[] => [
  payoutStreamId(payoutId),
  consignorStreamId(consignorId),
];

/**
 * Rejects 404 `payout_not_found`, and `consignor_not_found` for a deleted consignor; 409 `payout_not_paid`,
 * `payout_already_deleted`, `payout_already_returned`.
 */
export const returnPayout: Decider<ReturnPayout, PayoutAnswer> = {
  type: "ReturnPayout",
  streams: (command) => [...ownStreams(command), ...recipientStreams(command.consignorId)],
  decide: (command, states) => {
    const { payoutId, consignorId, noteId, happenedAt } = command;
    const refusal = refuseRecipient(states, consignorId);
    if (refusal !== null) {
      return refusal;
    }
    const { state } = states.get(payoutStream, payoutStreamId(payoutId));
    if (state.status === "none" || state.consignorId !== consignorId) {
      return NOT_FOUND;
    }
    if (state.status === "pending") {
      return reject(409, "payout_not_paid", "This payout was not marked as paid yet");
    }
    if (state.status !== "paid") {
      return ALREADY[state.status];
    }
    const { amountCents, method } = state;
    const event = emit(
      PayoutReturned,
      { payoutId, consignorId, amountCents, method, noteId },
      {
        streams: ownStreams(command),
        postings: move(PAID_BY[method], availableAccount.of(consignorId), amountCents),
        happenedAt,
      },
    );
    const { availableCents } = states.get(consignorStream, consignorStreamId(consignorId)).state;
    return accept([event], {
      payoutId,
      amountCents,
      availableCents: availableCents + amountCents,
    });
  },
};
