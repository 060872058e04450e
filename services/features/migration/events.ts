// What happened when an account of the old app became a user's. No event holds a name, an address or a handle.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import { centsFromZero, uid, uuid, wholeCents } from "#ledger/fields.ts";

/** An account of the old app became this user's. Postings: world:opening-balances ↔ available. */
export const UserMigrated = defineEvent(
  "UserMigrated",
  1,
  z.object({
    uid,
    /** identity.legacy_users. */
    legacyId: uuid,
    openingCents: wholeCents,
    items: z.int(),
    sales: z.int(),
    paidPayouts: z.int(),
    pendingPayouts: z.int(),
  }),
);

/** A sale that the old app had booked. It moves nothing: its money is in the opening balance. */
export const LegacySaleNoted = defineEvent(
  "LegacySaleNoted",
  1,
  z.object({
    uid,
    legacyId: uuid,
    itemName: z.string(),
    units: z.int().check(z.nonnegative()),
    priceCents: centsFromZero,
    shippingCents: centsFromZero,
    payoutCents: centsFromZero,
  }),
);

/** A payout that the old app had paid. It moves nothing. */
export const LegacyPayoutNoted = defineEvent(
  "LegacyPayoutNoted",
  1,
  z.object({
    uid,
    legacyId: uuid,
    amountCents: centsFromZero,
    method: z.enum(["cashapp", "venmo"]),
  }),
);

/** Every event of this feature. */
export const migrationEvents = [UserMigrated, LegacySaleNoted, LegacyPayoutNoted] as const;
