// The outbox of notifications as operators see it: how many wait and fail, and each that needs a look.
import * as z from "zod/mini";

const troubledNotification = z.object({
  id: z.string(),
  channel: z.enum(["discord", "email"]),
  /** "Sale" */
  what: z.string(),
  uid: z.string(),
  name: z.string(),
  /**
   * `failing`: it is tried again. `uncertain`: it may have arrived, and is tried again. `doubled`: it was sent again
   * and may have arrived twice. `given-up`: it was tried too often.
   */
  state: z.enum(["failing", "uncertain", "doubled", "given-up"]),
  /** What went wrong last. */
  reason: z.string(),
  tries: z.int(),
  /** ISO 8601, here and below. When it was written. */
  createdAt: z.string(),
  /** When it is tried next; null if it is not. */
  nextAt: z.nullable(z.string()),
});
export type TroubledNotification = z.infer<typeof troubledNotification>;

/** GET /operations/notifications. What to do about each goes through the calls of failed jobs, queue `notifications`. */
export const outboxResponse = z.object({
  channels: z.array(
    z.object({
      channel: z.enum(["discord", "email"]),
      /** Whether the worker has what it needs to send. */
      isConfigured: z.boolean(),
      /** Why nothing is sent at all; null while it is. */
      stopped: z.nullable(z.string()),
      /** A limit of the other side; null without one. */
      pausedUntil: z.nullable(z.string()),
      waiting: z.int(),
      /** When the oldest of them was written; null if none waits. */
      waitingSince: z.nullable(z.string()),
      failing: z.int(),
      uncertain: z.int(),
      givenUp: z.int(),
    }),
  ),
  /** The newest first, at most 100. */
  troubled: z.array(troubledNotification),
});
export type OutboxResponse = z.infer<typeof outboxResponse>;
