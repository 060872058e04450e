// The address that pays a request, with amount and note filled in.
import type { PayoutView } from "#features/payouts/contract.ts";

/** Null if the handle is not known. */
export function linkOf(payout: Pick<PayoutView, "cashAppLink" | "venmoLink">): string | null {
  return payout.cashAppLink ?? payout.venmoLink;
}
