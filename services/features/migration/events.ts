// What happened when an old account was migrated to a user. No event contains a name, an address or a handle.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import { centsFromZero, uid, uuid, wholeCents } from "#ledger/fields.ts";

/** An old account was migrated to this user. Postings: world:opening-balances ↔ available. */
export const UserMigrated = defineEvent(
  "UserMigrated",
  1,
  z.object({
    uid,
    /** The id in identity.legacy_users. */
    legacyId: uuid,
    openingCents: wholeCents,
    items: z.int(),
    sales: z.int(),
    paidPayouts: z.int(),
    pendingPayouts: z.int(),
  }),
);

/** A sale in the old app. It moves nothing: its money is in the opening balance. */
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

/** A payout paid in the old app. It moves nothing. */
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
