// The state of a line after the server's answer or a person's decision. Pure steps, so that nothing is booked twice or forgotten.
import type { ApiError } from "#web/lib/api-error.ts";
import { agreedShareOf, type SellingTerms } from "#web/shared/sale/selling-terms.ts";
import { daysSentAgain } from "#web/shared/till/kept-at-sign-out.ts";
import type { CartItem } from "./cart.ts";
import { sealed, type QueuedLine, type RefusedLine, type WaitingLine } from "./taken-sale.ts";

/** The result of sending one line. */
export type Outcome =
  | { readonly kind: "booked"; readonly ledgerSaleId: string }
  | { readonly kind: "failed"; readonly error: ApiError };

export type AfterOutcome = {
  readonly line: QueuedLine;
  /** `stop`: the other lines would fail too. `later`: this one will be tried again. */
  readonly next: "go-on" | "later" | "stop";
};

/** Statuses with which the ledger, or the validation before it, refuses for good. */
const definite = new Set([400, 404, 409, 422]);
/** Answers with such a status that are not from the ledger: a proxy's page, or an unknown address. */
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
    // Nothing was stored under this key, and waiting does not fix the till's clock.
    return { line: sealed({ ...line, soldAt: null, problem: message }), next: "later" };
  }
  if (definite.has(status) && code !== "contended" && !notTheLedger.has(code)) {
    const { problem: _, ...rest } = line;
    return { line: { ...rest, status: "refused", code, message }, next: "go-on" };
  }
  // A status of 500 and above may concern only this line. No answer or a refused session concerns all of them.
  const isOwn = code === "contended" || status >= 500 || notTheLedger.has(code);
  return {
    line: { ...line, problem: status === 0 ? "" : message },
    next: isOwn ? "later" : "stop",
  };
}

/**
 * After the store was restored from a back-up: a line that it had booked in the last days waits again, word for word
 * under its key. If the restored store still has it, it answers as before. Null for any other line.
 */
export function afterRestore(line: QueuedLine, now: Date): WaitingLine | null {
  if (line.status !== "booked" || line.takenAtMs < now.getTime() - daysSentAgain * 86_400_000) {
    return null;
  }
  const { ledgerSaleId: _saleId, ...rest } = line;
  return { ...rest, status: "waiting", problem: "" };
}

function withNewKey(line: RefusedLine, changes: Partial<WaitingLine>): WaitingLine {
  const { code: _code, message: _message, ...rest } = line;
  const round = line.round + 1;
  const sendKey = `${line.lineKey}:${round}`;
  return sealed({ ...rest, ...changes, status: "waiting", problem: "", round, sendKey });
}

/**
 * The share of the item that a line is settled as. Another consignor's has what is agreed with them, else where the
 * sale's slider stood; an item of the same one keeps the share that it was sold with.
 */
export function shareOfTarget(
  line: RefusedLine,
  { consignorID }: CartItem,
  terms: SellingTerms,
  sliderShare: number,
): number {
  return consignorID === null || consignorID === line.target.consignorID
    ? line.consignorShare
    : (agreedShareOf(terms, consignorID) ?? sliderShare);
}

/** Settled: another item was sold. */
export function asAnotherItem(
  line: RefusedLine,
  target: CartItem,
  consignorShare: number,
): WaitingLine {
  return withNewKey(line, { target, consignorShare });
}

/** Settled: the missing units are in stock now, counted in or taken out of a trade. The same sale is sent again. */
export function asSentAgain(line: RefusedLine): WaitingLine {
  return withNewKey(line, {});
}

/** Settled: the customer got the money back. */
export function asRefunded(line: RefusedLine, refundedAt: string): QueuedLine {
  const { code: _code, message: _message, ...rest } = line;
  return { ...rest, status: "refunded", refundedAt };
}

/** How a person can settle a refusal. A deleted item cannot be counted in. */
export function canBeCounted(line: RefusedLine): boolean {
  return line.code === "not_enough_stock";
}
