// The requests and responses of the calls about months and sales tax, admins only. Money is in dollars here, and in cents from the routes on.
import * as z from "zod/mini";
import { isDay } from "#ledger/day-text.ts";
import { dollarsFrom, instant, text, uuid, visibleLine } from "#ledger/fields.ts";

/** What these calls refuse, by code. */
export const monthRefusals = {
  /** The message names the month. */
  month_closed: { status: 409 },
  /** The message names the month that comes first; `current.month` too. */
  month_out_of_order: { status: 409 },
  /** The message names the month. */
  month_not_over: { status: 409 },
  /** Something was booked in the month since the admin looked at it. The message names the month. */
  month_changed: { status: 409 },
  /** The message names what is owed; `current.owedCents` too. */
  more_than_owed: { status: 409 },
  remittance_not_found: { status: 404, message: "There is no such remittance" },
  remittance_reversed: { status: 409, message: "This remittance was taken back before" },
} as const;

const MONTH = "A month looks like 2026-10";
export const month = /* @__PURE__ */ z
  .string(MONTH)
  .check(/* @__PURE__ */ z.regex(/^20\d\d-(?:0[1-9]|1[0-2])$/u, MONTH));

// Not the one of a list's period: with it, the first load of the web would have both.
const dayOrInstant = /* @__PURE__ */ z
  .string()
  .check(
    /* @__PURE__ */ z.refine(
      (text) => isDay(text) || instant.safeParse(text).success,
      "A date looks like 2024-05-31 or 2024-05-31T14:00:00Z",
    ),
  );

/** POST /sales-tax/remittances. */
export const remitSalesTaxRequest = z.strictObject({
  /** The month whose tax it is, not after the store's present one. */
  month,
  /** At most what was collected and not remitted yet: 409 `more_than_owed`. */
  amount: dollarsFrom(0.01, "Please enter a valid amount"),
  /** When it was paid, not in the future: a day of the store, or an instant; by default now. */
  remittedAt: z.optional(dayOrInstant),
  /** Of the transfer or the return. */
  reference: z._default(visibleLine(0, 100, "A reference is text", "A reference"), ""),
  note: z.optional(text(0, 500, "A note is text")),
});
export type RemitSalesTaxRequest = z.input<typeof remitSalesTaxRequest>;

export const remitSalesTaxResponse = z.object({
  message: z.string(),
  remittanceID: z.string(),
  /** What is still owed for all months. */
  owed: z.number(),
});
export type RemitSalesTaxResponse = z.infer<typeof remitSalesTaxResponse>;

export const remittanceParams = z.strictObject({ id: uuid });

/** POST /sales-tax/remittances/{id}/reverse. */
export const reverseRemittanceRequest = z.strictObject({
  reason: text(1, 500, "Enter a reason"),
});
export type ReverseRemittanceRequest = z.input<typeof reverseRemittanceRequest>;

export const reverseRemittanceResponse = z.object({ message: z.string(), owed: z.number() });

const person = z.object({ uid: z.string(), displayName: z.string() });

const remittanceView = z.object({
  remittanceID: z.string(),
  position: z.int(),
  month: z.string(),
  amount: z.number(),
  reference: z.string(),
  note: z.nullable(z.string()),
  /** When it was paid, and when it was recorded. */
  remittedAt: z.string(),
  recordedAt: z.string(),
  by: person,
  /** Null unless it was entered wrong. */
  reversed: z.nullable(
    z.object({
      position: z.int(),
      recordedAt: z.string(),
      by: person,
      /** Null if it was erased. */
      reason: z.nullable(z.string()),
    }),
  ),
});
export type RemittanceView = z.infer<typeof remittanceView>;

/** GET /sales-tax/remittances: all of them, the newest first. */
export const remittancesResponse = z.object({
  remittances: z.array(remittanceView),
  /** What was collected and not remitted yet, of all months; negative if more was refunded since. */
  owed: z.number(),
});
export type RemittancesResponse = z.infer<typeof remittancesResponse>;
