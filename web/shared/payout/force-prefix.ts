// The prefix of a payout handle, which fields force: $ for CashApp, @ for Venmo.
import { HANDLE_PREFIX, type PayoutMethodName } from "#features/payouts/contract.ts";

/** Adds the prefix once, whatever was typed or pasted: "avery" and "$$avery" become "$avery". */
export function forcePrefix(method: PayoutMethodName, typed: string): string {
  const prefix = HANDLE_PREFIX[method];
  const bare = typed.trimStart();
  return `${prefix}${bare.slice(bare.search(new RegExp(`[^${prefix}\\s]|$`)))}`;
}
