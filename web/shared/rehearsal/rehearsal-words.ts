// What a rehearsal found, as rows for people: whose money and which items change, and what the store gets or gives.
import type { RehearsalResponse } from "#features/rehearsal/contract.ts";
import { toCents, type Cents } from "#ledger/money.ts";
import type { BeforeAfterRow } from "#web/ui/before-after.tsx";

const accountNames = { available: "available", pendingPayouts: "pending payouts" } as const;

/** Balances first, then what trades hold, then items. Two accounts of one person are named apart. */
export function changedRows({
  balances,
  heldForTrades,
  items,
}: RehearsalResponse): BeforeAfterRow[] {
  return [
    ...balances.map(({ displayName, account, before, after }) => ({
      label: `${displayName}, ${accountNames[account]}`,
      before: toCents(before),
      after: toCents(after),
    })),
    ...heldForTrades.map(({ before, after }) => ({
      label: "Held for this trade",
      before: toCents(before),
      after: toCents(after),
    })),
    ...items.map(({ itemName, before, after }) => ({
      label: `${itemName}, units`,
      before,
      after,
      unit: "units" as const,
    })),
  ];
}

const storeNames: Readonly<Record<string, string>> = {
  "store:revenue": "Store's share",
  "store:shipping": "Shipping",
  "store:sales-tax": "Sales tax",
  "store:trade-commission": "Trade commission",
  "store:adjustments": "Store's adjustments",
  "world:customers": "Customers",
  "world:cashapp": "Paid by CashApp",
  "world:venmo": "Paid by Venmo",
  "world:tax-authority": "Tax authority",
};

export type StoreChange = { readonly label: string; readonly cents: Cents };

/** What customers pay is the other side of the same amounts, and is seen as such: a refund gives them money. */
export function storeChanges({ store }: RehearsalResponse): StoreChange[] {
  return store
    .filter(({ change }) => change !== 0)
    .map(({ account, change }) => ({
      label: storeNames[account] ?? account,
      cents: toCents(change),
    }));
}
