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
 * Rejects 404 `payout_not_found`; 409 `payout_already_paid`, `payout_already_deleted`, `payout_already_returned`, and
 * `payouts_unchecked` after a restore.
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
    const { payoutId, consignorId, reference, happenedAt } = command;
    const { amountCents, method } = pending;
    const event = emit(
      PayoutPaid,
      { payoutId, consignorId, amountCents, method, reference },
      {
        streams: settledStreams(command),
        postings: move(payoutsAccount.of(consignorId), PAID_BY[method], amountCents),
        happenedAt,
      },
    );
    const { availableCents } = states.get(consignorStream, consignorStreamId(consignorId)).state;
    return accept([event], { payoutId, amountCents, availableCents });
  },
};

/**
 * Gives the money back, unless it may be on its way to the consignor. Rejects 404 `payout_not_found`; 409
 * `payout_already_paid`, `payout_already_deleted`, `payout_already_returned`, `payout_claimed`, `payout_being_paid`.
 */
export const deletePayout: Decider<DeletePayout, PayoutAnswer> = {
  type: "DeletePayout",
  streams: settledStreams,
  decide: (command, states) => {
    const pending = pendingPayout(command, states);
    if ("kind" in pending) {
      return pending;
    }
    const { payoutId, consignorId, by, actorUid, happenedAt } = command;
    const claimed =
      by === "consignor"
        ? refuseBegun(pending)
        : refuseClaimed(pending, { adminUid: actorUid, happenedAt });
    if (claimed !== null) {
      return claimed;
    }
    const { amountCents, method } = pending;
    const event = emit(
      PayoutDeleted,
      { payoutId, consignorId, amountCents, method, by },
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

/** For what consignors do with their own requests: once an admin began to pay, the money may be on its way. */
export function refuseBegun({ claim }: RequestedPayout): Rejection | null {
  return claim === null
    ? null
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
