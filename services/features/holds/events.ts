// What happens to payout holds: while one is open, its person can request no payout. Nothing is posted.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import { uid, uuid } from "#ledger/fields.ts";

/** Whose payouts are held; null for everybody. */
const heldUid = z.nullable(uid);

/** Names one hold among all that ever were. */
const reference = z.string().check(z.minLength(1), z.maxLength(500));

/** Payout requests wait. */
export const PayoutsHeld = defineEvent(
  "PayoutsHeld",
  1,
  z.object({
    uid: heldUid,
    reference,
    /** `row`: an event could not be applied to a row. `proof`: a row differs from its replay. */
    cause: z.enum(["row", "proof"]),
    projection: z.string(),
    /** The row key; null for many keys at once. */
    rowKey: z.nullable(z.string()),
    /** The event that could not be applied, or up to which the row was proved. */
    atPosition: z.int(),
  }),
);

/** The row is right again. */
export const PayoutsReleased = defineEvent(
  "PayoutsReleased",
  1,
  z.object({ uid: heldUid, reference }),
);

/** An admin decided that payouts need not wait. */
export const PayoutHoldLifted = defineEvent(
  "PayoutHoldLifted",
  1,
  z.object({
    uid: heldUid,
    reference,
    /** The reason may be about a person: identity.notes keeps it. */
    noteId: uuid,
  }),
);

/** Every event of this feature. */
export const holdEvents = [PayoutsHeld, PayoutsReleased, PayoutHoldLifted] as const;
