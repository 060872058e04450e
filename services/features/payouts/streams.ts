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
  /** Where it goes; once it is paid, where it went. */
  readonly handle: PayoutHandle;
  /** What the consignor corrected, the last first, at most `MOST_EARLIER`: the money may have been sent there. */
  readonly earlierHandles: readonly PayoutHandle[];
  /** Who began to pay it, and until when others should not; null if nobody did, or if no money was sent. */
  readonly claim: PayoutClaim | null;
};

/** A handle's row in identity.payout_handles, and the hash that binds it; null for old requests. */
export type PayoutHandle = {
  readonly method: PayoutMethod;
  readonly handleId: string;
  readonly handleHash: string | null;
};

/** Nobody leaves a request open on a screen while it is corrected more often. */
const MOST_EARLIER = 20;

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
      const { consignorId, amountCents, method, handleId, handleHash } = event.data;
      const handle = { method, handleId, handleHash };
      const open = { status: "pending", earlierHandles: [], claim: null } as const;
      return { ...open, consignorId, amountCents, handle };
    }
    if (state.status === "none") {
      return state;
    }
    if (is(PayoutHandleCorrected, event)) {
      const { method, handleId, handleHash } = event.data;
      const earlierHandles = [state.handle, ...state.earlierHandles]
        .filter((earlier) => earlier.handleId !== handleId)
        .slice(0, MOST_EARLIER);
      return { ...state, handle: { method, handleId, handleHash }, earlierHandles };
    }
    if (is(PayoutClaimed, event)) {
      const { claimedBy, claimedUntil } = event.data;
      return { ...state, claim: { uid: claimedBy, until: claimedUntil } };
    }
    if (is(PayoutClaimReleased, event)) {
      return { ...state, claim: null };
    }
    if (is(PayoutPaid, event)) {
      const { method, handleId, handleHash } = event.data;
      const handle = handleId === null ? state.handle : { method, handleId, handleHash };
      return { ...state, status: "paid", handle };
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
