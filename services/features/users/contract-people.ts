// The admins' calls about users: finding and listing people, changing them, deletion. Apart from the profile's contract, which every visitor loads.
import * as z from "zod/mini";
import { pageLimit, text } from "#ledger/fields.ts";
import { discordView, role, userResponse } from "#features/users/contract.ts";
import { displayName, email, username } from "#features/users/contract-names.ts";

/** GET /auth/search?q=… (admins): at most 20 people with an email, exact matches first. */
export const userSearchQuery = z.strictObject({ q: z.string().check(z.trim(), z.maxLength(100)) });
export const userSearchResponse = z.object({
  users: z.array(
    z.object({
      uid: z.string(),
      username: z.nullable(z.string()),
      displayName: z.nullable(z.string()),
      email: z.string(),
      /** False if nobody has shown that the address is this person's. */
      emailVerified: z.boolean(),
    }),
  ),
});
export type UserSearchResponse = z.infer<typeof userSearchResponse>;

export const userSort = z.enum([
  "name",
  "email",
  "discord",
  "role",
  "units",
  "balance",
  "pending",
  "held",
  "sales",
  "activity",
]);
export type UserSort = z.infer<typeof userSort>;

/** The filters and sort of the list and of its export. */
const listFilters = {
  /** Part of a name, username, email or Discord name; or a whole uid or Discord ID. */
  q: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  role: z.optional(role),
  /** By default `active`. */
  status: z._default(z.enum(["active", "deleted", "all"]), "active"),
  /** Only people with this: a balance above zero, below zero, or a pending payout. */
  money: z.optional(z.enum(["owed", "negative", "pending"])),
  sort: z._default(userSort, "name"),
  order: z._default(z.enum(["asc", "desc"]), "asc"),
};

/** GET /auth/all-users (admins). Nulls come last; ties are sorted by name, then uid. */
export const userListQuery = z.strictObject({
  ...listFilters,
  /** Counts from 1. */
  page: z._default(
    z.pipe(
      z.string().check(z.regex(/^[1-9][0-9]{0,5}$/u, "A page is a whole number from 1")),
      z.transform(Number),
    ),
    1,
  ),
  limit: pageLimit(50, 200),
});

/** GET /auth/all-users/export: as CSV, all pages. */
export const userListExportQuery = z.strictObject(listFilters);

export const listedUser = z.object({
  uid: z.string(),
  /** The name to show: the display name, otherwise the username or the email; or "Deleted user". */
  name: z.string(),
  displayName: z.nullable(z.string()),
  email: z.nullable(z.string()),
  emailVerified: z.boolean(),
  username: z.nullable(z.string()),
  discord: z.nullable(discordView),
  role,
  deactivated: z.boolean(),
  migratedFrom: z.nullable(z.string()),
  /** On hand, over all items. */
  units: z.int(),
  /** In dollars, like all money here. */
  balance: z.number(),
  /** Requested and not paid yet. */
  pending: z.number(),
  /** What their open trades as buyers hold. */
  heldForTrades: z.number(),
  /** Their sales of the last 30 days minus refunds, before shares. */
  sales30Days: z.number(),
  /** The time of the last event of their account, ISO 8601; null if there is none. */
  lastActivityAt: z.nullable(z.string()),
  createdAt: z.string(),
});
export type ListedUser = z.infer<typeof listedUser>;

export const userListResponse = z.object({
  users: z.array(listedUser),
  /** The number of people that match. */
  total: z.int(),
  hasMore: z.boolean(),
  /** Over all people, regardless of the filters. */
  totals: z.object({
    /** The sum of the balances above zero, which people may request. */
    owed: z.number(),
    /** Requested and not paid yet. */
    inTransit: z.number(),
    /** What all open trades hold of their buyers' money. */
    heldForTrades: z.number(),
    /** What is owed to the store: the sum of the balances below zero, as a positive number. */
    negative: z.number(),
    negativeCount: z.int(),
    /** People who were not deleted. */
    userCount: z.int(),
    adminCount: z.int(),
  }),
  stale: z.optional(z.literal(true)),
});
export type UserListResponse = z.infer<typeof userListResponse>;

/** An empty field of the record, as a form has it: the value stays. */
const stays = z.nullable(z.literal(""));

/**
 * PUT /auth/users/{uid} (admins): omitted and empty fields stay as they are, so that the whole record can be sent. The person signs in with a changed email from
 * then on, has to sign in again, and has to verify it; a letter tells the old address. Another admin's email waits
 * until both addresses have agreed, and a letter tells them of another name or username, for which the caller confirms
 * who they are. The balance is set by PUT /sales/balance/{id}.
 */
export const updateUserRequest = z.strictObject({
  /** Null removes it. */
  displayName: z.optional(z.nullable(displayName)),
  username: z.optional(z.union([stays, username])),
  role: z.optional(role),
  email: z.optional(z.union([stays, email])),
  /** The reason; kept outside the log and shown in the user's history. */
  reason: z.optional(text(0, 500, "A reason is text")),
});
export type UpdateUserRequest = z.input<typeof updateUserRequest>;
export const updateUserResponse = z.object({
  message: z.string(),
  user: userResponse,
  /** True if the email changes only once the new address is proved and the old one has agreed. */
  emailWaits: z.boolean(),
});
export type UpdateUserResponse = z.infer<typeof updateUserResponse>;

/** DELETE /auth/users/{uid} (admins): ends their access and erases what is personal. Cannot be undone. */
export const deleteUserResponse = z.object({ message: z.string(), uid: z.string() });
export type DeleteUserResponse = z.infer<typeof deleteUserResponse>;

/** `current` of a 409 `user_not_settled`. */
export const notSettled = z.object({
  balanceCents: z.int(),
  pendingCents: z.int(),
  units: z.int(),
  /** Ids of trades that this person buys in, or whose sale to the buyer is not fulfilled yet. */
  tradeIds: z.array(z.string()),
  /** Neither processed nor deleted. */
  shipmentIds: z.array(z.string()),
});
export type NotSettled = z.infer<typeof notSettled>;

/** GET /auth/users/{uid}/changes (admins): who changed what about this user, newest first. */
export const userChangesQuery = z.strictObject({
  before: z.optional(
    z.pipe(
      z.string().check(z.regex(/^[1-9][0-9]{0,14}$/u, "A position is a whole number")),
      z.transform(Number),
    ),
  ),
  limit: pageLimit(50, 200),
});
export const userChange = z.object({
  /** The position in the store's log. */
  position: z.int(),
  /** `other` is an event that this program cannot explain. */
  kind: z.enum([
    "role",
    "username",
    "email",
    "display-name",
    "agreed-share",
    "shipment",
    "deleted",
    "migrated",
    "other",
  ]),
  /** "Role: Consignor to Admin" */
  description: z.string(),
  /** Null if there was none, or if it was erased. */
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
  /** True if the texts were personal and have been erased. */
  erased: z.boolean(),
  actor: z.object({ uid: z.string(), displayName: z.string() }),
  note: z.nullable(z.string()),
  happenedAt: z.string(),
});
export type UserChange = z.infer<typeof userChange>;
export const userChangesResponse = z.object({
  changes: z.array(userChange),
  /** Pass it as `before` for the next page; null at the end. */
  nextBefore: z.nullable(z.int()),
});
export type UserChangesResponse = z.infer<typeof userChangesResponse>;
