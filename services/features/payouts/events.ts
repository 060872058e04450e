// What can happen to a payout request. Handles of people stay outside the log: an event refers to one by id.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import { centsFromZero, uid, uuid } from "#ledger/fields.ts";

const method = z.enum(["cashapp", "venmo"]);

/** Postings: available → payouts, so that nothing can be requested twice. */
export const PayoutRequested = defineEvent(
  "PayoutRequested",
  1,
  z.object({
    payoutId: uuid,
    consignorId: uid,
    amountCents: centsFromZero,
    method,
    /** identity.payout_handles; the handle may be erased, the reference stays. */
    handleId: uuid,
  }),
);

/** Postings: payouts → world:cashapp or world:venmo. Final. */
export const PayoutPaid = defineEvent(
  "PayoutPaid",
  1,
  z.object({ payoutId: uuid, consignorId: uid, amountCents: centsFromZero, method }),
);

/** Postings: payouts → available. Final. */
export const PayoutDeleted = defineEvent(
  "PayoutDeleted",
  1,
  z.object({ payoutId: uuid, consignorId: uid, amountCents: centsFromZero, method }),
);

/** Every event of this feature. */
export const payoutEvents = [PayoutRequested, PayoutPaid, PayoutDeleted] as const;
