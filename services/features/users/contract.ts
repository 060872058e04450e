// A person as the person and admins read it. Every visitor loads this contract; names, refusals and the admins' calls stand apart.
import * as z from "zod/mini";
import { uid } from "#ledger/fields.ts";

export const role = z.enum(["user", "admin"]);

export const landsOn = z.enum(["dashboard", "today"]);

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
  /** The screen after signing in; only admins can see Today. */
  landsOn,
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

/** POST /identity/setup: the person is the first admin now. */
export const setupResponse = z.object({ role: z.literal("admin") });
