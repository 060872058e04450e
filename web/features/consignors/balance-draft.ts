// The new balance that an admin types: dollars, positive or negative.
import type { Cents } from "#ledger/money.ts";
import { parseDollars } from "#web/lib/amount.ts";

/** "12.50", "-$3", "−3.00" as cents; undefined for anything else. */
export function parseBalance(text: string): Cents | undefined {
  const match = /^\s*([-−])?\s*(.*)$/.exec(text);
  const cents = parseDollars(match?.[2] ?? "");
  return cents === undefined || match?.[1] === undefined || cents === 0 ? cents : -cents;
}
