// How payments and differences of the till's days read.
import type { RefundsBy, TillPaymentView } from "#features/till/contract.ts";
import type { Cents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { tenderWords } from "#web/shared/receipt/receipt-content.ts";

export function paymentName({ tender }: Pick<TillPaymentView, "tender">): string {
  return tender === null ? "Not recorded" : tenderWords[tender];
}

const refundNames: Readonly<Record<RefundsBy, string>> = {
  ...tenderWords,
  unsaid: "Not recorded",
  elsewhere: "Not at the till",
};

/** "Cash", "Not at the till" */
export function refundsName(by: RefundsBy): string {
  return refundNames[by];
}

/** "Exact", "$2.00 over", "$2.00 short" */
export function differenceText(differenceCents: Cents): string {
  if (differenceCents === 0) {
    return "Exact";
  }
  return `${formatMoney(Math.abs(differenceCents))} ${differenceCents > 0 ? "over" : "short"}`;
}

/** A day without a time of day, as people read it: "2026-11-22" is not the evening before in any time zone. */
export function dayDate(day: string): Date {
  return new Date(`${day}T12:00:00`);
}
