// Reads from the address which number is explained. Apart from `why.ts`, which the dashboard loads first.
import type { ExplainedNumber } from "#features/accounts/contract-explain.ts";
import { storeAccount, type TotalNumber } from "#features/accounts/contract-explain-store.ts";
import { soldNumber } from "#features/sales/contract-totals.ts";
import { WHY, type Why } from "./why.ts";

const numbers: readonly ExplainedNumber[] = [
  "available",
  "pendingPayouts",
  "heldForTrades",
  "totalPaid",
  "sales",
];

const totals: readonly TotalNumber[] = [
  "owed",
  "negative",
  "pendingPayouts",
  "pendingCashApp",
  "pendingVenmo",
  "heldForTrades",
];

/** Undefined for anything that this version does not know. */
export function whyIn(params: URLSearchParams): Why | undefined {
  const asked = params.get(WHY) ?? "";
  const [kind = "", id = "", line = ""] = asked.split(":");
  if (id === "") {
    return undefined;
  }
  if (kind === "report") {
    return { kind, id: asked.slice("report:".length) };
  }
  if (kind === "account") {
    const account = storeAccount.safeParse(asked.slice("account:".length));
    return account.success ? { kind, id: account.data } : undefined;
  }
  const number = numbers.find((name) => name === kind);
  if (number !== undefined) {
    return { kind: "number", number, uid: id };
  }
  if (kind === "payout" || kind === "sale" || kind === "item") {
    return { kind, id };
  }
  const sold = kind === "sold" ? soldNumber.safeParse(id) : undefined;
  if (sold?.success === true) {
    return { kind: "sold", id: sold.data };
  }
  const ownSold = kind === "ownSold" ? soldNumber.safeParse(id) : undefined;
  if (ownSold?.success === true && line !== "") {
    return { kind: "ownSold", number: ownSold.data, uid: line };
  }
  const total = kind === "total" ? totals.find((name) => name === id) : undefined;
  if (total !== undefined) {
    return { kind: "total", id: total };
  }
  return kind === "line" && line !== "" ? { kind, uid: id, line } : undefined;
}
