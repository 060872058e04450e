// The balance that a form may count on: not one that is held back, which is as old as its row.
import type { BalanceResponse } from "#features/accounts/contract.ts";
import type { Read } from "#web/lib/read.ts";

/** In dollars; undefined while it is not known. */
export function knownBalance({
  data,
  freshness,
}: Pick<Read<BalanceResponse>, "data" | "freshness">): number | undefined {
  return (freshness?.heldRows ?? 0) > 0 ? undefined : data?.balance;
}
