// What the account calls take and give: balance, the ledger with its running balance, and the dashboard's tiles.
import * as z from "zod/mini";
import { moment, pageLimit, periodEnd, signedDollars, text, uid } from "#ledger/fields.ts";

export const accountParams = z.strictObject({ id: uid });

/** GET /sales/balance/{id}: dollars. */
export const balanceResponse = z.object({
  /** Available: may be requested as a payout. A negative one is shown as "owed to the store". */
  balance: z.number(),
  /** Requested and not paid yet. */
  inTransit: z.number(),
});
export type BalanceResponse = z.infer<typeof balanceResponse>;

/** PUT /sales/balance/{id}, admins only. */
export const setBalanceRequest = z.strictObject({
  /** The new balance in dollars, of either sign. */
  balance: signedDollars,
  reason: z.optional(text(0, 500, "A reason is text")),
  /** The balance that the form showed: 409 `balance_changed` if it has changed since. */
  expectedBalance: z.optional(signedDollars),
});
export type SetBalanceRequest = z.input<typeof setBalanceRequest>;

export const setBalanceResponse = z.object({
  message: z.string(),
  balance: z.number(),
  balanceBefore: z.number(),
});
export type SetBalanceResponse = z.infer<typeof setBalanceResponse>;

/** `current` of a 409 `balance_changed`: the balance as it is now, in cents. */
export const balanceChangedCurrent = z.object({ balanceCents: z.int() });

/** The kind of a line, for filters, sums and icons. `other` is an event that this program cannot explain. */
const explainedKinds = ["sale", "refund", "correction", "payout", "trade", "adjustment"] as const;
export const lineKind = z.enum([...explainedKinds, "other"]);

// PURE, here and below, lets the web build leave out schemas that no screen uses.
/** The filters of the ledger and of its export. */
const ledgerFilters = {
  /** Only lines of this kind. */
  kind: z.optional(z.enum(explainedKinds)),
  /** Event types, separated by commas: `SaleRecorded,SaleRefunded`. All when left out. Not together with `kind`. */
  type: z.optional(
    /* @__PURE__ */ z
      .string()
      .check(z.regex(/^[A-Za-z]{1,60}(,[A-Za-z]{1,60}){0,19}$/u, "Types are event names")),
  ),
  /** Booked at or after; a day is the store's. */
  from: z.optional(periodEnd),
  /** Booked before, or on this day of the store. */
  to: z.optional(periodEnd),
};

/** GET /sales/ledger/{id}: newest first. */
export const ledgerQuery = z.strictObject({
  ...ledgerFilters,
  /** Only lines below this number: `nextBefore` of the page before. */
  before: z.optional(
    z.pipe(
      /* @__PURE__ */ z.string().check(z.regex(/^[1-9][0-9]{0,14}$/u, "A line is a whole number")),
      z.transform(Number),
    ),
  ),
  limit: pageLimit(50, 200),
});

/** GET /sales/ledger/{id}/export: the filtered lines, oldest first, as CSV. */
export const ledgerExportQuery = z.strictObject(ledgerFilters);

/**
 * One step of how an amount came about: "Sale price" 40, "Shipping" −5, "Store's share" −17.5, "Your share" 17.5.
 * The last step is the line's amount, which is the sum of the others.
 */
export const explanationStep = z.object({ label: z.string(), amount: z.number() });

/** The text of the line's chip, and its tone. */
const lineChip = z.object({
  label: z.string(),
  tone: z.enum(["credit", "debit", "correction", "pending", "done", "neutral"]),
});

