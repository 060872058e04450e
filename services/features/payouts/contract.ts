// The requests and responses of the payout calls. Money is in dollars here, and in cents from the routes on.
import * as z from "zod/mini";
import { dollarsFrom, pageLimit, periodEnd, searchText, text, uid, uuid } from "#ledger/fields.ts";

export const payoutMethod = z.enum(["cashapp", "venmo"], "Please select a payment method");
export type PayoutMethodName = z.infer<typeof payoutMethod>;

/** The prefix of each method's handles; the server adds it if it is missing. */
export const HANDLE_PREFIX = { cashapp: "$", venmo: "@" } as const;

/** A typed handle with its prefix, once: "avery" → "$avery". */
export function withPrefix(method: PayoutMethodName, typed: string): string {
  const prefix = HANDLE_PREFIX[method];
  const bare = typed.trim();
  return bare.startsWith(prefix) ? bare : `${prefix}${bare}`;
}

/** Whether a handle looks normal for the method. An unusual one is a warning, not an error. */
export function looksUsual(method: PayoutMethodName, handle: string): boolean {
  return method === "cashapp"
    ? /^\$[A-Za-z][A-Za-z0-9]{0,19}$/u.test(handle)
    : /^@[A-Za-z0-9_-]{5,30}$/u.test(handle);
}

export const payoutUserParams = z.strictObject({ userId: uid });
export const payoutParams = z.strictObject({ userId: uid, payoutId: uuid });

const oneLine = z.refine<string>(
  (handle) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(handle),
  "A handle is one line of visible characters",
);

const NO_HANDLE = "Please enter your payment handle";

const whereTo = {
  method: payoutMethod,
  paymentUsername: text(1, 100, NO_HANDLE).check(oneLine),
};

/** There is more than the method's prefix. */
const isNamed = z.refine<{
  readonly method: PayoutMethodName;
  readonly paymentUsername: string;
}>(
  ({ method, paymentUsername }) =>
    withPrefix(method, paymentUsername).length > HANDLE_PREFIX[method].length,
  { path: ["paymentUsername"], message: NO_HANDLE },
);

/** POST /payouts/{userId}/request, by the user or an admin. */
export const requestPayoutRequest = z
  .strictObject({ amount: dollarsFrom(0.01, "Please enter a valid amount"), ...whereTo })
  .check(isNamed);
export type RequestPayoutRequest = z.input<typeof requestPayoutRequest>;

/** PUT /payouts/{userId}/{payoutId}/handle, by the consignor, until an admin begins to pay. */
export const correctHandleRequest = z.strictObject(whereTo).check(isNamed);
export type CorrectHandleRequest = z.input<typeof correctHandleRequest>;

export const correctHandleResponse = z.object({
  message: z.string(),
  payoutId: z.string(),
  /** Set if the handle looks unusual for its method. */
  warning: z.nullable(z.string()),
});
export type CorrectHandleResponse = z.infer<typeof correctHandleResponse>;

/** How long nobody else should pay a request that an admin began to pay. */
export const CLAIMED_FOR_MS = 10 * 60_000;

/** POST and DELETE /payouts/{userId}/{payoutId}/claim, admins only. */
export const claimResponse = z.object({
  message: z.string(),
  payoutId: z.string(),
  /** Until when nobody else should pay it, ISO 8601; null after it was released. */
  claimedUntil: z.nullable(z.string()),
});
export type ClaimResponse = z.infer<typeof claimResponse>;

/** The longest number of a transfer. */
export const MOST_REFERENCE = 100;

