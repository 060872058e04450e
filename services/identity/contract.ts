// What identity's calls take and answer; the login and profile screens are built on this.
import * as z from "zod/mini";

/** The spec's messages; screens show them as they are. */
export const messages = {
  emailInUse: "This email is already registered. Try signing in instead.",
  weakPassword: "Password should be at least 6 characters.",
  invalidEmail: "Invalid email address.",
  unknownEmail: "No account found with this email.",
  wrongPassword: "Incorrect password.",
} as const;

export const MIN_PASSWORD_LENGTH = 6;

const email = z
  .string()
  .check(z.trim(), z.maxLength(254, messages.invalidEmail), z.email(messages.invalidEmail));

const password = z.string().check(z.maxLength(1_000));

// Control characters would break lists, mails and logs.
const displayName = z
  .string()
  .check(
    z.trim(),
    z.maxLength(100),
    z.regex(/^[^\p{Cc}]*$/u, "The display name has characters that cannot be shown"),
  );

export const signUpRequest = z.strictObject({
  email,
  password: password.check(z.minLength(MIN_PASSWORD_LENGTH, messages.weakPassword)),
  displayName: z.optional(displayName),
});
export type SignUpRequest = z.infer<typeof signUpRequest>;

export const signInRequest = z.strictObject({ email, password });
export type SignInRequest = z.infer<typeof signInRequest>;

/** For calls that need nothing but the cookie. */
export const emptyRequest = z.strictObject({});

/** The refresh token travels beside it, in a cookie that scripts cannot read. */
export const sessionAnswer = z.object({
  uid: z.string(),
  idToken: z.string(),
  /** Seconds. */
  expiresIn: z.number(),
});
export type SessionAnswer = z.infer<typeof sessionAnswer>;

export const signedOutAnswer = z.object({ signedOut: z.literal(true) });

export const setupRequest = z.strictObject({
  token: z.string().check(z.minLength(1, "The set-up link is not complete"), z.maxLength(200)),
});
export const setupAnswer = z.object({ role: z.literal("admin") });

export const jwksAnswer = z.object({
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

export const userAnswer = z.object({
  uid: z.string(),
  email: z.nullable(z.string()),
  displayName: z.nullable(z.string()),
  username: z.nullable(z.string()),
  role: z.enum(["user", "admin"]),
  discord: z.nullable(
    z.object({
      id: z.string(),
      username: z.nullable(z.string()),
      /** ISO 8601. */
      linkedAt: z.nullable(z.string()),
    }),
  ),
  discordNotificationsEnabled: z.boolean(),
  migratedFrom: z.nullable(z.string()),
  /** True for somebody whose account was deleted: only the uid and the money are left. */
  deactivated: z.boolean(),
  /** Dollars; what a payout may be requested of. Below zero it is owed to the store. */
  balance: z.number(),
  /** True when the balance may lag behind what was written last. */
  stale: z.optional(z.literal(true)),
});
export type UserAnswer = z.infer<typeof userAnswer>;

export const userParams = z.object({ uid: z.string().check(z.maxLength(128)) });

export const userSearchQuery = z.object({ q: z.string().check(z.trim(), z.maxLength(100)) });

export const userSearchAnswer = z.object({
  users: z.array(
    z.object({
      uid: z.string(),
      username: z.nullable(z.string()),
      displayName: z.nullable(z.string()),
      email: z.string(),
    }),
  ),
});
export type UserSearchAnswer = z.infer<typeof userSearchAnswer>;
