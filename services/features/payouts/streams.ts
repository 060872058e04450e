// The stream of one payout request: pending, perhaps claimed, then paid or deleted. A paid one whose transfer failed is returned.
import type { StreamDefinition } from "#ledger/decider.ts";
import { is } from "#ledger/event.ts";
import type { Cents } from "#ledger/money.ts";
import { defineName } from "#ledger/names.ts";
import {
  PayoutClaimed,
  PayoutClaimReleased,
  PayoutDeleted,
  PayoutHandleCorrected,
  PayoutPaid,
  PayoutRequested,
  PayoutReturned,
} from "#features/payouts/events.ts";

export type PayoutMethod = "cashapp" | "venmo";

export type RequestedPayout = {
  readonly status: "pending" | "paid" | "deleted" | "returned";
  readonly consignorId: string;
  readonly amountCents: Cents;
  readonly method: PayoutMethod;
  /** Who began to pay it, and until when others should not; null if nobody did, or if no money was sent. */
  readonly claim: PayoutClaim | null;
};

export type PayoutClaim = { readonly uid: string; readonly until: string };

export type PayoutState = { readonly status: "none" } | RequestedPayout;

const payoutStreamName = defineName("payout_stream", "payout-");

export function payoutStreamId(payoutId: string): string {
  return payoutStreamName.of(payoutId);
}

export const payoutNames = [payoutStreamName] as const;

/** Where the money of a paid payout goes. */
export const PAID_BY: Readonly<Record<PayoutMethod, string>> = {
  cashapp: "world:cashapp",
  venmo: "world:venmo",
};

export const payoutStream: StreamDefinition<PayoutState> = {
  category: "payout",
  stateVersion: 2,
  initial: { status: "none" },
  evolve: (state, event) => {
    if (is(PayoutRequested, event)) {
      const { consignorId, amountCents, method } = event.data;
      return { status: "pending", consignorId, amountCents, method, claim: null };
    }
    if (state.status === "none") {
      return state;
    }
    if (is(PayoutHandleCorrected, event)) {
      return { ...state, method: event.data.method };
    }
    if (is(PayoutClaimed, event)) {
      const { claimedBy, claimedUntil } = event.data;
      return { ...state, claim: { uid: claimedBy, until: claimedUntil } };
    }
    if (is(PayoutClaimReleased, event)) {
      return { ...state, claim: null };
    }
    if (is(PayoutPaid, event)) {
      return { ...state, status: "paid" };
    }
    if (is(PayoutDeleted, event)) {
      return { ...state, status: "deleted" };
    }
    if (is(PayoutReturned, event)) {
      return { ...state, status: "returned" };
    }
    return state;
  },
};
