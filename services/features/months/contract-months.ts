// What the calls about the store's months take and give, admins only. A month's totals are in cents, as the closing stores them.
import * as z from "zod/mini";
import { month } from "#features/months/contract.ts";
import { monthTotals } from "#features/reports/contract-month.ts";

const person = z.object({ uid: z.string(), displayName: z.string() });

const monthView = z.object({
  /** "2026-10" */
  month: z.string(),
  /** When it begins and ends. */
  from: z.string(),
  to: z.string(),
  /** `before`: closed together with the first month that was closed. `open`: it is over and can be closed in its turn. */
  status: z.enum(["before", "closed", "open", "present"]),
  /** True for the one month that comes next; before the first closing, for every past month. */
  canClose: z.boolean(),
  closed: z.nullable(
    z.object({
      position: z.int(),
      at: z.string(),
      by: person,
      timeZone: z.string(),
      totals: monthTotals,
    }),
  ),
  /** As the closing stored them; of other months as they are now. */
  totals: monthTotals,
  /** How many entries were dated into it after it was closed. They are booked in later months. */
  lateEntries: z.int(),
  /** How many of its entries were dated into months that were closed already. */
  lateBooked: z.int(),
});
export type MonthView = z.infer<typeof monthView>;

/** GET /months: one year. */
export const monthsQuery = z.strictObject({
  year: z.optional(z.string().check(z.regex(/^20\d\d$/u, "A year has four digits"))),
});

export const monthsResponse = z.object({
  year: z.int(),
  /** The first year with entries, and the present one. */
  years: z.object({ first: z.int(), last: z.int() }),
  timeZone: z.string(),
  /** The newest first; those that have not begun are left out. */
  months: z.array(monthView),
  /** Pass it as `seenPosition` when closing one. */
  position: z.int(),
});
export type MonthsResponse = z.infer<typeof monthsResponse>;

/** POST /months/close. */
export const closeMonthRequest = z.strictObject({
  month,
  /** The `position` of the totals that the admin saw: 409 `month_changed` if something was booked in it since. */
  seenPosition: z.optional(z.int().check(z.nonnegative())),
});
export type CloseMonthRequest = z.input<typeof closeMonthRequest>;

export const closeMonthResponse = z.object({ message: z.string(), month: z.string() });
export type CloseMonthResponse = z.infer<typeof closeMonthResponse>;

/** GET /months/open: since when entries are booked. */
export const openMonthResponse = z.object({
  /** The last closed month, and when it ended; null while none is closed. */
  closed: z.nullable(z.object({ month: z.string(), to: z.string() })),
  timeZone: z.string(),
});
export type OpenMonthResponse = z.infer<typeof openMonthResponse>;

/** GET /months/{month}/late. */
export const monthParams = z.strictObject({ month });

/** `dated`: entries dated into the month after it was closed. `booked`: entries booked in it but dated into closed months. */
export const lateBy = z.enum(["dated", "booked"]);
export type LateBy = z.infer<typeof lateBy>;
export const lateQuery = z.strictObject({ by: z._default(lateBy, "dated") });

const lateEntry = z.object({
  position: z.int(),
  /** "Sale recorded" */
  what: z.string(),
  saleID: z.nullable(z.string()),
  /** Null for the store's own. */
  consignor: z.nullable(person),
  salePrice: z.number(),
  /** What it changed for the consignor. */
  consignorAmount: z.number(),
  /** Sales tax that went to the tax authority; negative if a remittance was taken back. */
  remitted: z.number(),
  /** True for a sale that was recorded without a price, even if a correction gave it one. */
  withoutPrice: z.boolean(),
  happenedAt: z.string(),
  recordedAt: z.string(),
  bookedAt: z.string(),
});
export type LateEntry = z.infer<typeof lateEntry>;

export const lateEntriesResponse = z.object({
  /** The newest first, at most 200. */
  entries: z.array(lateEntry),
});
export type LateEntriesResponse = z.infer<typeof lateEntriesResponse>;
