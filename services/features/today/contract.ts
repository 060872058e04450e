// The response of Today: what waits for an admin, each number with what its list needs. Money is in dollars.
import * as z from "zod/mini";

/** A number that stops counting; `capped` says that there are more than `count`. */
const cappedCount = z.object({ count: z.int(), capped: z.boolean() });

/** How many wait, and since when the first one does; null if none waits. */
const waiting = z.object({ count: z.int(), oldest: z.nullable(z.string()) });

/** Sales of a period, with what they brought after refunds. */
const sold = z.object({ count: z.int(), amount: z.number() });
/** The same of a whole day of the store: its first instant, and that of the day after it. */
const soldOfDay = z.extend(sold, { from: z.string(), to: z.string() });

/** For how many days items are unsold, at least. */
export const UNSOLD_DAYS = [60, 90, 120] as const;

/** Over how many days entries of admins on their own accounts are counted, today included. */
export const OWN_ENTRY_DAYS = 7;

/** Which of its first steps a new store has taken. */
const firstSteps = z.object({
  /** The store has a name. */
  named: z.boolean(),
  /** There is a consignor. */
  consignors: z.boolean(),
  /** Goods came in, a consignor's or the store's own. */
  goods: z.boolean(),
});
export type FirstSteps = z.infer<typeof firstSteps>;

/** GET /today, admins only. */
export const todayResponse = z.object({
  /** The store's day, `2026-11-23`, and the time zone that it is a day of. */
  day: z.string(),
  timeZone: z.string(),
  /** Pending payouts. */
  toPay: z.object({ count: z.int(), amount: z.number(), oldest: z.nullable(z.string()) }),
  /** Trades that wait for a label or for fulfillment. */
  toShip: waiting,
  /** Trades whose buyers reported a problem. */
  reported: waiting,
  /** Shipments that arrived and are not processed. */
  arrived: waiting,
  /** Shipments whose senders wait for a label of the store. */
  labels: waiting,
  /** Shipments on their way: nobody waits for their label. */
  expected: waiting,
  /** Items without stock, whose shelves should be empty. */
  toCount: cappedCount,
  /** Items in stock of which no unit came in or was sold for so long, for each of `UNSOLD_DAYS`. */
  unsold: z.array(z.extend(cappedCount, { days: z.int() })),
  /** People whose available balance is below zero, and what they owe the store, above zero. */
  negative: z.object({ count: z.int(), amount: z.number() }),
  /** Entries of the last days that admins made on their own accounts; the position of the first, null without any. */
  ownEntries: z.object({ count: z.int(), fromPosition: z.nullable(z.int()) }),
  /** Sold today until now, and on the same day last week until the same time and altogether. */
  sold: z.object({
    today: soldOfDay,
    lastWeekByNow: sold,
    lastWeek: soldOfDay,
    /** The day of last week, `2026-11-16`. */
    lastWeekDay: z.string(),
  }),
  alerts: z.int(),
  /** Payout holds. */
  holds: z.int(),
  /** The last proof of the books; null before the first. */
  proof: z.nullable(z.object({ at: z.string(), position: z.int(), findings: z.int() })),
  /** Null from the first sale on. */
  firstSteps: z.nullable(firstSteps),
});
export type TodayResponse = z.infer<typeof todayResponse>;
