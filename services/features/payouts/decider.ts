// Decides payouts: a request moves the money at once, so nothing can be requested twice, and it is paid or deleted once.
import type { Decider, Rejection, States } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import { formatCents } from "#ledger/money.ts";
import { move } from "#ledger/posting.ts";
import {
  consignorStream,
  consignorStreamId,
  availableAccount,
  payoutsAccount,
} from "#features/accounts/streams.ts";
import { payoutHoldStreams, refuseHeldPayouts } from "#features/holds/streams.ts";
import { PayoutDeleted, PayoutPaid, PayoutRequested } from "#features/payouts/events.ts";
import type { PayoutMethod, RequestedPayout } from "#features/payouts/streams.ts";
import { payoutStream, payoutStreamId, PAID_BY } from "#features/payouts/streams.ts";
import { RESTORES, refuseAfterRestore } from "#features/restores/streams.ts";
import { recipientStreams, refuseRecipient } from "#features/users/streams.ts";

export type RequestPayout = {
  readonly payoutId: string;
  readonly consignorId: string;
  readonly amountCents: Cents;
  readonly method: PayoutMethod;
  readonly handleId: string;
  /** Binds the handle's row to the event. */
  readonly handleHash: string;
  readonly happenedAt: string;
};

export type SettlePayout = {
  readonly payoutId: string;
  readonly consignorId: string;
  readonly happenedAt: string;
};

export type MarkPayoutPaid = SettlePayout & {
  /** The transfer's number; null without one. */
  readonly reference: string | null;
  /** The handle that the admin was shown, which the consignor may have corrected since; null for the newest. */
  readonly handleId: string | null;
};

export type DeletePayout = SettlePayout & {
  /** Who deletes it: an admin, or the consignor, who withdraws it. */
  readonly actorUid: string;
  readonly by: "store" | "consignor";
};

/** The answer to each of the commands. */
export type PayoutAnswer = {
  readonly payoutId: string;
  readonly amountCents: Cents;
  /** The consignor's available balance afterwards. */
  readonly availableCents: Cents;
};

/** Rejects 404 `consignor_not_found`, 409 `payout_exists`, `payouts_held`, `payouts_unchecked`, `insufficient_balance`. */
export const requestPayout: Decider<RequestPayout, PayoutAnswer> = {
  type: "RequestPayout",
  streams: ({ payoutId, consignorId }) => [
    payoutStreamId(payoutId),
    consignorStreamId(consignorId),
    ...recipientStreams(consignorId),
    ...payoutHoldStreams(consignorId),
    RESTORES,
  ],
  decide: (command, states) => {
    const { payoutId, consignorId, amountCents, method, handleId, handleHash } = command;
    const { happenedAt } = command;
    const refusal = refuseRecipient(states, consignorId);
    if (refusal !== null) {
      return refusal;
    }
    if (states.get(payoutStream, payoutStreamId(payoutId)).version > 0) {
      return reject(409, "payout_exists", "This payout was requested already");
    }
    const held = refuseHeldPayouts(states, consignorId) ?? refuseAfterRestore(states, "request");
    if (held !== null) {
      return held;
    }
    const { availableCents } = states.get(consignorStream, consignorStreamId(consignorId)).state;
    if (amountCents > availableCents) {
      return reject(
        409,
        "insufficient_balance",
        `Cannot request more than your current balance of ${formatCents(availableCents)}`,
        { availableCents },
      );
    }
    const event = emit(
      PayoutRequested,
      { payoutId, consignorId, amountCents, method, handleId, handleHash },
      {
        streams: [payoutStreamId(payoutId), consignorStreamId(consignorId)],
        postings: move(
          availableAccount.of(consignorId),
          payoutsAccount.of(consignorId),
          amountCents,
        ),
        happenedAt,
      },
    );
    const left = availableCents - amountCents;
    return accept([event], { payoutId, amountCents, availableCents: left });
  },
};

export const NOT_FOUND = reject(404, "payout_not_found", "There is no such payout request");

export const ALREADY = {
  paid: reject(409, "payout_already_paid", "This payout was marked as paid already"),
  deleted: reject(409, "payout_already_deleted", "This payout request was deleted already"),
  returned: reject(409, "payout_already_returned", "This payout was marked as returned already"),
} as const;

