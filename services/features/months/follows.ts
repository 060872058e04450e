// What a closed month and remitted sales tax may say by the state of their streams before them, whoever wrote it: part of `npm run verify`.
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import type { Subject } from "#ledger/verify/stream-rules.ts";
import { follows, saysOther } from "#ledger/verify/stream-rules.ts";
import { refuseClosing } from "#features/months/decider.ts";
import { findRemittance } from "#features/months/decider-tax.ts";
import {
  MonthClosed,
  SalesTaxRemittanceReversed,
  SalesTaxRemitted,
} from "#features/months/events.ts";
import type { MonthsState, RemittancesState } from "#features/months/streams.ts";
import { MONTHS, monthsStream, REMITTANCES, remittancesStream } from "#features/months/streams.ts";

const ofMonths: Subject<unknown, MonthsState> = {
  check: "months",
  definition: monthsStream,
  streamOf: () => MONTHS,
};

const ofRemittances: Subject<unknown, RemittancesState> = {
  check: "months",
  definition: remittancesStream,
  streamOf: () => REMITTANCES,
};

export const monthFollows: readonly BookCheck[] = [
  follows(
    MonthClosed,
    ofMonths,
    ({ month, from, to }, before, { happenedAt }) =>
      refuseClosing(before, { month, from, to, happenedAt })?.message ?? null,
  ),
  follows(SalesTaxRemitted, ofRemittances, ({ remittanceId }, { remittances }) =>
    remittances.some(({ id }) => id === remittanceId) ? "it was remitted before" : null,
  ),
  follows(SalesTaxRemittanceReversed, ofRemittances, ({ remittanceId, ...said }, before) => {
    const found = findRemittance(before, remittanceId);
    if ("kind" in found) {
      return found.message;
    }
    const { month, amountCents } = said;
    return saysOther(
      { month, amountCents },
      { month: found.month, amountCents: found.amountCents },
    );
  }),
];
