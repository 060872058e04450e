// What the calls about the store's days take and give: when the days of a list's filter begin and end, and which time zones there are.
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

/** GET /settings/time-zones, admins only: IANA names in order, with the older and the newer name of a zone. */
export const timeZonesResponse = z.object({ timeZones: z.array(z.string()) });
export type TimeZonesResponse = z.infer<typeof timeZonesResponse>;
