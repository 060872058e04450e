// The payout dialog's fields as typed, and their errors in the specified sentences.
import {
  HANDLE_PREFIX,
  looksUsual,
  requestPayoutRequest,
  withPrefix,
  type PayoutMethodName,
  type RequestPayoutRequest,
} from "#features/payouts/contract.ts";
import { formatCents, type Cents } from "#ledger/money.ts";
import { dollarsToSend, parseDollars } from "#web/lib/amount.ts";
import { errorsIn, type FieldErrors } from "#web/lib/form-errors.ts";

export type PayoutDraft = {
  readonly method: PayoutMethodName | "";
  /** With prefix, one per method, so that switching the method loses neither. */
  readonly handles: Readonly<Record<PayoutMethodName, string>>;
  readonly amount: string;
};

export function requestOf(draft: PayoutDraft): unknown {
  const { method, handles, amount } = draft;
  return {
    amount: dollarsToSend(amount),
    method,
    paymentUsername: method === "" ? "" : handles[method],
  };
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

/** A handle that its method would not normally give out. This is a warning, not an error. */
export function seemsUnusual({ method, handles }: PayoutDraft): boolean {
  if (method === "") {
    return false;
  }
  const handle = withPrefix(method, handles[method]);
  return handle.length > HANDLE_PREFIX[method].length && !looksUsual(method, handle);
}
