// What happens to a consignor's account apart from sales and payouts: an admin sets the balance by hand.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import { uid, uuid, wholeCents } from "#ledger/fields.ts";

/** The available balance was set. Postings: the difference, store:adjustments ↔ available. */
export const BalanceSet = defineEvent(
  "BalanceSet",
  1,
  z.object({
    uid,
    beforeCents: wholeCents,
    afterCents: wholeCents,
    /** The reason is text about a person: identity.notes keeps it, and it may be erased. Null without one. */
    noteId: z.nullable(uuid),
  }),
);

/** Every event of this feature. */
export const accountEvents = [BalanceSet] as const;
