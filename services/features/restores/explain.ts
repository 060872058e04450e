// How a restore and the check of its payouts read to admins.
import type { FeatureExplanations } from "#features/histories.ts";
import type { restoreEvents } from "#features/restores/events.ts";

const inNoOther = { consignor: null, item: null, user: null } as const;

export const restoreExplanations: FeatureExplanations<typeof restoreEvents> = {
  StoreRestored: {
    ...inNoOther,
    hold: {
      kind: "held",
      read: ({ backedUpAt }) => ({
        description: `Store restored from the back-up of ${backedUpAt}. Payouts wait until they are checked`,
        noteId: null,
      }),
    },
  },
  RestoredPayoutsChecked: {
    ...inNoOther,
    hold: {
      kind: "lifted",
      read: ({ noteId }) => ({ description: "Payouts checked after the restore", noteId }),
    },
  },
};