const settledStreams = ({ payoutId, consignorId }: SettlePayout): readonly string[] => [
  payoutStreamId(payoutId),
  consignorStreamId(consignorId),
];

/**
 * Records where the money was sent, not where it should have been. Rejects 404 `payout_not_found`; 409
 * `payout_already_paid`, `payout_already_deleted`, `payout_already_returned`, `payouts_unchecked` after a restore, and
 * `payout_handle_unknown`.
 */
export const markPayoutPaid: Decider<MarkPayoutPaid, PayoutAnswer> = {
  type: "MarkPayoutPaid",
  streams: (command) => [...settledStreams(command), RESTORES],
  decide: (command, states) => {
    const pending = pendingPayout(command, states);
    if ("kind" in pending) {
      return pending;
    }
    const unchecked = refuseAfterRestore(states, "pay");
    if (unchecked !== null) {
      return unchecked;
    }
    const { payoutId, consignorId, reference, handleId, happenedAt } = command;
    const { amountCents, handle, earlierHandles } = pending;
    const sentTo =
      handleId === null
        ? handle
        : [handle, ...earlierHandles].find((named) => named.handleId === handleId);
    if (sentTo === undefined) {
      return reject(
        409,
        "payout_handle_unknown",
        "Where this payout goes has changed many times. Open it again",
      );
    }
    const event = emit(
      PayoutPaid,
      { payoutId, consignorId, amountCents, reference, ...sentTo },
      {
        streams: settledStreams(command),
        postings: move(payoutsAccount.of(consignorId), PAID_BY[sentTo.method], amountCents),
        happenedAt,
      },
    );
    const { availableCents } = states.get(consignorStream, consignorStreamId(consignorId)).state;
    return accept([event], { payoutId, amountCents, availableCents });
  },
};

/**
 * Gives the money back, unless it may be on its way to the consignor. Rejects 404 `payout_not_found`; 409
 * `payout_already_paid`, `payout_already_deleted`, `payout_already_returned`, `payout_claimed`, `payout_being_paid`, and
 * for a consignor `payouts_unchecked`.
 */
export const deletePayout: Decider<DeletePayout, PayoutAnswer> = {
  type: "DeletePayout",
  streams: (command) => [...settledStreams(command), RESTORES],
  decide: (command, states) => {
    const pending = pendingPayout(command, states);
    if ("kind" in pending) {
      return pending;
    }
    const { payoutId, consignorId, by, actorUid, happenedAt } = command;
    const refusal =
      by === "consignor"
        ? refuseOwnChange(pending, states)
        : refuseClaimed(pending, { adminUid: actorUid, happenedAt });
    if (refusal !== null) {
      return refusal;
    }
    const { amountCents, handle } = pending;
    const event = emit(
      PayoutDeleted,
      { payoutId, consignorId, amountCents, method: handle.method, by },
      {
        streams: settledStreams(command),
        postings: move(
          payoutsAccount.of(consignorId),
          availableAccount.of(consignorId),
          amountCents,
        ),
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

/** For what an admin does with a request while another one is paying it. */
export function refuseClaimed(
  { claim }: RequestedPayout,
  { adminUid, happenedAt }: { readonly adminUid: string; readonly happenedAt: string },
): Rejection | null {
  return claim !== null && claim.uid !== adminUid && claim.until > happenedAt
    ? reject(409, "payout_claimed", "Somebody else is paying this request right now", {
        claimedUntil: claim.until,
      })
    : null;
}

/**
 * For what consignors do with their own requests: once an admin began to pay, the money may be on its way, and after a
 * restore it may have been sent by a payment that the back-up does not have.
 */
export function refuseOwnChange({ claim }: RequestedPayout, states: States): Rejection | null {
  return claim === null
    ? refuseAfterRestore(states, "request")
    : reject(
        409,
        "payout_being_paid",
        "The store has begun to pay this request. Ask the store if something is wrong",
      );
}

/** The request, as long as it is neither paid nor deleted. */
export function pendingPayout(
  command: Pick<SettlePayout, "payoutId" | "consignorId">,
  states: States,
): RequestedPayout | Rejection {
  const { state } = states.get(payoutStream, payoutStreamId(command.payoutId));
  if (state.status === "none" || state.consignorId !== command.consignorId) {
    return NOT_FOUND;
  }
  return state.status === "pending" ? state : ALREADY[state.status];
}
