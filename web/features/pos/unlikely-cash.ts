// Which cash the till asks about once more before it completes a sale. The rule is in services/decisions.md.
import type { Cents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";

/** The largest note. With this much change, a note was handed over that the total did not need. */
const LARGEST_NOTE_CENTS: Cents = 100_00;

/** The sentence that asks; undefined if a customer may well hand over this much. */
export function unlikelyCash(totalCents: Cents, cashCents: Cents): string | undefined {
  const change = cashCents - totalCents;
  return change >= LARGEST_NOTE_CENTS
    ? `${formatMoney(cashCents)} for ${formatMoney(totalCents)} would be ${formatMoney(change)} in change. Is it right?`
    : undefined;
}
