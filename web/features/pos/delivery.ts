// What becomes of a line after the server's answer, or after a person's decision: pure steps, so that nothing is booked twice or forgotten.
import type { ApiError } from "#web/lib/api-error.ts";
import type { CartItem } from "./cart.ts";
import { sealed, type QueuedLine, type RefusedLine, type WaitingLine } from "./taken-sale.ts";

/** What came of sending one line. */
export type Outcome =
  | { readonly kind: "booked"; readonly ledgerSaleId: string }
  | { readonly kind: "failed"; readonly error: ApiError };

export type AfterOutcome = {
  readonly line: QueuedLine;
  /** `stop`: the others would fare no better now. `later`: this one shall be tried again. */
  readonly next: "go-on" | "later" | "stop";
};

/** Statuses with which the ledger, or the check before it, says no for good. */
const definite = new Set([400, 404, 409, 422]);
/** Answers with such a status that are none of the ledger's: a proxy's page, an address that is not there. */
const notTheLedger = new Set(["unreadable_answer", "unexpected_answer", "not_found"]);

export function afterOutcome(line: WaitingLine, outcome: Outcome): AfterOutcome {
  if (outcome.kind === "booked") {
    const { problem: _, ...rest } = line;
    return {
      line: { ...rest, status: "booked", ledgerSaleId: outcome.ledgerSaleId },
      next: "go-on",
    };
  }
  const { status, code, message } = outcome.error;
  if (code === "sold_in_future") {
    // Nothing was stored under the key, and the till's clock will not get better by waiting.
    return { line: sealed({ ...line, soldAt: null, problem: message }), next: "later" };
  }
  if (definite.has(status) && code !== "contended" && !notTheLedger.has(code)) {
    const { problem: _, ...rest } = line;
    return { line: { ...rest, status: "refused", code, message }, next: "go-on" };
  }
  // An answer of 500 and above may be this line's fault alone; silence and a closed door are everybody's.
  const isOwn = code === "contended" || status >= 500 || notTheLedger.has(code);
  return {
    line: { ...line, problem: status === 0 ? "" : message },
    next: isOwn ? "later" : "stop",
  };
}

function withNewKey(line: RefusedLine, changes: Partial<WaitingLine>): WaitingLine {
  const { code: _code, message: _message, ...rest } = line;
  const round = line.round + 1;
  const sendKey = `${line.lineKey}:${round}`;
  return sealed({ ...rest, ...changes, status: "waiting", problem: "", round, sendKey });
}

/** Settled: what was sold was another item. */
export function asAnotherItem(line: RefusedLine, target: CartItem): WaitingLine {
  return withNewKey(line, { target });
}

/** Settled: it was there after all and has been counted in; the same sale again. */
export function asCounted(line: RefusedLine): WaitingLine {
  return withNewKey(line, {});
}

/** Settled: the customer got the money back. */
export function asRefunded(line: RefusedLine, refundedAt: string): QueuedLine {
  const { code: _code, message: _message, ...rest } = line;
  return { ...rest, status: "refunded", refundedAt };
}

/** What a person can do about a refusal; a deleted item cannot be counted. */
export function canBeCounted(line: RefusedLine): boolean {
  return line.code === "not_enough_stock";
}
