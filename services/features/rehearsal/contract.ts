// What a call answers under the header `Ledger-Rehearsal: true`: what it would do, at one position of the log.
import * as z from "zod/mini";

/** An account or a holding by its name in the log; null for one of another consignor, which the caller may not see. */
const place = z.nullable(z.string());

/** An event that would be appended, in the words of the histories. */
const rehearsedEvent = z.object({
  type: z.string(),
  sentence: z.string(),
  /** In dollars. A consignor sees only those of their own accounts. */
  postings: z.array(z.object({ from: place, to: place, amount: z.number() })),
  /** A consignor sees only those of their own items. */
  movements: z.array(z.object({ from: place, to: place, units: z.int() })),
});

/** An account of a consignor that the events touch. */
const rehearsedBalance = z.object({
  uid: z.string(),
  displayName: z.string(),
  account: z.enum(["available", "pendingPayouts"]),
  before: z.number(),
  after: z.number(),
});
export type RehearsedBalance = z.infer<typeof rehearsedBalance>;

/** An item whose units the events move. */
const rehearsedItem = z.object({
  itemId: z.string(),
  itemName: z.string(),
  /** Null for an item of the store. */
  ownerUid: z.nullable(z.string()),
  before: z.int(),
  after: z.int(),
});

/** Money that a trade holds. */
const rehearsedHeld = z.object({ tradeID: z.string(), before: z.number(), after: z.number() });

/** What the events add to an account of the store or of the world outside; only for admins. */
const rehearsedStore = z.object({ account: z.string(), change: z.number() });

export const rehearsalResponse = z.object({
  rehearsal: z.literal(true),
  /** The last position of the log that it was decided on. */
  position: z.int(),
  /** Empty if the command would change nothing. */
  events: z.array(rehearsedEvent),
  balances: z.array(rehearsedBalance),
  items: z.array(rehearsedItem),
  heldForTrades: z.array(rehearsedHeld),
  store: z.array(rehearsedStore),
});
export type RehearsalResponse = z.infer<typeof rehearsalResponse>;
