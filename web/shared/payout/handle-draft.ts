// Where a payout goes, as typed: the method, and a handle of each, so that switching the method loses neither.
import {
  HANDLE_PREFIX,
  looksUsual,
  withPrefix,
  type PayoutMethodName,
} from "#features/payouts/contract.ts";

export type HandleDraft = {
  readonly method: PayoutMethodName | "";
  /** With prefix. */
  readonly handles: Readonly<Record<PayoutMethodName, string>>;
};

/** As the contract names it. Without a method there is no handle. */
export function whereTo({ method, handles }: HandleDraft) {
  return { method, paymentUsername: method === "" ? "" : handles[method] };
}

/** A handle that its method would not normally give out. This is a warning, not an error. */
export function seemsUnusual({ method, handles }: HandleDraft): boolean {
  if (method === "") {
    return false;
  }
  const handle = withPrefix(method, handles[method]);
  return handle.length > HANDLE_PREFIX[method].length && !looksUsual(method, handle);
}
