// The payout dialog's fields as typed, and their errors in the specified sentences.
import { requestPayoutRequest, type RequestPayoutRequest } from "#features/payouts/contract.ts";
import { formatCents, type Cents } from "#ledger/money.ts";
import { dollarsToSend, parseDollars } from "#web/lib/amount.ts";
import { errorsIn, type FieldErrors } from "#web/lib/form-errors.ts";
import { whereTo, type HandleDraft } from "#web/shared/payout/handle-draft.ts";

export type PayoutDraft = HandleDraft & { readonly amount: string };

export function requestOf(draft: PayoutDraft): unknown {
  return { amount: dollarsToSend(draft.amount), ...whereTo(draft) };
}

/** Errors found before sending. The fields are the request's. */
export function draftErrors(draft: PayoutDraft, availableCents: Cents): FieldErrors {
  const { paymentUsername, ...found } = errorsIn(requestPayoutRequest, requestOf(draft));
  const cents = parseDollars(draft.amount);
  return {
    ...found,
    // Without a method there is no handle to check.
    ...(paymentUsername === undefined || draft.method === "" ? {} : { paymentUsername }),
    ...(cents !== undefined && cents > availableCents
      ? {
          amount: `Cannot request more than your current balance of ${formatCents(availableCents)}`,
        }
      : {}),
  };
}

/** The checked request. Call it only if `draftErrors` found nothing. */
export function checkedRequest(draft: PayoutDraft): RequestPayoutRequest {
  return requestPayoutRequest.parse(requestOf(draft));
}
