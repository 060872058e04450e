// The requests and responses of changing another admin's email.
import * as z from "zod/mini";

/** A change that waits until the new address is proved and the old one agrees. */
export const waitingEmailChange = z.object({
  /** The new address. */
  email: z.string(),
  newAgreed: z.boolean(),
  /** True if there is no old address. */
  oldAgreed: z.boolean(),
  askedAt: z.string(),
  expiresAt: z.string(),
});
export type WaitingEmailChange = z.infer<typeof waitingEmailChange>;

/** GET /auth/users/{uid}/email-change (admins): null if none waits. DELETE stops it. */
export const emailChangeResponse = z.object({ waiting: z.nullable(waitingEmailChange) });
export type EmailChangeResponse = z.infer<typeof emailChangeResponse>;

/**
 * POST /identity/email-change/agree and /stop: the token of a letter's link, with or without being signed in. Agreeing
 * answers whether the email has changed, or waits for the other address; the person signs in again when it has.
 */
export const emailChangeLinkRequest = z.strictObject({
  token: z
    .string()
    .check(
      z.minLength(1, "The link is not complete"),
      z.maxLength(200, "The link is not complete"),
    ),
});
export const emailChangeAgreedResponse = z.object({
  email: z.string(),
  changed: z.boolean(),
  /** The address that still has to agree; null if it has changed. */
  waitsFor: z.nullable(z.enum(["new", "old"])),
});
export type EmailChangeAgreedResponse = z.infer<typeof emailChangeAgreedResponse>;
export const emailChangeStoppedResponse = z.object({ stopped: z.literal(true) });
