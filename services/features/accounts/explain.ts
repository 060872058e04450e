// How an event in which an admin set a balance reads to people.
import type { accountEvents } from "#features/accounts/events.ts";
import type { FeatureExplanations } from "#features/histories.ts";
import { formatCents } from "#ledger/money.ts";

export const accountExplanations: FeatureExplanations<typeof accountEvents> = {
  BalanceSet: {
    consignor: {
      kind: "adjustment",
      read: ({ beforeCents, afterCents, noteId }) => ({
        chip: { label: "Adjustment", tone: "neutral" },
        description: `Balance set from ${formatCents(beforeCents)} to ${formatCents(afterCents)} by the store`,
        about: null,
        steps: [],
        noteId,
      }),
    },
    item: null,
    user: null,
  },
};
