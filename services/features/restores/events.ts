// What a restore from a back-up leaves in the log: from then on payouts wait, until an admin has checked them.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import { uuid } from "#ledger/fields.ts";

/** The first event after a restore. What happened after the back-up is not in the log. Nothing is posted. */
export const StoreRestored = defineEvent(
  "StoreRestored",
  1,
  z.object({
    /** Tills that see another one send their last days' lines again. */
    restoreId: uuid,
    /** When the back-up was made, ISO 8601. */
    backedUpAt: z.string(),
    /** The log's end in the back-up. */
    position: z.int(),
    /** The highest position that was published and is lost; null if none is known. */
    lostThrough: z.nullable(z.int()),
  }),
);

/** An admin compared the payouts with what CashApp and Venmo have sent. Nothing is posted. */
export const RestoredPayoutsChecked = defineEvent(
  "RestoredPayoutsChecked",
  1,
  z.object({
    restoreId: uuid,
    /** The admin's words, which may be about people: identity.notes keeps them. */
    noteId: uuid,
  }),
);

/** Every event of this feature. */
export const restoreEvents = [StoreRestored, RestoredPayoutsChecked] as const;
