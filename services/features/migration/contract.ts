// The requests and responses of the calls about the old app's accounts.
import * as z from "zod/mini";
import { pageLimit, uid, uuid } from "#ledger/fields.ts";

/** Refusals of these calls, by code. Every call may also return 400 `validation_failed` (with details), 401 and 403. */
export const migrationRefusals = {
  unknown_user: { status: 404, message: "There is no such user" },
  user_deleted: { status: 409, message: "This user was deleted" },
} as const;

export const migratedUserParams = z.strictObject({ uid });

export const migrationStatus = z.enum(["migrated", "skipped", "needs_review", "failed"]);
export type MigrationStatus = z.infer<typeof migrationStatus>;

/** Why this is the result. */
export const migrationReason = z.enum([
  /** skipped: the old app has no account of this user */
  "nothing_found",
  /** skipped: it was done before */
  "already_migrated",
  /** needs_review: the email matches, but the user has not verified it */
  "email_not_verified",
  /** needs_review: only the username matches, which anybody may choose */
  "matched_by_username",
  /** needs_review: several old accounts match */
  "several_matches",
  /** needs_review: the old account was given to another user before */
  "claimed_by_another",
  /** failed: the message says why */
  "refused",
]);
export type MigrationReason = z.infer<typeof migrationReason>;

/** A fraction of a cent in the old app's figures, rounded half up. */
export const rounding = z.object({
  /** "balance", "sale 3: salePrice" … */
  what: z.string(),
  /** The old app's figure in dollars. */
  from: z.string(),
  /** Cents. */
  toCents: z.int(),
});

/** The content of an old account, in dollars and counts. */
export const legacyHoldings = z.object({
  balance: z.number(),
  items: z.int(),
  units: z.int(),
  sales: z.int(),
  paidPayouts: z.int(),
  pendingPayouts: z.int(),
  pendingAmount: z.number(),
  roundings: z.array(rounding),
});
export type LegacyHoldings = z.infer<typeof legacyHoldings>;

/**
 * POST /auth/users/{uid}/migrate (admins). Without a body it migrates the old account with the user's verified
 * email. With `legacyId` an admin confirms one that `needs_review`. A second call is `skipped`.
 */
export const migrateUserRequest = z.strictObject({ legacyId: z.optional(uuid) });
export type MigrateUserRequest = z.input<typeof migrateUserRequest>;
export const migrateUserResponse = z.object({
  message: z.string(),
  status: migrationStatus,
  reason: z.nullable(migrationReason),
  /** The old accounts concerned: the migrated one, or those to choose from. */
  legacy: z.array(
    z.object({
      legacyId: z.string(),
      email: z.nullable(z.string()),
      username: z.nullable(z.string()),
      displayName: z.nullable(z.string()),
      holdings: legacyHoldings,
    }),
  ),
});
export type MigrateUserResponse = z.infer<typeof migrateUserResponse>;

/** POST /auth/migrate-all (admins): all users who are not deleted; a failure does not stop the others. */
export const migrateAllResponse = z.object({
  message: z.string(),
  totalUsers: z.int(),
  migrated: z.int(),
  skipped: z.int(),
  needsReview: z.int(),
  failed: z.int(),
  /** Every user. Of those of whom the old app has no account, who stand last, only the first 1,000. */
  details: z.array(
    z.object({
      status: migrationStatus,
      uid: z.string(),
      email: z.nullable(z.string()),
      /** What went wrong; null unless failed. */
      error: z.nullable(z.string()),
      /** A sentence for the report; null when migrated. */
      reason: z.nullable(z.string()),
      reasonCode: z.nullable(migrationReason),
    }),
  ),
  /** How many users of whom the old app has no account are not in `details`. */
  unlisted: z.int(),
});
export type MigrateAllResponse = z.infer<typeof migrateAllResponse>;

/**
 * POST /auth/legacy-users (admins): accounts of the old app's export, as they stand in its `users`; a large file in
 * several calls. A problem anywhere refuses the whole call, 409 `file_refused` with each place. Loading an account again
 * updates it while it waits.
 */
export const loadLegacyRequest = z.strictObject({
  users: z.array(z.unknown()).check(z.minLength(1), z.maxLength(2_000)),
  /** Only says what is wrong with them. */
  checkOnly: z._default(z.boolean(), false),
});
export const loadLegacyResponse = z.object({
  message: z.string(),
  users: z.int(),
  added: z.int(),
  updated: z.int(),
  /** Were migrated before and stay as they are. */
  migrated: z.int(),
  /** Amounts with a fraction of a cent, rounded half up. */
  rounded: z.int(),
  /** Fields of the accounts that are not taken over, as "payouts.note", with how often they are there. */
  ignored: z.array(z.object({ field: z.string(), count: z.int() })),
  /** Unpaid payouts for which the old app names no handle. They are migrated, and cannot be paid by a link. */
  withoutHandle: z.int(),
});
export type LoadLegacyResponse = z.infer<typeof loadLegacyResponse>;

/** GET /auth/legacy-users (admins): the old app's loaded accounts, by name. */
export const legacyUsersQuery = z.strictObject({
  q: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  /** `waiting`: not migrated yet. `needs_review`: those of them that match a user's username or email. */
  status: z._default(z.enum(["waiting", "needs_review", "migrated", "all"]), "waiting"),
  page: z._default(
    z.pipe(
      z.string().check(z.regex(/^[1-9][0-9]{0,5}$/u, "A page is a whole number from 1")),
      z.transform(Number),
    ),
    1,
  ),
  limit: pageLimit(50, 200),
});
export const legacyUser = z.object({
  legacyId: z.string(),
  email: z.nullable(z.string()),
  username: z.nullable(z.string()),
  displayName: z.nullable(z.string()),
  status: z.enum(["waiting", "needs_review", "migrated"]),
  holdings: legacyHoldings,
  /** Users it may belong to, while it is not migrated; at most 5. */
  candidates: z.array(
    z.object({
      uid: z.string(),
      name: z.string(),
      email: z.nullable(z.string()),
      matchedBy: z.enum(["verified-email", "email", "username"]),
    }),
  ),
  /** The user it was migrated to. */
  migratedTo: z.nullable(z.object({ uid: z.string(), name: z.string() })),
  loadedAt: z.string(),
});
export type LegacyUser = z.infer<typeof legacyUser>;
export const legacyUsersResponse = z.object({
  legacyUsers: z.array(legacyUser),
  total: z.int(),
  hasMore: z.boolean(),
});
export type LegacyUsersResponse = z.infer<typeof legacyUsersResponse>;
