// What the calls about one's own account answer: how one signs in, where one is signed in, what was changed. Apart from the contract of signing in, which every visitor loads.
import * as z from "zod/mini";

/** `POST verify-email {}` (signed in) mails a link to `/verify-email#token=…`, valid for a day. */
export const mailSentResponse = z.object({ sent: z.literal(true) });

/** `POST verify-email/confirm` */
export const emailVerifiedResponse = z.object({
  email: z.string(),
  emailVerified: z.literal(true),
});

/** `POST link-password` */
export const passwordLinkedResponse = z.object({ email: z.string() });

/** `POST change-password` */
export const passwordChangedResponse = z.object({
  changed: z.literal(true),
  /** How many other sessions it ended. */
  ended: z.number(),
});

/** `GET account` (signed in): the ways to sign in. */
export const accountResponse = z.object({
  uid: z.string(),
  email: z.nullable(z.string()),
  emailVerified: z.boolean(),
  hasPassword: z.boolean(),
  /** Other ways to sign in: "google", "discord", or an external provider's issuer. */
  providers: z.array(z.object({ provider: z.string(), linkedAt: z.string() })),
  /** ISO 8601; the start of link-password's 5 minutes. */
  signedInAt: z.string(),
});
export type AccountResponse = z.infer<typeof accountResponse>;

/** `GET sessions` (signed in): one's own open sessions, last used first, at most 100. */
export const sessionsResponse = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      /** True for this browser's session. */
      isCurrent: z.boolean(),
      /** ISO 8601, like the others. */
      signedInAt: z.string(),
      lastUsedAt: z.string(),
      expiresAt: z.string(),
      /** The browser's User-Agent; null if it sent none. */
      userAgent: z.nullable(z.string()),
    }),
  ),
});
export type SessionsResponse = z.infer<typeof sessionsResponse>;

/** `DELETE sessions/{id}` ends one; `DELETE sessions` ends all, including this one ("sign out everywhere"). */
export const sessionParams = z.object({ id: z.uuid("This is not a session's id") });
export const sessionsEndedResponse = z.object({ ended: z.number() });
