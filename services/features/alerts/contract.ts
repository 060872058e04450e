// The requests and responses of the calls about alerts and the continuous proof; admins only.
import * as z from "zod/mini";

export const alertView = z.object({
  key: z.string(),
  kind: z.enum(["drift", "held", "stalled", "books", "proof", "backup", "notifications"]),
  /** What is wrong, and what to do. */
  description: z.string(),
  advice: z.string(),
  /** ISO 8601, here and below. */
  raisedAt: z.string(),
  /** Null if no admin has acknowledged it; the time only while it is open. */
  acknowledgedBy: z.nullable(z.string()),
  acknowledgedAt: z.nullable(z.string()),
  /** Null while it is open. */
  resolvedAt: z.nullable(z.string()),
});
export type AlertView = z.infer<typeof alertView>;

/** GET /alerts: the open ones, oldest first, and the last resolved ones, newest first. */
export const alertsResponse = z.object({
  open: z.array(alertView),
  resolved: z.array(alertView),
});
export type AlertsResponse = z.infer<typeof alertsResponse>;

/** POST /alerts/acknowledge */
export const acknowledgeRequest = z.strictObject({
  key: z.string().check(z.minLength(1), z.maxLength(500)),
});
export type AcknowledgeRequest = z.input<typeof acknowledgeRequest>;

export const alertDoneResponse = z.object({ message: z.string() });
export type AlertDoneResponse = z.infer<typeof alertDoneResponse>;

/** GET /proof: how far the continuous proof is. */
export const proofResponse = z.object({
  /** The last proof of everything; null before the first. */
  last: z.nullable(
    z.object({
      at: z.string(),
      position: z.int(),
      /** How many findings it had; 0 where the books balance. */
      findings: z.int(),
    }),
  ),
  /** An admin asked for a proof of everything that has not ended yet. */
  isAsked: z.boolean(),
  /** When accounts were last proved, and how many in that minute; null before the first time. */
  accounts: z.nullable(z.object({ at: z.string(), count: z.int() })),
  openAlerts: z.int(),
});
export type ProofResponse = z.infer<typeof proofResponse>;

/** How an event reads in the history of alerts. */
export type AlertHistoryKind = "raised" | "acknowledged" | "resolved";
