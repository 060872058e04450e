// What the calls of the reports take and give, admins only: a period by month and by consignor, and the lines behind a number.
import * as z from "zod/mini";
import { pageLimit, placeCursor, searchText, uid } from "#ledger/fields.ts";
import { shrinkageReason } from "#features/reports/contract-month.ts";

const reportDay = /* @__PURE__ */ z.iso
  .date({ error: "A day looks like 2026-11-30" })
  .check(
    /* @__PURE__ */ z.refine((text) => text >= "2000-01-01", "A day is not before the year 2000"),
  );

/** The days of the store that a report is of, both inclusive. */
const period = { from: reportDay, to: reportDay };
const endsAfterItBegins = /* @__PURE__ */ z.refine<{ from: string; to: string }>(
  ({ from, to }) => from <= to,
  { path: ["to"], message: "A period ends after it begins" },
);

/** A number of a report that opens its lines. All are in dollars, except `sales`, `unpricedSales` and `unitsLost`. */
export const reportNumber = z.enum([
  /** All sales that were recorded, and those of them that have no price yet. */
  "sales",
  "unpricedSales",
  /** Own and consigned goods together, and what the store keeps of both. */
  "sold",
  "kept",
  /** Sale prices without tax, of the store's own goods and of consignors'. */
  "ownSold",
  "consignedSold",
  /** Both are negative if they took money back. */
  "refunds",
  "corrections",
  /** What the store keeps of own goods and of consigned goods, after refunds, corrections and shipping. */
  "ownShare",
  "storeShare",
  /** What consignors got of sales. */
  "consignorShare",
  "shipping",
  /** Paid to consignors, less what came back. */
  "payouts",
  "commission",
  "tradeFees",
  "traded",
  "adjustments",
  "takenOver",
  /** Sale prices after refunds and corrections: with tax, exempt from it, and sold online without tax. */
  "taxable",
  "exempt",
  "untaxedOnline",
  /** The rest of them: at the till without tax and certificate, custom sales, own sales without tax. */
  "otherUntaxed",
  /** With corrections. */
  "taxCollected",
  "taxRefunded",
  /** What the store owes at the period's end. `owed` is the sum of the other three. */
  "owed",
  "owedAvailable",
  "owedPending",
  "owedHeld",
  /** Units that left without a sale, less those that came back, and the tag prices that they had then. */
  "unitsLost",
  "lostValue",
  /** Sales tax remitted for the period's months, whenever it was paid, and what is still owed for them. */
  "taxRemitted",
  "taxOwed",
]);
export type ReportNumber = z.infer<typeof reportNumber>;

export type ReportFigures = z.infer<typeof reportFigures>;
const reportFigures = z.object({
  /**
   * How many sales were recorded, also without a price, and how many of them have no price yet. A closed month's totals
   * (GET /months) count only those that were recorded with a price.
   */
  sales: z.int(),
  unpricedSales: z.int(),
  sold: z.number(),
  kept: z.number(),
  ownSold: z.number(),
  consignedSold: z.number(),
  refunds: z.number(),
  corrections: z.number(),
  ownShare: z.number(),
  storeShare: z.number(),
  consignorShare: z.number(),
  shipping: z.number(),
  /** Paid to consignors, less what came back: payoutsPaid − payoutsReturned. */
  payouts: z.number(),
  payoutsPaid: z.number(),
  payoutsReturned: z.number(),
  commission: z.number(),
  tradeFees: z.number(),
  /** Sold less bought in trades; 0 for the whole store. */
  traded: z.number(),
  adjustments: z.number(),
  takenOver: z.number(),
  taxable: z.number(),
  exempt: z.number(),
  untaxedOnline: z.number(),
  otherUntaxed: z.number(),
  taxCollected: z.number(),
  taxRefunded: z.number(),
  /** What was owed before: + consignorShare + traded + adjustments + takenOver − payouts − commission − tradeFees = owed. */
  owedBefore: z.number(),
  owed: z.number(),
  owedAvailable: z.number(),
  owedPending: z.number(),
  owedHeld: z.number(),
  unitsLost: z.int(),
  /** The tag prices of lost units at that time; for units that a trade held, what its buyer paid. */
  lostValue: z.number(),
  /** How many of the lost units had no tag price, so that `lostValue` is without them. */
  lostWithoutPrice: z.int(),
  shrinkage: z.array(
    z.object({
      reason: shrinkageReason,
      units: z.int(),
      value: z.number(),
      withoutPrice: z.int(),
    }),
  ),
});

/** GET /reports/months. */
export const reportMonthsQuery = z
  .strictObject({
    ...period,
    /** Only this consignor's lines. */
    consignor: z.optional(uid),
  })
  .check(endsAfterItBegins);

const about = {
  /** What the report's days are days of. */
  timeZone: z.string(),
  from: z.string(),
  to: z.string(),
};

export const reportMonthsResponse = z.object({
  ...about,
  /** The month of the very first entry, "2026-08"; null if there is none. */
  firstMonth: z.nullable(z.string()),
  /**
   * Oldest first; those before the first entry and those that have not begun yet are left out. The first and the last
   * may be parts of a month.
   */
  months: z.array(z.extend(reportFigures, { month: z.string(), from: z.string(), to: z.string() })),
  total: reportFigures,
});
export type ReportMonthsResponse = z.infer<typeof reportMonthsResponse>;
export type ReportMonth = ReportMonthsResponse["months"][number];

