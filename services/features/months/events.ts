// What happens to the store's months and to the sales tax that it collected: a month is closed, tax is passed on.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import { uuid } from "#ledger/fields.ts";
import { monthTotals } from "#features/reports/contract-month.ts";

/** "2026-10" */
const month = z.string().check(z.regex(/^20\d\d-(?:0[1-9]|1[0-2])$/u));
const cents = z.int().check(z.positive());

/**
 * A month of the store is closed: its numbers stay as they are here. What is recorded afterwards and dated before its
 * end is booked in the open month. Posts nothing.
 */
export const MonthClosed = defineEvent(
  "MonthClosed",
  1,
  z.object({
    month,
    /** When it began and ended, ISO 8601: it begins where the closed month before it ended. */
    from: z.string(),
    to: z.string(),
    /** The store's time zone when it was closed. A later one moves nothing. */
    timeZone: z.string(),
    /** The totals are those that the log had up to this position; nothing dated into the month came between. */
    throughPosition: z.int(),
    totals: monthTotals,
  }),
);

/** Collected sales tax went to the tax authority. Postings: sales-tax → tax authority. */
export const SalesTaxRemitted = defineEvent(
  "SalesTaxRemitted",
  1,
  z.object({
    remittanceId: uuid,
    /** The month whose tax it is. */
    month,
    amountCents: cents,
    /** Of the transfer or the return; empty without one. */
    reference: z.string(),
    /** The admin's words, which may be about people: identity.notes keeps them. Null without any. */
    noteId: z.nullable(uuid),
  }),
);

/** A remittance was entered wrong. Postings: tax authority → sales-tax, all of it. */
export const SalesTaxRemittanceReversed = defineEvent(
  "SalesTaxRemittanceReversed",
  1,
  z.object({
    remittanceId: uuid,
    month,
    amountCents: cents,
    noteId: z.nullable(uuid),
  }),
);

/** Every event of this feature. */
export const monthEvents = [MonthClosed, SalesTaxRemitted, SalesTaxRemittanceReversed] as const;
