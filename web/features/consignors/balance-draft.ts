// An adjustment as an admin types it: a change of the balance, or the new balance. Each follows from the other.
import type { Cents } from "#ledger/money.ts";
import { dollarsText, parseDollars } from "#web/lib/amount.ts";

/** What was typed last. The other field follows it, also if the balance changes in the meantime. */
export type BalanceDraft = { readonly field: "change" | "balance"; readonly text: string };

/** "12.50", "+4", "-$3", "−3.00" as cents; undefined for anything else. */
export function parseSigned(text: string): Cents | undefined {
  const match = /^\s*([-−+])?\s*(.*)$/.exec(text);
  const cents = parseDollars(match?.[2] ?? "");
  const isNegative = match?.[1] === "-" || match?.[1] === "−";
  return cents === undefined || !isNegative || cents === 0 ? cents : -cents;
}

/** The balance that the draft leads to; undefined while it is not an amount. An empty change changes nothing. */
export function balanceAfter({ field, text }: BalanceDraft, before: Cents): Cents | undefined {
  const typed = field === "change" && text.trim() === "" ? 0 : parseSigned(text);
  return typed === undefined || field === "balance" ? typed : before + typed;
}

function signedText(cents: Cents): string {
  return cents > 0 ? `+${dollarsText(cents)}` : dollarsText(cents);
}

/** Phones have no minus among their digits. */
export function withOtherSign(text: string): string {
  const bare = text.trim().replace(/^[-−+]\s*/u, "");
  return /^\s*[-−]/u.test(text) ? bare : `-${bare}`;
}

/** The texts of both fields. */
export function fieldTexts(
  draft: BalanceDraft,
  before: Cents,
): { readonly change: string; readonly balance: string } {
  const after = balanceAfter(draft, before);
  if (draft.field === "change") {
    return { change: draft.text, balance: after === undefined ? "" : dollarsText(after) };
  }
  const isSame = after === undefined || after === before;
  return { change: isSame ? "" : signedText(after - before), balance: draft.text };
}