/** PATCH /payouts/{userId}/{payoutId}/paid, admins only; the body may be left out. */
export const markPaidRequest = z.strictObject({
  /** Where the money was sent, as the request was shown: the consignor may have corrected it since. */
  handleId: z._default(z.nullable(uuid), null),
  /** The transfer's number at CashApp or Venmo. It stays in the log, so it has no room for what is personal. */
  reference: z._default(
    text(0, MOST_REFERENCE, "A reference is text").check(
      z.regex(/^[A-Za-z0-9#._:/-]*$/u, "A reference is the transfer's number, without spaces"),
    ),
    "",
  ),
});
export type MarkPaidRequest = z.input<typeof markPaidRequest>;

export const requestPayoutResponse = z.object({
  message: z.string(),
  payoutId: z.string(),
  amount: z.number(),
  /** The available balance afterwards. */
  balance: z.number(),
  /** Set if the handle looks unusual for its method. */
  warning: z.nullable(z.string()),
});
export type RequestPayoutResponse = z.infer<typeof requestPayoutResponse>;

const chosenHandle = z.optional(z.nullable(text(0, 100, "A payout handle is text").check(oneLine)));

/** PUT /payouts/{userId}/payment-info: omitted ones stay, null or only the prefix removes the suggestion. */
export const chooseHandlesRequest = z.strictObject({
  cashtag: chosenHandle,
  venmoUsername: chosenHandle,
});
export type ChooseHandlesRequest = z.input<typeof chooseHandlesRequest>;

/** GET and PUT: the handle used last or chosen since, per method, with its prefix; null without one. */
export const paymentInfoResponse = z.object({
  cashtag: z.nullable(z.string()),
  venmoUsername: z.nullable(z.string()),
  /** Whom a Venmo request goes to, without the @; null where the store named nobody. */
  storeVenmoName: z.nullable(z.string()),
});
export type PaymentInfoResponse = z.infer<typeof paymentInfoResponse>;

export const payoutStatus = z.enum(["pending", "paid", "deleted", "returned"]);

export const payoutView = z.object({
  id: z.string(),
  consignorID: z.string(),
  displayName: z.string(),
  /** The consignor was deleted: if the transfer comes back, the store keeps the money. */
  isConsignorDeleted: z.boolean(),
  amount: z.number(),
  method: payoutMethod,
  paid: z.boolean(),
  status: payoutStatus,
  /** When it was requested, ISO 8601. */
  date: z.string(),
  /** Who requested it in the consignor's name: an admin's name, to consignors "the store". Null if they did so themselves. */
  requestedBy: z.nullable(z.string()),
  /** An admin began to pay it: to consignors, "the store" did. Null if nobody did, and once it is settled. */
  claim: z.nullable(
    z.object({
      by: z.string(),
      /** Whether the reader did so. */
      isOwn: z.boolean(),
      /** Until when nobody else should pay it, ISO 8601. */
      until: z.string(),
    }),
  ),
  /** When it was paid or deleted; null while pending. */
  settledAt: z.nullable(z.string()),
  /** The transfer's number; null if nobody entered it. */
  reference: z.nullable(z.string()),
  /** Whether it was the consignor who deleted it. */
  withdrawn: z.boolean(),
  /** When its transfer came back after it was paid, ISO 8601; null for all others. */
  returnedAt: z.nullable(z.string()),
  /** Why it came back; null if it did not, or if the reason was erased. */
  returnReason: z.nullable(z.string()),
  /** With its prefix; empty if the old app named none; null if it was erased, or if it is not the requested one. */
  handle: z.nullable(z.string()),
  /** Names the handle to whoever marks it as paid; stays when it is erased. */
  handleId: z.string(),
  /** The stored handle is not the requested one: somebody changed it in the database. */
  handleChanged: z.boolean(),
  /** Pays exactly this amount; null for Venmo, or without a handle. */
  cashAppLink: z.nullable(z.string()),
  /** "@name"; null for CashApp. */
  venmoUsername: z.nullable(z.string()),
  /** Opens Venmo with amount and payout id in its note; null for CashApp. */
  venmoLink: z.nullable(z.string()),
});
export type PayoutView = z.infer<typeof payoutView>;

/** What pending payouts can be sorted by. Ties are sorted by the time of the request, in the same direction. */
export const pendingSort = z.enum(["date", "consignor", "method", "amount", "balanceAfter"]);
export type PendingSort = z.infer<typeof pendingSort>;

const order = z._default(z.enum(["asc", "desc"]), "asc");

/** Part of the consignor's name, username or email, of the handle, or the beginning of the payout's id. */
const payoutSearch = z.optional(searchText(100, "A search is text"));

/** GET /payouts/pending, admins only. */
export const pendingQuery = z.strictObject({
  /** Without it, oldest first, regardless of `order`. A cursor is only valid for the sort it was made with. */
  sort: z.optional(pendingSort),
  order,
  q: payoutSearch,
  method: z.optional(payoutMethod),
  consignor: z.optional(uid),
  /** `nextCursor` of the page before. */
  cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,15}$/u, "This cursor is unknown"))),
  limit: pageLimit(200, 1000),
});

/** GET /payouts/pending/export: all pending payouts as CSV, oldest first. */
export const pendingExportQuery = z.omit(pendingQuery, {
  sort: true,
  order: true,
  cursor: true,
  limit: true,
});

