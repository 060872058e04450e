// The requests and responses of the calls about signing in; the login and profile screens use them.
import * as z from "zod/mini";
import { honestName, personName } from "#ledger/fields.ts";

// Names of their own, because a build keeps what reads a field, also where nothing needs it.
const discordNotCompleted = "Failed to complete Discord sign-in. Please try again.";
const discordNotConfigured = "Discord client ID is not configured";
const googleFailed = "Failed to sign in with Google";
const providerUnlinked =
  "You unlinked this from your account. Sign in another way, then allow it again on your profile.";

const invitationEnded = "Your invitation has expired. Ask the store to send it again.";

/** The specified sentences that screens show by themselves; the others are those of the refusals, which screens show unchanged. */
export const messages = {
  weakPassword: "Password should be at least 6 characters.",
  invalidEmail: "Invalid email address.",
  resetSent: "Password reset email sent! Check your inbox.",
  discordFailed: "Discord authentication failed. Please try again.",
  discordTokenMissing: "No authentication token received.",
  discordNotCompleted,
  noDiscordClientId: "Could not get Discord client ID",
  discordNotConfigured,
  noDiscordState: "Could not generate state",
  discordUnreachable: "Failed to connect to Discord",
  googleFailed,
  providerUnlinked,
  invitationEnded,
} as const;

/**
 * Refusals of these calls, by code: status and message. Every call may also return 400 `validation_failed` (with
 * details) and 429 `too_many_attempts` (with Retry-After); a protected one 401 `unauthenticated` or
 * `invalid_token`; one that uses a cookie 403 `foreign_origin` and 400 `not_json`.
 */
