// What can happen to a payout request. People's handles stay outside the log: an event refers to one by id.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import { centsFromZero, instant, uid, uuid } from "#ledger/fields.ts";

const method = z.enum(["cashapp", "venmo"]);
const handleHash = z.string().check(z.regex(/^[0-9a-f]{64}$/u));

/** Postings: available → payouts, so that nothing can be requested twice. */
export const PayoutRequested = defineEvent(
  "PayoutRequested",
  2,
  z.object({
    payoutId: uuid,
    consignorId: uid,
    amountCents: centsFromZero,
    method,
    /** The id in identity.payout_handles; the handle may be erased, the reference stays. */
    handleId: uuid,
    /**
     * Hex sha256 of the salt in the handle's row, the method and the handle. The salt is erased with the handle, and
     * then the hash reveals nothing. Null for requests of version 1, which had no hash.
     */
    handleHash: z.nullable(handleHash),
  }),
  { 1: (data) => ({ ...Object(data), handleHash: null }) },
);

/** The consignor named another handle before anybody began to pay. It posts nothing. */
export const PayoutHandleCorrected = defineEvent(
  "PayoutHandleCorrected",
  1,
  z.object({
    payoutId: uuid,
    consignorId: uid,
    method,
    /** As in `PayoutRequested`. */
    handleId: uuid,
    handleHash,
  }),
);

/** An admin began to pay: for a few minutes nobody else should. It posts nothing. */
export const PayoutClaimed = defineEvent(
  "PayoutClaimed",
  1,
  z.object({ payoutId: uuid, consignorId: uid, claimedBy: uid, claimedUntil: instant }),
);

/** An admin said that no money was sent: anybody may begin again. It posts nothing. */
export const PayoutClaimReleased = defineEvent(
  "PayoutClaimReleased",
  1,
  z.object({ payoutId: uuid, consignorId: uid, claimedBy: uid }),
);

/** Postings: payouts → world:cashapp or world:venmo. Only its return can follow. */
export const PayoutPaid = defineEvent(
  "PayoutPaid",
  2,
  z.object({
    payoutId: uuid,
    consignorId: uid,
    amountCents: centsFromZero,
    /** How it was sent. */
    method,
    /** The transfer's number at CashApp or Venmo; null if nobody entered it. */
    reference: z.nullable(z.string()),
    /**
     * Where it was sent, which may be a handle that the consignor has corrected since. As in `PayoutRequested`. Null for
     * payouts of version 1, which went to the requested handle.
     */
    handleId: z.nullable(uuid),
    handleHash: z.nullable(handleHash),
  }),
  { 1: (data) => ({ ...Object(data), reference: null, handleId: null, handleHash: null }) },
);

/** Postings: payouts → available. Final. */
export const PayoutDeleted = defineEvent(
  "PayoutDeleted",
  2,
  z.object({
    payoutId: uuid,
    consignorId: uid,
    amountCents: centsFromZero,
    method,
    /** Consignors withdraw their own requests; the store deletes one. */
    by: z.enum(["store", "consignor"]),
  }),
  { 1: (data) => ({ ...Object(data), by: "store" }) },
);

/** The transfer of a paid payout failed. Postings: world:cashapp or world:venmo → available. Final. */
export const PayoutReturned = defineEvent(
  "PayoutReturned",
  1,
  z.object({
    payoutId: uuid,
    consignorId: uid,
    amountCents: centsFromZero,
    method,
    /** The reason, in identity.notes. */
    noteId: uuid,
  }),
);

/** Every event of this feature. */
export const payoutEvents = [
  PayoutRequested,
  PayoutHandleCorrected,
  PayoutClaimed,
  PayoutClaimReleased,
  PayoutPaid,
  PayoutDeleted,
  PayoutReturned,
] as const;
