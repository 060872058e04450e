// The requests and responses of the calls about payout holds.
import * as z from "zod/mini";
import { text, uid } from "#ledger/fields.ts";

/** What a consignor reads while payouts are held, and why a request is refused. */
export const heldMessages = {
  own: "Payouts from this account are on hold while the store checks its books. The balance stays as it is",
  all: "Payouts are on hold for everyone while the store checks its books. Balances stay as they are",
} as const;

export const payoutHold = z.object({
  /** Whose payouts are held; null for everybody. */
  consignorID: z.nullable(z.string()),
  /** Names the hold when it is lifted. */
  reference: z.string(),
  cause: z.enum(["row", "proof"]),
  /** What is wrong, for admins. */
  description: z.string(),
  /** ISO 8601. */
  since: z.string(),
});
export type PayoutHold = z.infer<typeof payoutHold>;

export const payoutHoldsParams = z.strictObject({ userId: uid });

/** GET /payouts/{userId}/holds, for the user and admins: whether a payout can be requested now. */
export const ownHoldsResponse = z.object({
  isHeld: z.boolean(),
  /** Why; null where nothing is held. */
  message: z.nullable(z.string()),
  since: z.nullable(z.string()),
  /** The holds themselves, oldest first; empty for anybody but admins. */
  holds: z.array(payoutHold),
});
export type OwnHoldsResponse = z.infer<typeof ownHoldsResponse>;

/** GET /payouts/holds, admins only: every open hold, oldest first. */
export const holdsResponse = z.object({
  holds: z.array(z.extend(payoutHold, { displayName: z.nullable(z.string()) })),
});
export type HoldsResponse = z.infer<typeof holdsResponse>;

/** POST /payouts/holds/lift, admins only. */
export const liftHoldRequest = z.strictObject({
  /** Null for a hold on everybody. */
  consignorID: z.nullable(uid),
  reference: z.string().check(z.minLength(1), z.maxLength(500)),
  reason: text(1, 500, "Enter a reason"),
});
export type LiftHoldRequest = z.input<typeof liftHoldRequest>;

export const liftHoldResponse = z.object({ message: z.string() });
export type LiftHoldResponse = z.infer<typeof liftHoldResponse>;

/** How an event reads in the history of holds. */
export type HoldHistoryKind = "held" | "released" | "lifted";