export const pendingResponse = z.object({
  payouts: z.array(
    z.extend(payoutView, {
      ageSeconds: z.int(),
      /** The consignor's available balance now, with this payout already subtracted. */
      balanceAfter: z.number(),
      /** The last transfer to this handle, whose money came back; null if it did not, or if none was sent. */
      lastReturn: z.nullable(
        z.object({
          amount: z.number(),
          /** ISO 8601. */
          returnedAt: z.string(),
        }),
      ),
    }),
  ),
  /** Over all pending ones, regardless of page and filters. */
  totals: z.object({
    count: z.int(),
    amount: z.number(),
    cashapp: z.number(),
    venmo: z.number(),
    /** When the oldest was requested; null if none is pending. */
    oldest: z.nullable(z.string()),
  }),
  nextCursor: z.nullable(z.string()),
});
export type PendingResponse = z.infer<typeof pendingResponse>;
export type PendingPayout = PendingResponse["payouts"][number];

/** GET /payouts/settled: everybody's payouts of a status, the last settled first. Admins only. */
export const settledQuery = z.strictObject({
  status: z._default(z.enum(["paid", "returned", "deleted"]), "paid"),
  q: payoutSearch,
  method: z.optional(payoutMethod),
  /** When it was settled last: a return settles it again. From an instant on and before another, or days of the store. */
  from: z.optional(periodEnd),
  to: z.optional(periodEnd),
  /** `nextCursor` of the page before. */
  cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,15}$/u, "This cursor is unknown"))),
  limit: pageLimit(50, 200),
});
/** GET /payouts/settled/export: all payouts that match as CSV, in the same order. */
export const settledExportQuery = z.omit(settledQuery, { cursor: true, limit: true });
export type SettledStatus = z.infer<typeof settledQuery>["status"];

/** What a consignor's payouts can be sorted by. Ties are sorted by the time of the request, in the same direction. */
export const payoutSort = z.enum(["date", "method", "status", "settled", "amount"]);
export type PayoutSort = z.infer<typeof payoutSort>;

/** GET /sales/payouts/{id}: one consignor's payouts. Those paid in the old app are in `GET /sales/old-app/{id}`. */
export const payoutHistoryQuery = z.strictObject({
  /** Without it, newest first, regardless of `order`. A cursor is only valid for the sort it was made with. */
  sort: z.optional(payoutSort),
  order,
  status: z.optional(payoutStatus),
  cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,15}$/u, "This cursor is unknown"))),
  limit: pageLimit(200, 1000),
});

/** GET /sales/payouts/{id}/export: the same payouts as a CSV, newest first. */
export const payoutHistoryExportQuery = z.omit(payoutHistoryQuery, {
  sort: true,
  order: true,
  cursor: true,
  limit: true,
});

export const payoutHistoryResponse = z.object({
  payouts: z.array(payoutView),
  nextCursor: z.nullable(z.string()),
});
export type PayoutHistoryResponse = z.infer<typeof payoutHistoryResponse>;

export const settledResponse = z.extend(payoutHistoryResponse, {
  /** Over all that match, regardless of the page; only with the first page. */
  totals: z.nullable(z.object({ count: z.int(), amount: z.number() })),
});
export type SettledResponse = z.infer<typeof settledResponse>;

/** GET /sales/total-payouts/{id}: paid ones only, dollars. */
export const totalPayoutsResponse = z.object({
  totalPayouts: z.number(),
  /** Paid before, in the old app, and not part of `totalPayouts`: `GET /sales/old-app/{id}?kind=payouts` lists it. */
  paidInOldApp: z.number(),
});
export type TotalPayoutsResponse = z.infer<typeof totalPayoutsResponse>;

/** POST /payouts/{userId}/{payoutId}/return, admins only. */
export const returnPayoutRequest = z.strictObject({
  reason: text(1, 500, "Enter a reason"),
});
export type ReturnPayoutRequest = z.input<typeof returnPayoutRequest>;

/**
 * Responses of marking as paid ("Payout marked as paid") deleting ("Payout request deleted and balance
 * refunded"), and marking as returned.
 */
export const payoutSettledResponse = z.object({
  message: z.string(),
  payoutId: z.string(),
  amount: z.number(),
  /** The consignor's available balance afterwards. */
  balance: z.number(),
});
export type PayoutSettledResponse = z.infer<typeof payoutSettledResponse>;

export const payoutHistoryParams = z.strictObject({ id: uid });
