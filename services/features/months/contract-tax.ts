// What the tax report takes and gives, admins only.
import * as z from "zod/mini";

/** GET /sales-tax/report: one year by month, as data or as a file. */
export const taxReportQuery = z.strictObject({
  year: z.optional(z.string().check(z.regex(/^20\d\d$/u, "A year has four digits"))),
  format: z._default(z.enum(["json", "csv", "pdf"]), "json"),
  /** The PDF's paper size. */
  paper: z._default(z.enum(["letter", "a4"]), "letter"),
});

const taxMonth = z.object({
  month: z.string(),
  /** Sale prices without tax, after refunds and corrections: with tax, with a certificate, sold online without tax, and the rest. */
  taxable: z.number(),
  exempt: z.number(),
  untaxedOnline: z.number(),
  otherUntaxed: z.number(),
  /** With corrections. */
  collected: z.number(),
  refunded: z.number(),
  /** For this month, whenever it was paid. */
  remitted: z.number(),
  /** collected − refunded − remitted. */
  owed: z.number(),
});
export type TaxMonth = z.infer<typeof taxMonth>;

export const taxReportResponse = z.object({
  year: z.int(),
  years: z.object({ first: z.int(), last: z.int() }),
  /** What the year's months are months of. */
  timeZone: z.string(),
  /** Closed months keep the time zone of their closing: the period's closed ones, if not all days are of one time zone. */
  closedZones: z.array(z.object({ month: z.string(), timeZone: z.string() })),
  /** The newest first; those that have not begun are left out. */
  months: z.array(taxMonth),
});
export type TaxReportResponse = z.infer<typeof taxReportResponse>;