export const signInRefusals = {
  /** sign-up */
  email_already_in_use: {
    status: 409,
    message: "This email is already registered. Try signing in instead.",
  },
  /** sign-in, password-reset */
  user_not_found: { status: 400, message: "No account found with this email." },
  /** password-reset, google */
  invitation_ended: { status: 409, message: invitationEnded },
  /** sign-in */
  wrong_password: { status: 400, message: "Incorrect password." },
  /** every way in */
  account_deactivated: { status: 403, message: "This account was deactivated" },
  /** refresh */
  no_session: { status: 401, message: "Please sign in" },
  /** verify-email, link-password */
  email_missing: { status: 409, message: "There is no email on your account" },
  /** verify-email */
  email_already_verified: { status: 409, message: "This email is already verified" },
  /** verify-email/confirm: used, older than a day, or for an address that has changed since */
  verification_link_invalid: {
    status: 400,
    message: "This link was used or has expired. Please ask for a new one.",
  },
  /** verify-email/confirm */
  verification_link_foreign: {
    status: 403,
    message: "This link is for another account. Sign in to that account and open it again.",
  },
  /** verify-email, verify-email/confirm */
  email_verified_elsewhere: {
    status: 409,
    message: "This email already belongs to another account",
  },
  /** password-reset/confirm */
  reset_link_invalid: {
    status: 400,
    message: "This link was used or has expired. Please ask for a new one.",
  },
  /** sign-up, password-reset/confirm, link-password, change-password */
  password_too_common: {
    status: 400,
    message: "This password is easy to guess. Choose another one",
  },
  /** change-password: there is none to change */
  no_password: { status: 409, message: "There is no password on your account" },
  /** second-step: older than 5 minutes, or used */
  second_step_expired: {
    status: 400,
    message: "This sign-in took too long. Start again",
  },
  /** second-step, confirm, factors/totp */
  wrong_code: { status: 400, message: "This code is wrong or was used before" },
  /** passkey, second-step, confirm, factors/passkey: unknown, for another site, or signed something else */
  passkey_refused: { status: 400, message: "This passkey was not accepted" },
  /** every call about passkeys, where the app is opened by a number such as 127.0.0.1 */
  passkeys_need_a_name: {
    status: 409,
    message: "Passkeys need an address with a name. Open the app as localhost or by its domain",
  },
  /** factors/totp: started more than 15 minutes ago, or not at all */
  setup_expired: { status: 409, message: "Start again with a new code to scan" },
  /** factors/totp */
  totp_exists: { status: 409, message: "There is an authenticator app on your account" },
  /** DELETE factors/{id} */
  unknown_factor: { status: 404, message: "There is no such passkey or app" },
  /** DELETE factors/{id}: of an admin, where ADMIN_SECOND_FACTOR=required */
  last_factor: {
    status: 409,
    message: "Admins of this store need a second factor. Add another one first",
  },
  /** factors/recovery-codes */
  no_factor: { status: 409, message: "Recovery codes come with a second factor. Add one first" },
  /** DELETE auth/users/{uid}/factors: remove your own on your profile */
  own_factors: { status: 409, message: "Remove your own second factor on your profile" },
  /** verify-email, password-reset */
  mail_unavailable: {
    status: 503,
    message: "The email could not be sent. Please try again in a few minutes.",
  },
  /** link-password: another account signs in with this email */
  email_has_password: { status: 409, message: "This email already has a password set up" },
  /** link-password */
  provider_already_linked: { status: 409, message: "Password is already set up for this account" },
  /** link-password: verify first, or a stranger's address could be taken */
  email_not_verified: { status: 409, message: "Please verify your email first" },
  /** link-password: the last sign-in is more than 5 minutes ago; refreshing does not count */
  recent_sign_in_required: { status: 403, message: "Please sign in again to do this" },
  /** confirm: there is neither a password nor a second factor */
  nothing_to_confirm_with: {
    status: 409,
    message: "There is no password on your account. Sign out and in again to confirm who you are",
  },
  /** confirm: with a password, by somebody who has a second factor */
  confirm_otherwise: {
    status: 409,
    message: "Confirm with your passkey or authenticator app",
  },
  /** custom-token: used, older than 60 seconds, or made for another browser */
  custom_token_invalid: { status: 400, message: discordNotCompleted },
  /** google/start, google */
  google_not_configured: { status: 409, message: "Google sign-in is not configured" },
  /** google: refused by Google, denied, replayed, or started in another browser */
  google_failed: { status: 400, message: googleFailed },
  /** google/start, google: Google does not answer */
  google_unavailable: { status: 503, message: googleFailed },
  /** discord/state */
  discord_not_configured: { status: 409, message: discordNotConfigured },
  /** google: an account with this email unlinked Google, and has not allowed it again */
  provider_unlinked: { status: 409, message: providerUnlinked },
  /** DELETE providers/{provider} */
  provider_not_linked: { status: 404, message: "It is not linked to your account" },
  /** DELETE providers/{provider}: there is neither a password nor another provider */
  only_way_in: {
    status: 409,
    message: "You could not sign in without it. Set up a backup password first",
  },
  /** POST providers/{provider} */
  provider_not_unlinked: { status: 404, message: "It was not unlinked from your account" },
  /** DELETE sessions/{id} */
  unknown_session: { status: 404, message: "There is no such session" },
} as const;
export type SignInRefusal = keyof typeof signInRefusals;

export const MIN_PASSWORD_LENGTH = 6;

const email = z
  .string()
  .check(z.trim(), z.maxLength(254, messages.invalidEmail), z.email(messages.invalidEmail));

const password = z.string().check(z.maxLength(1_000));

const newPassword = password.check(z.minLength(MIN_PASSWORD_LENGTH, messages.weakPassword));

const displayName = z
  .string()
  .check(z.trim(), z.maxLength(100, "At most 100 characters"), honestName, personName);

export const signUpRequest = z.strictObject({
  email,
  password: newPassword,
  displayName: z.optional(displayName),
});
export type SignUpRequest = z.infer<typeof signUpRequest>;

export const signInRequest = z.strictObject({ email, password });
export type SignInRequest = z.infer<typeof signInRequest>;

/** For calls that only need the cookie. */
export const emptyRequest = z.strictObject({});

/** `idle`: nobody has used a page since the last refresh, so the session's idle time goes on. */
export const refreshRequest = z.strictObject({ idle: z.optional(z.boolean()) });

/** The refresh token and what makes the browser known are in cookies that scripts cannot read. */
export const sessionResponse = z.object({
  uid: z.string(),
  idToken: z.string(),
  /** Seconds. */
  expiresIn: z.number(),
});
export type SessionResponse = z.infer<typeof sessionResponse>;

