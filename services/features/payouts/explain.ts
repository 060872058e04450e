// How payouts read to people, as lines of a consignor's ledger.
import type { FeatureExplanations, LedgerWords } from "#features/histories.ts";
import type { payoutEvents } from "#features/payouts/events.ts";
import { formatCents } from "#ledger/money.ts";

type PayoutData = {
  readonly payoutId: string;
  readonly amountCents: number;
  readonly method: keyof typeof methodNames;
  /** The reason of a return. */
  readonly noteId?: string | null;
};

const methodNames = { cashapp: "CashApp", venmo: "Venmo" } as const;

function payoutLine(chip: LedgerWords["chip"], whatHappened: string) {
  return {
    consignor: {
      kind: "payout",
      read: ({ payoutId, amountCents, method, noteId = null }: PayoutData): LedgerWords => ({
        chip,
        description: `Payout of ${formatCents(amountCents)} ${whatHappened} (${methodNames[method]})`,
        about: { kind: "payout", id: payoutId },
        steps: [],
        noteId,
      }),
    },
    item: null,
    user: null,
  } as const;
}

export const payoutExplanations: FeatureExplanations<typeof payoutEvents> = {
  PayoutRequested: payoutLine({ label: "Payout requested", tone: "pending" }, "requested"),
  // Nothing of theirs moves.
  PayoutHandleCorrected: { consignor: null, item: null, user: null },
  PayoutClaimed: { consignor: null, item: null, user: null },
  PayoutClaimReleased: { consignor: null, item: null, user: null },
  PayoutPaid: payoutLine({ label: "Payout paid", tone: "done" }, "paid"),
  PayoutDeleted: payoutLine(
    { label: "Payout deleted", tone: "correction" },
    "deleted, the amount is available again",
  ),
  PayoutReturned: payoutLine(
    { label: "Payout returned", tone: "correction" },
    "came back, the amount is available again",
  ),
};
