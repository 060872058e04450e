// How events from the old app read to people.
import type { FeatureExplanations } from "#features/histories.ts";
import type { migrationEvents } from "#features/migration/events.ts";
import { formatCents } from "#ledger/money.ts";

const methodNames = { cashapp: "CashApp", venmo: "Venmo" } as const;
const nothingElse = { about: null, steps: [], noteId: null } as const;

export const migrationExplanations: FeatureExplanations<typeof migrationEvents> = {
  UserMigrated: {
    consignor: {
      kind: "adjustment",
      read: () => ({
        ...nothingElse,
        chip: { label: "Adjustment", tone: "neutral" },
        description: "Opening balance from the old app",
      }),
    },
    item: null,
    user: {
      kind: "migrated",
      read: () => ({
        description: "Migrated from the old app",
        before: null,
        after: null,
        isErased: false,
        noteId: null,
      }),
    },
  },
  LegacySaleNoted: {
    consignor: {
      kind: "sale",
      read: ({ units, itemName, priceCents, payoutCents }) => ({
        ...nothingElse,
        chip: { label: "Sale", tone: "credit" },
        description: `${units > 1 ? `${units} × ` : ""}${itemName} sold in the old app for ${formatCents(priceCents)}, your share was ${formatCents(payoutCents)}`,
      }),
    },
    item: null,
    user: null,
  },
  LegacyPayoutNoted: {
    consignor: {
      kind: "payout",
      read: ({ amountCents, method }) => ({
        ...nothingElse,
        chip: { label: "Payout paid", tone: "done" },
        description: `Payout of ${formatCents(amountCents)} paid in the old app (${methodNames[method]})`,
      }),
    },
    item: null,
    user: null,
  },
};