/**
 * Instead of a session, for somebody with a second factor: `POST second-step` within 5 minutes, with one of `ways`,
 * gives the session.
 */
export const secondStepResponse = z.object({
  secondStep: z.object({
    token: z.string(),
    ways: z.array(z.enum(["passkey", "totp", "recovery-code"])),
  }),
});
export type SecondStep = z.infer<typeof secondStepResponse>["secondStep"];

/** Of every way in. */
export const enteredResponse = z.union([sessionResponse, secondStepResponse]);
export type EnteredResponse = z.infer<typeof enteredResponse>;

/** `POST change-password` (signed in): ends every other session. */
export const changePasswordRequest = z.strictObject({
  oldPassword: password,
  newPassword,
});

export const signedOutResponse = z.object({ signedOut: z.literal(true) });

/** A secret from a mail or an address. */
const linkToken = z
  .string()
  .check(z.minLength(1, "The link is not complete"), z.maxLength(200, "The link is not complete"));

/**
 * `POST verify-email/confirm` (signed in with the link's account; anybody else who opens the link signs in first
 * and comes back to it).
 */
export const verifyEmailConfirmRequest = z.strictObject({ token: linkToken });

/** `POST password-reset` mails a link to `/reset-password#token=…`, valid once and for an hour. */
export const passwordResetRequest = z.strictObject({ email });

/** `POST password-reset/confirm` ends every session of the account and starts none: sign in afterwards. */
export const passwordResetConfirmRequest = z.strictObject({
  token: linkToken,
  password: newPassword,
});
export const passwordResetResponse = z.object({ reset: z.literal(true) });

/** `POST link-password` (signed in within the last 5 minutes): a password for the account's own email. */
export const linkPasswordRequest = z.strictObject({ password: newPassword });

/** `POST custom-token`: the token from `/discord-success?token=…`. Responds with a session. */
export const customTokenRequest = z.strictObject({ token: linkToken });

const state = z.string().check(z.minLength(1), z.maxLength(200));

/** `POST google`: a code from the pop-up, or a credential from Google's own button. Responds with a session. */
export const googleRequest = z.union([
  z.strictObject({
    code: z.string().check(z.minLength(1), z.maxLength(2_000)),
    state,
    iss: z.optional(z.string().check(z.maxLength(500))),
  }),
  z.strictObject({ credential: z.string().check(z.minLength(1), z.maxLength(10_000)), state }),
]);
export type GoogleRequest = z.infer<typeof googleRequest>;

/** True for a path of this app, which no browser takes for another site's address. */
export function isLocalPath(path: string): boolean {
  const base = "http://local.invalid";
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) || !URL.canParse(path, base)) {
    return false;
  }
  const { origin, pathname } = new URL(path, base);
  // "/x/..//other.site" is another site once its dots are resolved.
  return origin === base && !pathname.startsWith("//");
}

/** `GET /auth/discord/state?returnPath=/profile`: where to go after signing in; another site's address is a 400. */
export const discordStateQuery = z.strictObject({
  returnPath: z.optional(
    z
      .string()
      .check(z.maxLength(500), z.refine(isLocalPath, "The return path must be a path of this app")),
  ),
});
/** Send the browser to `authorizeUrl`. */
export const discordStateResponse = z.object({ state: z.string(), authorizeUrl: z.string() });
export type DiscordStateResponse = z.infer<typeof discordStateResponse>;

/**
 * `GET /auth/discord/callback` sends the browser to `/discord-success` with `token`, `isNew` ("true" or
 * "false") and `returnPath` if one was given, or with `error`, one of these. Remove them from the address bar at
 * once.
 */
export const discordErrors = [
  "access_denied",
  "state_invalid",
  "discord_failed",
  "discord_unavailable",
  "discord_not_configured",
  "account_deactivated",
  "provider_unlinked",
  "invitation_ended",
  "too_many_attempts",
] as const;
export type DiscordError = (typeof discordErrors)[number];

export const jwksResponse = z.object({
  keys: z.array(
    z.object({
      kty: z.string(),
      crv: z.string(),
      x: z.string(),
      y: z.string(),
      kid: z.string(),
      alg: z.literal("ES256"),
      use: z.literal("sig"),
    }),
  ),
});
