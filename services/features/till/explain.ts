// How a counted day of the till reads to admins.
import type { FeatureExplanations } from "#features/histories.ts";
import type { tillEvents } from "#features/till/events.ts";
import { formatCents } from "#ledger/money.ts";

/** "exact", "$2.00 over", "$2.00 short" */
function differenceWords(differenceCents: number): string {
  if (differenceCents === 0) {
    return "exact";
  }
  return `${formatCents(Math.abs(differenceCents))} ${differenceCents > 0 ? "over" : "short"}`;
}

export const tillExplanations: FeatureExplanations<typeof tillEvents> = {
  TillDayClosed: {
    consignor: null,
    item: null,
    user: null,
    till: {
      kind: "counted",
      read: ({ day, countedCents, expectedCents, noteId }) => ({
        description: `Drawer of ${day} counted: ${formatCents(countedCents)}, ${differenceWords(countedCents - expectedCents)}`,
        noteId,
      }),
    },
  },
};
