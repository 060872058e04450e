// The reads and calls of the payout request dialog. Loaded with the dialog.
import {
  requestPayoutResponse,
  type RequestPayoutRequest,
  type RequestPayoutResponse,
} from "#features/payouts/contract.ts";
import { send } from "#web/lib/http.ts";

/** Throws ApiError. */
export async function requestPayout(
  uid: string,
  request: RequestPayoutRequest,
  key: string,
): Promise<RequestPayoutResponse> {
  return await send({
    method: "POST",
    path: `/payouts/${uid}/request`,
    body: request,
    answer: requestPayoutResponse,
    key,
  });
}

/**
 * Opens Venmo with a charge to the store. Amount and payout id are filled in, so that the store can match the charge.
 * Without a Venmo name of the store, the person picks it there.
 */
export function venmoChargeLink(
  { amount, payoutId }: RequestPayoutResponse,
  storeVenmoName: string | null,
): string {
  const query = new URLSearchParams({
    txn: "charge",
    amount: amount.toFixed(2),
    note: `Payout ${payoutId}`,
  });
  return `https://venmo.com/${storeVenmoName ?? ""}?${query.toString()}`;
}
