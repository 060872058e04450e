// Decides that a paid payout came back: its transfer failed, so the money is available again, or the store's.
import type { Decider } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { uuid } from "#ledger/fields.ts";
import { emit } from "#ledger/event.ts";
import { move } from "#ledger/posting.ts";
import { BalanceSet } from "#features/accounts/events.ts";
import {
  availableAccount,
  consignorStream,
  consignorStreamId,
  STORE_ADJUSTMENTS,
} from "#features/accounts/streams.ts";
import type { PayoutAnswer, SettlePayout } from "#features/payouts/decider.ts";
import { ALREADY, NOT_FOUND } from "#features/payouts/decider.ts";
import { PayoutReturned } from "#features/payouts/events.ts";
import { PAID_BY, payoutStream, payoutStreamId } from "#features/payouts/streams.ts";
import { hasLeft, recipientStreams } from "#features/users/streams.ts";

export type ReturnPayout = SettlePayout & {
  /** The reason, in identity.notes. */
  readonly noteId: string;
};

const ownStreams = ({ payoutId, consignorId }: SettlePayout): readonly string[] => [
  payoutStreamId(payoutId),
  consignorStreamId(consignorId),
];

/**
 * Rejects 409 `reason_missing`: without a note's id, nobody could read the event. 404 `payout_not_found`; 409 `payout_not_paid`, `payout_already_deleted`, `payout_already_returned`. A
 * deleted consignor cannot request the money again, so it is written off at once: the balance stays as it was.
 */
export const returnPayout: Decider<ReturnPayout, PayoutAnswer> = {
  type: "ReturnPayout",
  streams: (command) => [...ownStreams(command), ...recipientStreams(command.consignorId)],
  decide: (command, states) => {
    const { payoutId, consignorId, noteId, happenedAt } = command;
    if (!uuid.safeParse(noteId).success) {
      return reject(409, "reason_missing", "Say why the payout came back");
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
    const {
      amountCents,
      handle: { method },
    } = state;
    const event = emit(
      PayoutReturned,
      { payoutId, consignorId, amountCents, method, noteId },
      {
        streams: ownStreams(command),
        postings: move(PAID_BY[method], availableAccount.of(consignorId), amountCents),
        happenedAt,
      },
    );
    const before = states.get(consignorStream, consignorStreamId(consignorId)).state.availableCents;
    const after = before + amountCents;
    if (!hasLeft(states, consignorId)) {
      return accept([event], { payoutId, amountCents, availableCents: after });
    }
    const writtenOff = emit(
      BalanceSet,
      { uid: consignorId, beforeCents: after, afterCents: before, noteId },
      {
        streams: [consignorStreamId(consignorId)],
        postings: move(availableAccount.of(consignorId), STORE_ADJUSTMENTS, amountCents),
        happenedAt,
      },
    );
    return accept([event, writtenOff], { payoutId, amountCents, availableCents: before });
  },
};
