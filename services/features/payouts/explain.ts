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

const backAgain = "the amount is available again";
const deleted = payoutLine(
  { label: "Payout deleted", tone: "correction" },
  `deleted, ${backAgain}`,
);
const withdrawn = payoutLine(
  { label: "Payout withdrawn", tone: "correction" },
  `withdrawn, ${backAgain}`,
);

/** For what moves no money, so that it is no line of a ledger. The consignor reads it too: it names no admin. */
function requestLine<Data>(kind: "handle" | "claim", say: (data: Data) => string) {
  return {
    consignor: null,
    item: null,
    user: null,
    payout: { kind, read: (data: Data) => ({ description: say(data) }) },
  } as const;
}

export const payoutExplanations: FeatureExplanations<typeof payoutEvents> = {
  PayoutRequested: payoutLine({ label: "Payout requested", tone: "pending" }, "requested"),
  PayoutHandleCorrected: requestLine(
    "handle",
    // The event does not know the method before, which may be another one.
    ({ method }) => `Payout request: to be paid to another handle (${methodNames[method]})`,
  ),
  PayoutClaimed: requestLine("claim", () => "Payout request: the store began to pay it"),
  PayoutClaimReleased: requestLine("claim", () => "Payout request: no money was sent"),
  PayoutPaid: payoutLine({ label: "Payout paid", tone: "done" }, "paid"),
  PayoutDeleted: {
    ...deleted,
    consignor: {
      kind: "payout",
      read: (data) => (data.by === "consignor" ? withdrawn : deleted).consignor.read(data),
    },
  },
  PayoutReturned: payoutLine(
    { label: "Payout returned", tone: "correction" },
    "came back, the amount is available again",
  ),
};
