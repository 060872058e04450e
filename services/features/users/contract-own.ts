// The requests and responses of the calls about one's own account: setup, profile, username, the export of one's data.
import * as z from "zod/mini";
import { text } from "#ledger/fields.ts";
import { landsOn } from "#features/users/contract.ts";
import { displayName, email, messages, username } from "#features/users/contract-names.ts";

const discordId = z
  .string(messages.discordIdShape)
  .check(z.trim(), z.regex(/^[0-9]{17,20}$/u, messages.discordIdShape));

/** POST /identity/setup: become the first admin with the link that was printed at start. */
export const setupRequest = z.strictObject({
  token: z.string().check(z.minLength(1, "The set-up link is not complete"), z.maxLength(200)),
  /** The browser's, for the store's days; left out by one that does not know it. */
  timeZone: z.optional(z.string().check(z.maxLength(60))),
});

/** PUT /auth/me: notifications on or off, where they go, and the screen after signing in. Never who may sign in. Responds with `userResponse`. */
export const updateOwnProfileRequest = z.strictObject({
  /** Null removes it. `linkedAt` may be sent, but the server sets it. */
  discord: z.optional(
    z.nullable(
      z.strictObject({
        id: discordId,
        username: z.optional(z.nullable(text(0, 40, "A Discord name is text"))),
        linkedAt: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
      }),
    ),
  ),
  discordNotificationsEnabled: z.optional(z.boolean()),
  landsOn: z.optional(landsOn),
});
export type UpdateOwnProfileRequest = z.input<typeof updateOwnProfileRequest>;

/**
 * POST /auth/users: makes one's own profile at the first sign-in; a second call returns the existing one. The token
 * says who the caller is and whether the address is verified. `role` never grants anything. Responds with
 * `userResponse`.
 */
export const createUserRequest = z.strictObject({
  /** One's own uid, or one's id at the external provider; the response has the uid that counts. */
  uid: z.optional(z.string().check(z.maxLength(255))),
  email: z.optional(z.nullable(z.union([email, z.literal("")]))),
  displayName: z.optional(z.nullable(displayName)),
  role: z.optional(z.string().check(z.maxLength(20))),
});
export type CreateUserRequest = z.input<typeof createUserRequest>;

/** POST /auth/set-username: one's own. Setting the same name again is not an error. */
export const setUsernameRequest = z.strictObject({ username });
export type SetUsernameRequest = z.input<typeof setUsernameRequest>;
export const setUsernameResponse = z.object({ message: z.string(), username: z.string() });
export type SetUsernameResponse = z.infer<typeof setUsernameResponse>;

/** GET /auth/check-username?username=… (signed in, limited per account and address). */
export const checkUsernameQuery = z.strictObject({
  username: z._default(z.string().check(z.maxLength(100)), ""),
});
export const checkUsernameResponse = z.object({
  /** Also true for one's own name. */
  available: z.boolean(),
  /** Why it is not available, as one of the two sentences; null if it is. */
  message: z.nullable(z.string()),
});
export type CheckUsernameResponse = z.infer<typeof checkUsernameResponse>;

/** GET /auth/me/export: a JSON download of everything the store knows about the caller; meant for people, not programs. */
export const ownDataResponse = z.object({
  exportedAt: z.string(),
  profile: z.record(z.string(), z.unknown()),
  signIn: z.record(z.string(), z.unknown()),
  payoutHandles: z.array(z.record(z.string(), z.unknown())),
  chosenPayoutHandles: z.array(z.record(z.string(), z.unknown())),
  tradeAddresses: z.array(z.record(z.string(), z.unknown())),
  tradeLabels: z.array(z.record(z.string(), z.unknown())),
  notes: z.array(z.string()),
  changes: z.array(z.record(z.string(), z.unknown())),
  security: z.array(z.record(z.string(), z.unknown())),
  items: z.array(z.record(z.string(), z.unknown())),
  sales: z.array(z.record(z.string(), z.unknown())),
  payouts: z.array(z.record(z.string(), z.unknown())),
  shipments: z.array(z.record(z.string(), z.unknown())),
  ledger: z.array(z.record(z.string(), z.unknown())),
  /** The names of lists that have more than 100,000 entries: the rest of them is missing. */
  cutOff: z.array(z.string()),
  /** PDFs, as base64. */
  labels: z.array(z.record(z.string(), z.unknown())),
});
export type OwnDataResponse = z.infer<typeof ownDataResponse>;
