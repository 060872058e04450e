// What the call about the store's days takes and gives: when the days of a list's filter begin and end.
import * as z from "zod/mini";
import { periodEnd } from "#ledger/fields.ts";

/** GET /settings/days */
export const storeDaysQuery = z.strictObject({
  /** A day of the store, or an instant, which stays as it is. */
  from: z.optional(periodEnd),
  /** The last day of the store, or an instant. */
  to: z.optional(periodEnd),
});

export const storeDaysResponse = z.object({
  /** The store's present time zone. */
  timeZone: z.string(),
  /** When `from` begins and `to` ends; null if it was not asked. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
});
