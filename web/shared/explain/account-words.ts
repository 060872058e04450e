// What the accounts of the store and of the world outside are called.
import type { StoreAccount } from "#features/accounts/contract-explain-store.ts";

export const accountNames: Readonly<Record<StoreAccount, string>> = {
  "store:revenue": "Store's share",
  "store:shipping": "Shipping",
  "store:sales-tax": "Sales tax",
  "store:trade-commission": "Trade commission",
  "store:adjustments": "Adjustments",
  "world:customers": "Customers",
  "world:cashapp": "CashApp",
  "world:venmo": "Venmo",
  "world:tax-authority": "Tax authority",
  "world:opening-balances": "Old app's balances",
};