export const ledgerLine = z.object({
  /** 1 is the consignor's first line; without gaps. */
  line: z.int(),
  /** The event's position in the store's whole log. */
  position: z.int(),
  type: z.string(),
  kind: lineKind,
  chip: lineChip,
  /** "2 × Desk lamp sold", "Payout of $25.00 requested (CashApp)". */
  description: z.string(),
  /** What the line is about, to link to; null if there is no such thing. */
  saleID: z.nullable(z.string()),
  payoutID: z.nullable(z.string()),
  tradeID: z.nullable(z.string()),
  /** Change of the available balance, in signed dollars. 0 if only the money in transit changed. */
  amount: z.number(),
  balanceAfter: z.number(),
  inTransitChange: z.number(),
  inTransitAfter: z.number(),
  /** How the amount came about; empty if there is nothing to explain. */
  explanation: z.array(explanationStep),
  /** The given reason; null if there is none or it was erased. */
  note: z.nullable(z.string()),
  /**
   * A consignor reads "Store", without a uid, for an admin who acted, and null if the other party of a trade did it.
   */
  actor: z.nullable(z.object({ uid: z.nullable(z.string()), displayName: z.string() })),
  happenedAt: z.string(),
  recordedAt: z.string(),
  /**
   * True if it was recorded in a later month than it happened, or happened on an earlier day than an entry before it.
   * It stands where it was recorded.
   */
  isLate: z.boolean(),
  /**
   * The month of its statement, `2026-11`: its own, or that of the entry before it if that is later. So a late entry
   * changes a past month's statement only if the account has had no entry since.
   */
  month: z.string(),
});
export type LedgerLine = z.infer<typeof ledgerLine>;

/** A month of the account, regardless of the type filter: closing = opening + change. */
export const ledgerMonth = z.object({
  month: z.string(),
  opening: z.number(),
  closing: z.number(),
  /** How many lines the month has. */
  lines: z.int(),
});

export const ledgerResponse = z.object({
  lines: z.array(ledgerLine),
  /** The months that the lines on this page belong to, newest first. */
  months: z.array(ledgerMonth),
  /** How many lines the account has in all, without filters. */
  lineCount: z.int(),
  /** Pass it as `before` for the next page; null at the end. */
  nextBefore: z.nullable(z.int()),
});
export type LedgerResponse = z.infer<typeof ledgerResponse>;

export const day = /* @__PURE__ */ z.iso
  .date({ error: "A day looks like 2026-11-30" })
  .check(
    /* @__PURE__ */ z.refine((text) => text >= "2000-01-01", "A day is not before the year 2000"),
  );

/** GET /accounts/{id}/statement: one period of the account, as data or as a file. */
export const statementQuery = /* @__PURE__ */ z
  .strictObject({
    /** Days in the store's time zone, both inclusive. */
    from: day,
    to: day,
    format: z._default(z.enum(["json", "csv", "pdf"]), "json"),
    /** The PDF's paper size. */
    paper: z._default(z.enum(["letter", "a4"]), "letter"),
    /** As of this time or position, by what was recorded. By default now. Not together with `position`. */
    at: z.optional(moment),
    /** The ledger's state at this position, so that a statement can be printed again unchanged. */
    position: z.optional(
      z.pipe(
        z.string().check(z.regex(/^[0-9]{1,15}$/u, "A position is a whole number")),
        z.transform(Number),
      ),
    ),
  })
  .check(
    z.refine(({ from, to }) => from <= to, {
      path: ["to"],
      message: "A period ends after it begins",
    }),
    z.refine(({ at, position }) => at === undefined || position === undefined, {
      path: ["at"],
      message: "Name one position",
    }),
  );
export type StatementQuery = z.output<typeof statementQuery>;

const balances = z.object({ balance: z.number(), inTransit: z.number() });

/** opening + every line's amount = closing, in both columns. */
export const statementResponse = z.object({
  /** What the store was called at the statement's position. */
  storeName: z.string(),
  consignorID: z.string(),
  displayName: z.string(),
  from: z.string(),
  to: z.string(),
  /** The IANA time zone in which the period's days begin: that of the closing for closed months, or else the store's. */
  timeZone: z.string(),
  /** Closed months keep the time zone of their closing: the period's closed ones, if not all days are of one time zone. */
  closedZones: z.array(z.object({ month: z.string(), timeZone: z.string() })),
  opening: balances,
  /** The change by each kind of entry; kinds without entries in the period are left out. */
  sums: z.array(
    z.object({
      kind: lineKind,
      lines: z.int(),
      amount: z.number(),
      inTransitChange: z.number(),
    }),
  ),
  closing: balances,
  /** Oldest first. */
  lines: z.array(ledgerLine),
  /** The position the statement covers, and the link of the hash chain there; null while the ledger is empty. */
  position: z.int(),
  chainHead: z.nullable(z.string()),
  issuedAt: z.string(),
});
export type StatementResponse = z.infer<typeof statementResponse>;
