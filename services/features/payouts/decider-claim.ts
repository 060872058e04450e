// Decides who is paying a request: the first admin who opens the transfer has it for ten minutes, so that no two send the money.
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { CLAIMED_FOR_MS } from "#features/payouts/contract.ts";
import { pendingPayout, refuseClaimed } from "#features/payouts/decider.ts";
import { PayoutClaimed, PayoutClaimReleased } from "#features/payouts/events.ts";
import { payoutStreamId } from "#features/payouts/streams.ts";
import { RESTORES, refuseAfterRestore } from "#features/restores/streams.ts";

export type ClaimPayout = {
  readonly payoutId: string;
  readonly consignorId: string;
  readonly adminUid: string;
  readonly happenedAt: string;
};

/** Until when nobody else should pay it; null if nobody is paying it any more. */
export type ClaimAnswer = { readonly payoutId: string; readonly claimedUntil: string | null };

/**
 * Rejects 404 `payout_not_found`; 409 `payout_already_paid`, `payout_already_deleted`, `payout_already_returned`,
 * `payouts_unchecked` after a restore, and `payout_claimed` while another admin has it. One's own claim begins anew.
 */
export const claimPayout: Decider<ClaimPayout, ClaimAnswer> = {
  type: "ClaimPayout",
  streams: ({ payoutId }) => [payoutStreamId(payoutId), RESTORES],
  decide: (command, states) => {
    const pending = pendingPayout(command, states);
    if ("kind" in pending) {
      return pending;
    }
    const refusal = refuseAfterRestore(states, "pay") ?? refuseClaimed(pending, command);
    if (refusal !== null) {
      return refusal;
    }
    const { payoutId, consignorId, adminUid, happenedAt } = command;
    const claimedUntil = new Date(Date.parse(happenedAt) + CLAIMED_FOR_MS).toISOString();
    const event = emit(
      PayoutClaimed,
      { payoutId, consignorId, claimedBy: adminUid, claimedUntil },
      { streams: [payoutStreamId(payoutId)], happenedAt },
    );
    return accept([event], { payoutId, claimedUntil });
  },
};

/**
 * No money was sent: another admin may pay, and the consignor may change or withdraw the request again. Rejects like
 * `claimPayout`. Appends nothing if nobody claimed it.
 */
export const releasePayout: Decider<ClaimPayout, ClaimAnswer> = {
  type: "ReleasePayout",
  streams: ({ payoutId }) => [payoutStreamId(payoutId)],
  decide: (command, states) => {
    const pending = pendingPayout(command, states);
    if ("kind" in pending) {
      return pending;
    }
    const refusal = refuseClaimed(pending, command);
    if (refusal !== null) {
      return refusal;
    }
    const { payoutId, consignorId, happenedAt } = command;
    const answer = { payoutId, claimedUntil: null };
    if (pending.claim === null) {
      return accept([], answer);
    }
    const event = emit(
      PayoutClaimReleased,
      { payoutId, consignorId, claimedBy: pending.claim.uid },
      { streams: [payoutStreamId(payoutId)], happenedAt },
    );
    return accept([event], answer);
  },
};
