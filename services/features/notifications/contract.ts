// The requests and responses of the calls about notifications: the bell's list, and which notifications a person wants where.
import * as z from "zod/mini";
import { pageLimit, uuid } from "#ledger/fields.ts";

/** What a person can be told of. */
export const notificationKind = z.enum([
  "sale",
  "payout-paid",
  "payout-deleted",
  "payout-returned",
  "payout-requested",
  "payout-for-me",
  "shipment-processed",
  "offer",
  "counter",
  "answer",
  "expiry",
  "trade-fulfilled",
]);
export type NotificationKind = z.infer<typeof notificationKind>;

export const notificationChannel = z.enum(["in-app", "discord", "email"]);
export type NotificationChannel = z.infer<typeof notificationChannel>;

const notification = z.object({
  id: z.string(),
  kind: notificationKind,
  title: z.string(),
  text: z.string(),
  /** The screen with what it is about. */
  path: z.string(),
  /** ISO 8601. */
  happenedAt: z.string(),
  isRead: z.boolean(),
});
export type Notification = z.infer<typeof notification>;

/** GET /notifications: one's own, newest first. */
export const notificationsQuery = z.strictObject({
  limit: pageLimit(20, 50),
  /** The `next` of the page before. */
  before: z.optional(uuid),
});
export const notificationsResponse = z.object({
  notifications: z.array(notification),
  /** Null on the last page. */
  next: z.nullable(z.string()),
});
export type NotificationsResponse = z.infer<typeof notificationsResponse>;

/** POST /notifications/read: one, or with `through` that one and all before it. */
export const markReadRequest = z.strictObject({
  id: uuid,
  through: z._default(z.boolean(), false),
});
export type MarkReadRequest = z.input<typeof markReadRequest>;
export const notificationsDoneResponse = z.object({ message: z.string() });

/**
 * Why Discord refuses a person's messages, or the last test did not arrive. `not-reached` is any reason for an id that
 * nobody has proved by a sign-in: the answer says nothing about a stranger's account.
 */
export const discordRefusal = z.enum([
  "closed",
  "no-shared-server",
  "unknown-account",
  "not-reached",
]);
export type DiscordRefusal = z.infer<typeof discordRefusal>;

/** The last test message that was asked for. */
const test = z.object({
  state: z.enum(["waiting", "sent", "failed"]),
  at: z.string(),
});

/** GET /notifications/settings and PUT: which notifications one wants, and where. */
export const notificationSettings = z.object({
  kinds: z.array(
    z.object({
      kind: notificationKind,
      label: z.string(),
      /** The channels on which one is told. */
      on: z.array(notificationChannel),
    }),
  ),
  discord: z.object({
    /** False where the store has no bot. */
    isAvailable: z.boolean(),
    /** Null while messages arrive, as far as is known. */
    refused: z.nullable(discordRefusal),
    /** The store's bot cannot send to anybody at the moment. */
    isStopped: z.boolean(),
    /**
     * Whether the owner of the Discord account wants messages there. `none`: no id is saved. `unasked`: the message
     * with the code was not sent, or did not arrive. `waiting`: it is under way. `asked`: its code is awaited.
     */
    confirmation: z.enum(["none", "unasked", "waiting", "asked", "confirmed"]),
    /** When another message with a code may be sent; null if one may be sent now, or none is needed. */
    askAgainAt: z.nullable(z.string()),
    test: z.nullable(test),
  }),
  email: z.object({
    /** Letters go to verified addresses only. */
    isAvailable: z.boolean(),
    test: z.nullable(test),
  }),
});
export type NotificationSettings = z.infer<typeof notificationSettings>;

/** PUT /notifications/settings: one kind on one channel. Responds with `notificationSettings`. */
export const chooseRequest = z.strictObject({
  kind: notificationKind,
  channel: notificationChannel,
  on: z.boolean(),
});
export type ChooseRequest = z.input<typeof chooseRequest>;

/** POST /notifications/test. Responds with `notificationSettings`. */
export const testRequest = z.strictObject({ channel: z.enum(["discord", "email"]) });
export type TestRequest = z.input<typeof testRequest>;

/** PUT /notifications/discord: the code of the message. Both calls respond with `notificationSettings`. */
export const confirmDiscordRequest = z.strictObject({
  code: z
    .string("Type the code of the message")
    .check(z.trim(), z.maxLength(40, "At most 40 characters")),
});
export type ConfirmDiscordRequest = z.input<typeof confirmDiscordRequest>;

export const notificationRefusals = {
  discord_not_confirmed: {
    status: 409,
    message: "Confirm your Discord account first",
  },
  discord_asked: {
    status: 409,
    message: "A message with a code was sent less than a day ago",
  },
  wrong_code: {
    status: 409,
    message: "This code is wrong or more than a day old",
  },
  discord_off: {
    status: 409,
    message: "Turn notifications on and save your Discord ID first",
  },
  discord_not_available: {
    status: 409,
    message: "This store does not send Discord messages",
  },
  email_not_verified: { status: 409, message: "Verify your email address first" },
} as const;
