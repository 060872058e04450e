// An account of the old app with a past sale and a paid payout, as the file's reader gives it.
import type { LegacyAccount } from "#features/migration/legacy-file.ts";

export const oldAccountOfBlake: LegacyAccount = {
  oldId: null,
  email: null,
  username: "blake",
  displayName: "Blake of old",
  holdings: {
    balanceCents: 4_200,
    items: [],
    sales: [
      {
        itemName: "Kettle of old",
        units: 1,
        priceCents: 2_000,
        shippingCents: 0,
        payoutCents: 1_000,
        happenedAt: null,
      },
    ],
    payouts: [{ amountCents: 700, method: "venmo", paid: true, handle: "", happenedAt: null }],
  },
  roundings: [],
  ignored: new Map(),
};
