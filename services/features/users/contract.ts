// What the calls about users share: their sentences, their refusals, and a person as everybody reads themself.
import * as z from "zod/mini";
import { honestName, text, uid } from "#ledger/fields.ts";

/** The sentences of these calls; screens show them unchanged. */
export const messages = {
  usernameShape: "Username must be 3-20 characters (letters, numbers, hyphens, underscores)",
  usernameTaken: "Username already taken",
  usernameSet: "Username set",
  invalidEmail: "Invalid email address.",
  userUpdated: "User updated successfully",
  userDeleted: "User deleted successfully",
  discordIdShape: "A Discord ID is a number of 17 to 20 digits",
} as const;

/**
 * Refusals of these calls, by code. Every call may also return 400 `validation_failed` (with details), 401 and 403;
 * the limited ones 429 `too_many_attempts` (with Retry-After).
 */
export const userRefusals = {
  /** every call that names a user */
  unknown_user: { status: 404, message: "There is no such user" },
  /** POST /auth/users: the uid of somebody else */
  foreign_uid: { status: 403, message: "You can only create your own profile" },
  /** set-username, PUT /auth/users/{uid} */
  username_taken: { status: 409, message: messages.usernameTaken },
  /** PUT /auth/users/{uid}: another account signs in with this email */
  email_already_in_use: {
    status: 409,
    message: "This email is already registered with another account",
  },
  /** PUT /auth/users/{uid} with another email: its letter could not be sent, so it stays */
  mail_unavailable: {
    status: 503,
    message: "The email could not be sent. Please try again in a few minutes.",
  },
  /** email-change/agree, email-change/stop */
  email_change_invalid: {
    status: 400,
    message:
      "This link was used, was stopped or has expired. Ask an admin to change the email again.",
  },
  /** email-change/agree */
  email_change_contended: {
    status: 409,
    message: "Others are changing the same things right now. Try again",
  },
  /** DELETE /auth/users/{uid}/sessions/{id} */
  unknown_session: { status: 404, message: "There is no such session" },
  /** PUT and DELETE /auth/users/{uid} */
  last_admin: { status: 409, message: "There must be an admin left: make somebody else one first" },
  /** POST /identity/setup */
  setup_link_invalid: {
    status: 400,
    message: "This set-up link was used, replaced or has expired",
  },
  /** PUT, DELETE: the user was deleted before */
  user_deleted: { status: 409, message: "This user was deleted" },
  /** DELETE /auth/users/{uid} */
  own_account: { status: 409, message: "You cannot delete your own account" },
  /** DELETE /auth/users/{uid}; the message names what is left, `current` has the numbers */
  user_not_settled: { status: 409, message: "This user cannot be deleted yet" },
  /** DELETE /auth/users/{uid}: the user is getting goods right now, or the read tables are behind */
  stock_not_known: {
    status: 409,
    message: "This user's stock is changing right now. Please try again in a moment",
  },
} as const;

export const role = z.enum(["user", "admin"]);

/** Converted to lower case here, so that the checked value is the stored one. */
export const username = z
  .string(messages.usernameShape)
  .check(z.trim(), z.toLowerCase(), z.regex(/^[a-z0-9_-]{3,20}$/u, messages.usernameShape));

export const email = z
  .string(messages.invalidEmail)
  .check(z.trim(), z.maxLength(254, messages.invalidEmail), z.email(messages.invalidEmail));

export const displayName = text(0, 100, "A display name is text").check(honestName);

export const discordView = z.object({
  id: z.string(),
  username: z.nullable(z.string()),
  /** ISO 8601. */
  linkedAt: z.nullable(z.string()),
});

/** GET /auth/me and GET /auth/users/{uid} (one's own, or an admin). */
export const userResponse = z.object({
  uid: z.string(),
  email: z.nullable(z.string()),
  /** Whether the person has verified the address. */
  emailVerified: z.boolean(),
  displayName: z.nullable(z.string()),
  /** Null until one is set; the dashboard asks for it. */
  username: z.nullable(z.string()),
  role,
  discord: z.nullable(discordView),
  discordNotificationsEnabled: z.boolean(),
  /** The person's id in the old app; null for new people. */
  migratedFrom: z.nullable(z.string()),
  /** True for a deleted user: only the uid and the money are left. */
  deactivated: z.boolean(),
  /** ISO 8601. */
  createdAt: z.string(),
  /** The balance available for payouts in dollars. Below zero it is owed to the store. */
  balance: z.number(),
  /** Only in `GET /auth/me`: an admin who has to set up a second factor; every other call is refused until then. */
  lacksFactor: z.optional(z.literal(true)),
  /** True if the balance may be behind the last change. */
  stale: z.optional(z.literal(true)),
});
export type UserResponse = z.infer<typeof userResponse>;

export const userParams = z.strictObject({ uid });
