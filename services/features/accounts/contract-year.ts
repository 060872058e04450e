// What the calls for yearly statements take and give: a consignor's year by month, and everybody's.
import * as z from "zod/mini";
import { uid } from "#ledger/fields.ts";

const yearText = /* @__PURE__ */ z.pipe(
  /* @__PURE__ */ z.string().check(/* @__PURE__ */ z.regex(/^20\d\d$/u, "A year has four digits")),
  /* @__PURE__ */ z.transform(Number),
);
const paper = /* @__PURE__ */ z._default(z.enum(["letter", "a4"]), "letter");

/** GET /accounts/{id}/years/{year}. */
export const yearParams = z.strictObject({ id: uid, year: yearText });
export const yearQuery = z.strictObject({
  format: z._default(z.enum(["json", "csv", "pdf"]), "json"),
  paper,
});

/** GET /statements/years/{year}, admins only: how much there is, one line for each consignor, or all files in one archive. */
export const allYearsParams = z.strictObject({ year: yearText });
export const allYearsQuery = z.strictObject({
  format: z._default(z.enum(["json", "csv", "zip"]), "json"),
  paper,
});

/** opening + share + other − paid = owed. */
const yearFigures = {
  /** How many sales were recorded. */
  sales: z.int(),
  /** Sale prices without tax, as they were recorded: what reports call "Consigned goods". */
  sold: z.number(),
  refunded: z.number(),
  /** What corrections changed of the prices, as reports have it. Sales came to sold − refunded + corrected. */
  corrected: z.number(),
  /** The consignor's share of these sales, after refunds and corrections. */
  share: z.number(),
  /** By the day on which they were paid, less those that came back. */
  paid: z.number(),
  /** Trades, adjustments, and what was taken over from the old app. */
  other: z.number(),
  /** What the store owes at the end: available, requested and held for trades. Negative if it is owed something. */
  owed: z.number(),
} as const;

const balances = z.object({
  balance: z.number(),
  inTransit: z.number(),
  heldForTrades: z.number(),
});

export const yearStatement = z.object({
  storeName: z.string(),
  consignorID: z.string(),
  displayName: z.string(),
  year: z.int(),
  from: z.string(),
  to: z.string(),
  /** What the year's days are days of. */
  timeZone: z.string(),
  /** Closed months keep the time zone of their closing: the period's closed ones, if not all days are of one time zone. */
  closedZones: z.array(z.object({ month: z.string(), timeZone: z.string() })),
  opening: balances,
  /** Those that had begun when it was issued, oldest first. */
  months: z.array(z.object({ month: z.string(), ...yearFigures })),
  total: z.object(yearFigures),
  closing: balances,
  /** Paid in the year, and those that came back in it, with a negative amount; oldest first. */
  payouts: z.array(
    z.object({
      payoutID: z.string(),
      kind: z.enum(["paid", "returned"]),
      /** When it was paid, or when it came back. */
      paidAt: z.string(),
      /** The store's day of that, by the time zone of its month. */
      day: z.string(),
      method: z.enum(["cashapp", "venmo"]),
      amount: z.number(),
    }),
  ),
  position: z.int(),
  chainHead: z.nullable(z.string()),
  issuedAt: z.string(),
});
export type YearStatement = z.infer<typeof yearStatement>;

/** GET /accounts/{id}/years: the years with entries, the newest first. */
export const yearsResponse = z.object({
  years: z.array(
    z.object({ year: z.int(), sold: z.number(), share: z.number(), paid: z.number() }),
  ),
});
export type YearsResponse = z.infer<typeof yearsResponse>;

export const allYearsResponse = z.object({
  year: z.int(),
  /** Consignors with entries in the year. */
  consignors: z.int(),
});
export type AllYearsResponse = z.infer<typeof allYearsResponse>;
