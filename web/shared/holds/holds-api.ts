// Payout holds: whether a person can request a payout, all open holds, and lifting one.
import {
  holdsResponse,
  liftHoldResponse,
  ownHoldsResponse,
  type HoldsResponse,
  type LiftHoldRequest,
  type LiftHoldResponse,
  type OwnHoldsResponse,
} from "#features/holds/contract.ts";
import { send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";

export function usePayoutHolds(uid: string): Read<OwnHoldsResponse> {
  return useRead(`/payouts/${uid}/holds`, ownHoldsResponse);
}

/** Everybody's. For admins. */
export function useAllHolds(): Read<HoldsResponse> {
  return useRead("/payouts/holds", holdsResponse);
}

/** Throws ApiError. */
export async function liftHold(request: LiftHoldRequest, key: string): Promise<LiftHoldResponse> {
  return await send({
    method: "POST",
    path: "/payouts/holds/lift",
    body: request,
    answer: liftHoldResponse,
    key,
  });
}
