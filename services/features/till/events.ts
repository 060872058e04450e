// What happens to the till's days: an admin counts the drawer. Consignors' balances have no part in it.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import { centsFromZero, uuid, wholeCents } from "#ledger/fields.ts";
import { saleTender } from "#features/sales/events.ts";

const payment = z.object({
  /** Null for sales and refunds of the till of which nobody said how they were paid. */
  tender: z.nullable(saleTender),
  soldCents: centsFromZero,
  refundedCents: centsFromZero,
});
export type TillPayment = z.infer<typeof payment>;

/**
 * The drawer was counted. Nothing is posted and nothing moves. A day that is counted again has another such event,
 * which counts from then on.
 */
export const TillDayClosed = defineEvent(
  "TillDayClosed",
  1,
  z.object({
    /** "2026-11-22" in the store's time zone. */
    day: z.string(),
    /** When the day began and ended, ISO 8601: as the time zone was at its first count, also if it is counted again. */
    from: z.string(),
    to: z.string(),
    /** The payments are those that the log had up to this position: of the till's sales and refunds of the day, with tax. */
    throughPosition: z.int(),
    payments: z.array(payment),
    /** In the drawer when the day began. */
    openingCents: centsFromZero,
    /** Put into the drawer and taken out of it other than by sales and refunds. */
    paidInCents: centsFromZero,
    paidOutCents: centsFromZero,
    /** Opening + cash sales − cash refunds + paid in − paid out; negative if more cash went out than was there. */
    expectedCents: wholeCents,
    countedCents: centsFromZero,
    /** What stays in the drawer for the next day. */
    leftCents: centsFromZero,
    /** The admin's words, which may be about people: identity.notes keeps them. Null without any. */
    noteId: z.nullable(uuid),
  }),
);

/** Every event of this feature. */
export const tillEvents = [TillDayClosed] as const;
