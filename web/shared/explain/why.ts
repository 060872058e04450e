// Which number is explained, as the address says it: `?why=available:<uid>`, `payout:<id>`, `sale:<id>`, `line:<uid>:<n>`.
import { useLocation } from "react-router-dom";
import type { ExplainedNumber } from "#features/accounts/contract-explain.ts";

export type Why =
  /** A number about a person: the lines that it is the sum of. */
  | { readonly kind: "number"; readonly number: ExplainedNumber; readonly uid: string }
  /** Which sales paid for a payout. */
  | { readonly kind: "payout"; readonly id: string }
  /** The same for any line of a person's ledger that took money. */
  | { readonly kind: "line"; readonly uid: string; readonly line: string }
  /** What a sale's money paid for. */
  | { readonly kind: "sale"; readonly id: string };

export const WHY = "why";

// Not the contract's schema: the dashboard loads this file first.
const numbers: readonly ExplainedNumber[] = [
  "available",
  "pendingPayouts",
  "heldForTrades",
  "totalPaid",
  "sales",
];

function whyText(why: Why): string {
  if (why.kind === "number") {
    return `${why.number}:${why.uid}`;
  }
  return why.kind === "line" ? `line:${why.uid}:${why.line}` : `${why.kind}:${why.id}`;
}

/** Undefined for anything that this version does not know. */
export function whyIn(params: URLSearchParams): Why | undefined {
  const [kind = "", id = "", line = ""] = (params.get(WHY) ?? "").split(":");
  if (id === "") {
    return undefined;
  }
  const number = numbers.find((name) => name === kind);
  if (number !== undefined) {
    return { kind: "number", number, uid: id };
  }
  if (kind === "payout" || kind === "sale") {
    return { kind, id };
  }
  return kind === "line" && line !== "" ? { kind, uid: id, line } : undefined;
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
