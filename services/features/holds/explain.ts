// How payout holds read to admins, and the sentence that says what an open one is about.
import type { FeatureExplanations } from "#features/histories.ts";
import type { holdEvents } from "#features/holds/events.ts";
import type { Hold } from "#features/holds/streams.ts";

const inNoOther = { consignor: null, item: null, user: null } as const;

const countFormat = new Intl.NumberFormat("en-US");

/** "The event at position 1,204 could not be applied to a row of payouts". */
export function describeHold({
  cause,
  projection,
  rowKey,
  atPosition,
}: Pick<Hold, "cause" | "projection" | "rowKey" | "atPosition">): string {
  const rows = rowKey === null ? `many rows of ${projection}` : `a row of ${projection}`;
  const position = countFormat.format(atPosition);
  return cause === "row"
    ? `The event at position ${position} could not be applied to ${rows}`
    : `At position ${position}, ${rows} differed from the log`;
}

export const holdExplanations: FeatureExplanations<typeof holdEvents> = {
  PayoutsHeld: {
    ...inNoOther,
    hold: {
      kind: "held",
      read: (data) => ({ description: `Payouts held. ${describeHold(data)}`, noteId: null }),
    },
  },
  PayoutsReleased: {
    ...inNoOther,
    hold: {
      kind: "released",
      read: () => ({ description: "Payout hold released: the row is right again", noteId: null }),
    },
  },
  PayoutHoldLifted: {
    ...inNoOther,
    hold: {
      kind: "lifted",
      read: ({ noteId }) => ({ description: "Payout hold lifted by an admin", noteId }),
    },
  },
};