/** What changes the amount that is owed, and may sum to zero over several lines. Payouts and their returns cannot. */
export const reportChange = z.enum([
  "consignorShare",
  "traded",
  "adjustments",
  "takenOver",
  "commission",
  "tradeFees",
]);
export type ReportChange = z.infer<typeof reportChange>;

/** GET /reports/zero-changes: changes of what is owed whose lines sum to zero. Takes what GET /reports/months takes. */
export const reportZerosResponse = z.object({
  ...about,
  changes: z.array(
    z.object({
      number: reportChange,
      /** How many lines GET /reports/lines has of it. */
      lines: z.int(),
    }),
  ),
});
export type ReportZerosResponse = z.infer<typeof reportZerosResponse>;

export const reportSort = z.enum([
  "name",
  "consignedSold",
  "refunds",
  "corrections",
  "storeShare",
  "consignorShare",
  "shipping",
  "payouts",
  "commission",
  "unitsLost",
  "owed",
]);
export type ReportSort = z.infer<typeof reportSort>;

const consignorList = {
  ...period,
  /** Part of a name or email. */
  q: z.optional(searchText(100, "A search is text")),
  sort: z._default(reportSort, "consignedSold"),
  order: z._default(z.enum(["asc", "desc"]), "desc"),
};

/** GET /reports/consignors: everybody who has lines in the period, or is owed something at its end. */
export const reportConsignorsQuery = z
  .strictObject({
    ...consignorList,
    cursor: placeCursor,
    limit: pageLimit(50, 200),
  })
  .check(endsAfterItBegins);

export const reportConsignorsResponse = z.object({
  ...about,
  consignors: z.array(
    z.extend(reportFigures, { consignorID: z.string(), displayName: z.string() }),
  ),
  /** How many there are in all, and their sum. */
  count: z.int(),
  total: reportFigures,
  nextCursor: z.nullable(z.string()),
});
export type ReportConsignorsResponse = z.infer<typeof reportConsignorsResponse>;
export type ReportConsignor = ReportConsignorsResponse["consignors"][number];

/** GET /reports/lines: the lines that make a number. */
export const reportLinesQuery = z
  .strictObject({
    ...period,
    number: reportNumber,
    consignor: z.optional(uid),
    /** Without a consignor: all lines, or those of consignors without the store's own goods. */
    whose: z._default(z.enum(["all", "consignors"]), "all"),
    /** Only the lines of this group. Groups and sums still include all lines. */
    kind: z.optional(z.string().check(z.regex(/^[A-Za-z_]{1,60}$/u, "This kind is unknown"))),
    cursor: z.optional(
      z
        .string()
        .check(z.regex(/^[0-9]{1,17}-[0-9]{1,15}-[!-~]{0,200}$/u, "This cursor is unknown")),
    ),
    limit: pageLimit(50, 200),
  })
  .check(endsAfterItBegins);
export type ReportLinesQuery = z.output<typeof reportLinesQuery>;

const reportLine = z.object({
  position: z.int(),
  type: z.string(),
  /** "2 × Desk lamp sold" */
  description: z.string(),
  /** The sale that it is about; null if it is about none. */
  saleID: z.nullable(z.string()),
  /** Whose line it is; null for the store. */
  consignorID: z.nullable(z.string()),
  displayName: z.nullable(z.string()),
  amount: z.number(),
  happenedAt: z.string(),
  /** The month that it is in, if it happened in an earlier one; null otherwise. */
  bookedIn: z.nullable(z.string()),
  /** The day of the store that it counts on, "2026-11-23", if it happened on an earlier one; null otherwise. */
  bookedOn: z.nullable(z.string()),
});
export type ReportLine = z.infer<typeof reportLine>;

/** opening + the groups' amounts = `summed`, which must be `total`. */
export const reportLinesResponse = z.object({
  ...about,
  number: reportNumber,
  unit: z.enum(["dollars", "count"]),
  /** What was owed before the period; 0 for all other numbers. */
  opening: z.number(),
  /** By kind of event; for units by reason. */
  groups: z.array(
    z.object({ id: z.string(), label: z.string(), lines: z.int(), amount: z.number() }),
  ),
  /** The number as the report shows it. */
  total: z.number(),
  /** The opening and all lines, summed one by one. */
  summed: z.number(),
  isBalanced: z.boolean(),
  lineCount: z.int(),
  /** Newest first. */
  lines: z.array(reportLine),
  nextCursor: z.nullable(z.string()),
});
export type ReportLinesResponse = z.infer<typeof reportLinesResponse>;

/** GET /reports/file: what the screen shows, as a file. */
export const reportFileQuery = z
  .strictObject({
    ...consignorList,
    consignor: z.optional(uid),
    view: z.enum(["months", "consignors"]),
    format: z.enum(["csv", "pdf"]),
    /** The PDF's paper size. */
    paper: z._default(z.enum(["letter", "a4"]), "letter"),
  })
  .check(endsAfterItBegins);
