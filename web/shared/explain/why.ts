// Which number is explained, as the address says it: `?why=available:<uid>`, `total:<number>`, `sold:<number>`, `account:<account>`, `payout:<id>`, `line:<uid>:<n>`.
import { useLocation } from "react-router-dom";
import type { ExplainedNumber } from "#features/accounts/contract-explain.ts";
import type { SoldNumber } from "#features/sales/contract-totals.ts";
import type { StoreAccount, TotalNumber } from "#features/accounts/contract-explain-store.ts";

export type Why =
  /** A number about a person: the lines that it is the sum of. */
  | { readonly kind: "number"; readonly number: ExplainedNumber; readonly uid: string }
  /** A number over all people: whose numbers it is the sum of. For admins. */
  | { readonly kind: "total"; readonly id: TotalNumber }
  /** A total of the sales that the address filters. For admins. */
  | { readonly kind: "sold"; readonly id: SoldNumber }
  /** A total of a consignor's own sales that the address filters. */
  | { readonly kind: "ownSold"; readonly number: SoldNumber; readonly uid: string }
  /** A number of a report: see `report-why.ts`. For admins. */
  | { readonly kind: "report"; readonly id: string }
  /** An account of the store by days. For admins. */
  | { readonly kind: "account"; readonly id: StoreAccount }
  /** Which sales paid for a payout. */
  | { readonly kind: "payout"; readonly id: string }
  /** The same for any line of a person's ledger that took money. */
  | { readonly kind: "line"; readonly uid: string; readonly line: string }
  /** What a sale's money paid for. */
  | { readonly kind: "sale"; readonly id: string }
  /** How an item's units came in, and which sales took them. */
  | { readonly kind: "item"; readonly id: string };

export const WHY = "why";

function whyText(why: Why): string {
  if (why.kind === "number") {
    return `${why.number}:${why.uid}`;
  }
  if (why.kind === "ownSold") {
    return `ownSold:${why.number}:${why.uid}`;
  }
  return why.kind === "line" ? `line:${why.uid}:${why.line}` : `${why.kind}:${why.id}`;
}

/** The address of the explanation over the screen that is shown now. */
export function useWhyPath(): (why: Why) => string {
  const { pathname, search, hash } = useLocation();
  return (why) => {
    const params = new URLSearchParams(search);
    params.set(WHY, whyText(why));
    return `${pathname}?${params.toString()}${hash}`;
  };
}
