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
