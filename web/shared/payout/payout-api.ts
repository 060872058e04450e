// The calls about one person's pending payouts: reading them, and marking one as paid.
import {
  payoutSettledResponse,
  pendingResponse,
  type PayoutSettledResponse,
  type PendingPayout,
  type PendingResponse,
} from "#features/payouts/contract.ts";
import { pathOf, send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";

const MOST = 5;

/** The oldest pending requests of one person. */
export function usePendingPayoutsOf(consignor: string): Read<PendingResponse> {
  return useRead(pathOf("/payouts/pending", { consignor, limit: MOST }), pendingResponse);
}

export type NamedPayout = Pick<PendingPayout, "id" | "consignorID">;

export function payoutPath({ id, consignorID }: NamedPayout): string {
  return `/payouts/${encodeURIComponent(consignorID)}/${id}`;
}

export function markPaid(payout: NamedPayout, key: string): Promise<PayoutSettledResponse> {
  const path = `${payoutPath(payout)}/paid`;
  return send({ method: "PATCH", path, answer: payoutSettledResponse, key });
}
