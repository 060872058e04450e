// How a counted day of the till reads to admins.
import type * as z from "zod/mini";
import type { FeatureExplanations } from "#features/histories.ts";
import type { TillDayClosed, tillEvents } from "#features/till/events.ts";
import { dayText } from "#ledger/day-text.ts";
import { formatCents } from "#ledger/money.ts";

/** "exact", "$2.00 over", "$2.00 short" */
function differenceWords(differenceCents: number): string {
  if (differenceCents === 0) {
    return "exact";
  }
  return `${formatCents(Math.abs(differenceCents))} ${differenceCents > 0 ? "over" : "short"}`;
}

/** What the expected amount is made of; parts of zero are left out, except the first. */
function expectedWords(day: z.infer<typeof TillDayClosed.schema>): string {
  const cash = day.payments.find(({ tender }) => tender === "cash");
  const parts = [
    ["plus", cash?.soldCents ?? 0, "cash sales"],
    ["less", cash?.refundedCents ?? 0, "cash refunds"],
    ["plus", day.paidInCents, "put in"],
    ["less", day.paidOutCents, "taken out"],
  ] as const;
  return [
    `Expected ${formatCents(day.expectedCents)}: ${formatCents(day.openingCents)} at opening`,
    ...parts.flatMap(([sign, cents, what]) =>
      cents === 0 ? [] : [`${sign} ${formatCents(cents)} ${what}`],
    ),
  ].join(", ");
}

export const tillExplanations: FeatureExplanations<typeof tillEvents> = {
  TillDayClosed: {
    consignor: null,
    item: null,
    user: null,
    till: {
      kind: "counted",
      read: (data) => ({
        description: [
          `Drawer of ${dayText(data.day)} counted: ${formatCents(data.countedCents)}, ${differenceWords(data.countedCents - data.expectedCents)}`,
          expectedWords(data),
          `${formatCents(data.leftCents)} stayed`,
        ].join(". "),
        noteId: data.noteId,
      }),
    },
  },
};
