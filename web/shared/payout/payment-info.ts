// The read of the payout handles that a person used last.
import { paymentInfoResponse, type PaymentInfoResponse } from "#features/payouts/contract.ts";
import { useRead, type Read } from "#web/lib/read.ts";

export function usePaymentInfo(uid: string): Read<PaymentInfoResponse> {
  return useRead(`/payouts/${uid}/payment-info`, paymentInfoResponse);
}
