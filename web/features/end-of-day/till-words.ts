// How payments and differences of the till's days read.
import type { RefundsBy, TillDayResponse, TillPaymentView } from "#features/till/contract.ts";
import type { Cents } from "#ledger/money.ts";
import { formatDay, formatMoney } from "#web/lib/formats.ts";
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

type CountWords = Readonly<Record<"title" | "what" | "left" | "save" | "saved" | "failed", string>>;

/** The words of the form that counts a day: today's drawer as it is now, an earlier day's as it was. */
export function countWords({
  day,
  today,
  closing,
}: Pick<TillDayResponse, "day" | "today" | "closing">): CountWords {
  if (day === today) {
    return {
      title: closing === null ? "Count the drawer" : "Count the drawer again",
      what: "Money in the drawer now.",
      left: "Stays for tomorrow",
      save: "Close the day",
      saved: "Day closed",
      failed: "Error closing the day",
    };
  }
  const name = formatDay(dayDate(day));
  return {
    title: closing === null ? `Count ${name}` : `Count ${name} again`,
    what: "Money in the drawer at the end of that day.",
    left: "Stayed for the next day",
    save: "Save count",
    saved: "Count saved",
    failed: "Error saving the count",
  };
}
