// How closed months and remitted sales tax read to admins.
import type { FeatureExplanations } from "#features/histories.ts";
import type { monthEvents } from "#features/months/events.ts";
import { monthName } from "#features/months/streams.ts";
import { formatCents } from "#ledger/money.ts";

const forNobody = { consignor: null, item: null, user: null } as const;

export const monthExplanations: FeatureExplanations<typeof monthEvents> = {
  MonthClosed: {
    ...forNobody,
    months: {
      kind: "closed",
      read: ({ month }) => ({
        description: `${monthName(month)} closed. What is dated into it from now on is booked in the open month`,
      }),
    },
  },
  SalesTaxRemitted: {
    ...forNobody,
    remittances: {
      kind: "remitted",
      read: ({ amountCents, month, reference, noteId }) => ({
        description: `${formatCents(amountCents)} of sales tax remitted for ${monthName(month)}${reference === "" ? "" : ` (${reference})`}`,
        noteId,
      }),
    },
  },
  SalesTaxRemittanceReversed: {
    ...forNobody,
    remittances: {
      kind: "reversed",
      read: ({ amountCents, month, noteId }) => ({
        description: `Remittance of ${formatCents(amountCents)} of sales tax for ${monthName(month)} taken back: it was entered wrong`,
        noteId,
      }),
    },
  },
};
