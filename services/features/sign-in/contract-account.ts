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
  /**
   * Other ways to sign in: "google", "discord", or an external provider's issuer. `isOnlyWayIn`: it cannot be
   * unlinked before there is a password.
   */
  providers: z.array(
    z.object({ provider: z.string(), linkedAt: z.string(), isOnlyWayIn: z.boolean() }),
  ),
  /** They do not open the account until they are allowed again. */
  unlinkedProviders: z.array(z.object({ provider: z.string(), unlinkedAt: z.string() })),
  /** ISO 8601; the start of link-password's 5 minutes. */
  signedInAt: z.string(),
});
export type AccountResponse = z.infer<typeof accountResponse>;

export const providerParams = z.object({
  provider: z.enum(["google", "discord"], "Only Google and Discord can be unlinked"),
});
export type UnlinkableProvider = z.infer<typeof providerParams>["provider"];

/** `DELETE providers/{provider}` (confirmed): ends every other session. */
export const providerUnlinkedResponse = z.object({ unlinked: z.literal(true) });

/** `POST providers/{provider} {}` (confirmed): its account with the same verified email links itself at the next sign-in. */
export const providerAllowedResponse = z.object({ allowed: z.literal(true) });
