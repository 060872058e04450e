// The requests and responses of inviting a consignor: an admin makes the account, its letter makes it theirs.
import * as z from "zod/mini";
import { displayName, email, username } from "#features/users/contract-names.ts";

/** POST /auth/invitations (admins): the account exists at once, so that goods can be taken in for it. */
export const inviteRequest = z.strictObject({
  email,
  displayName: z.optional(displayName),
});
export type InviteRequest = z.input<typeof inviteRequest>;

export const inviteResponse = z.object({
  uid: z.string(),
  /** False if the letter could not be sent; send it again later. */
  sent: z.boolean(),
});
export type InviteResponse = z.infer<typeof inviteResponse>;

/**
 * GET /auth/users/{uid}/invitation (admins). POST sends the letter, again or for any account without a way to sign in.
 * DELETE ends its links; the account stays.
 */
export const invitationResponse = z.object({
  /** With a password or another provider. */
  canSignIn: z.boolean(),
  invitation: z.nullable(
    z.object({
      invitedBy: z.string(),
      invitedAt: z.string(),
      /** The last letter; null if none could be sent. */
      sentAt: z.nullable(z.string()),
      /** When the last link ends; null if none works any more. */
      expiresAt: z.nullable(z.string()),
      /** The store was restored from a back-up since, so it may have been revoked after the back-up. */
      mayBeRevoked: z.boolean(),
    }),
  ),
});
export type InvitationResponse = z.infer<typeof invitationResponse>;

const token = z
  .string()
  .check(z.minLength(1, "The link is not complete"), z.maxLength(200, "The link is not complete"));

/** POST /identity/invitation: whose link it is. With or without being signed in, like the next. */
export const invitationLinkRequest = z.strictObject({ token });
export const invitedPersonResponse = z.object({
  email: z.string(),
  displayName: z.nullable(z.string()),
  /** Null if none was chosen yet. */
  username: z.nullable(z.string()),
});
export type InvitedPersonResponse = z.infer<typeof invitedPersonResponse>;

/** POST /identity/invitation/accept: sets password and username, once. Starts no session: sign in afterwards. */
export const acceptInvitationRequest = z.strictObject({
  token,
  /** Required while the account has none; ignored otherwise. */
  username: z.optional(username),
  password: z
    .string("Password should be at least 6 characters.")
    .check(
      z.minLength(6, "Password should be at least 6 characters."),
      z.maxLength(200, "A password has at most 200 characters"),
    ),
});
export type AcceptInvitationRequest = z.input<typeof acceptInvitationRequest>;
export const invitationAcceptedResponse = z.object({ email: z.string() });
