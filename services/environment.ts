// Every environment variable with its form and its default.
import { z } from "zod";
import { hasReadablePassword, isEncryptedOrNear } from "./environment-addresses.ts";
import {
  hostNames,
  issuers,
  postgresUrl,
  schedule,
  secret,
  secretKey,
  timeZone,
  unreadablePassword,
  webAddress,
  wholeNumber,
} from "./environment-forms.ts";

export const environmentSchema = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default("127.0.0.1"),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_OWNER_URL: postgresUrl.optional(),
  READ_DATABASE_URL: postgresUrl.optional(),
  READ_DATABASE_MAX_LAG_MS: wholeNumber(100, 600_000).default(1_000),
  NODE_ENV: z
    .enum(["development", "production", "test"], "must be development, production or test")
    .default("development"),
  LOG_LEVEL: z
    .enum(
      ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
      "must be fatal, error, warn, info, debug, trace or silent",
    )
    .default("info"),
  STORE_TIME_ZONE: timeZone.optional(),
  PUBLIC_URL: z
    .url({
      protocol: /^https?$/,
      error: "must be an address such as https://store.example",
      // Without a valid address there is no path to check.
      abort: true,
    })
    .refine((url) => new URL(url).pathname === "/", "must have no path")
    .transform((url) => new URL(url).origin)
    .optional(),
  TOKEN_ISSUERS: issuers.default([]),
  GOOGLE_CLIENT_ID: secret.optional(),
  GOOGLE_CLIENT_SECRET: secret.optional(),
  GOOGLE_ISSUER: webAddress.default("https://accounts.google.com"),
  DISCORD_CLIENT_ID: secret.optional(),
  DISCORD_CLIENT_SECRET: secret.optional(),
  DISCORD_BASE_URL: webAddress.default("https://discord.com"),
  DISCORD_BOT_TOKEN: z
    .string()
    .regex(/^[\w.-]{20,200}$/u, "must be the bot's token as Discord shows it, without Bot")
    .optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// address", abort: true })
    .refine(hasReadablePassword, unreadablePassword)
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      "must be an address such as store@example.com or Store <store@example.com>",
    )
    .optional(),
  PROXY_COUNT: wholeNumber(0, 10).default(0),
  SESSION_DAYS: wholeNumber(1, 3_650).default(90),
  SESSION_IDLE_DAYS: wholeNumber(1, 365).default(30),
  ADMIN_SESSION_DAYS: wholeNumber(1, 365).default(30),
  ADMIN_SESSION_IDLE_HOURS: wholeNumber(1, 720).default(12),
  STORAGE_WARNING_MB: z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(1, "must be at least 1")
    .optional(),
  PROOF_TIME: z
    .string()
    .regex(/^(?:off|(?:[01]\d|2[0-3]):[0-5]\d)$/, "must be a time of day such as 03:00, or off")
    .default("03:00"),
  ALERT_EMAIL: z.email("must be an address such as owner@example.com").optional(),
  HEARTBEAT_URL: z
    .url({ protocol: /^https?$/, error: "must be an https:// address", abort: true })
    .refine(isEncryptedOrNear, "must be https, except on this machine")
    .optional(),
  SECRET_KEY: secretKey.optional(),
  PREVIOUS_SECRET_KEY: secretKey.optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_PASSPHRASE: z.string().min(12, "must have at least 12 characters").optional(),
  BACKUP_SCHEDULE: schedule.default("30 2 * * *"),
  RESTORE_DRILL_SCHEDULE: schedule.default("30 3 * * *"),
  ADMIN_SECOND_FACTOR: z
    .enum(["optional", "required"], "must be optional or required")
    .default("optional"),
  CONFIRM_PAYOUTS_ABOVE: z.coerce
    .number("must be an amount in dollars such as 500, or 0 for never")
    .min(0, "must be an amount in dollars such as 500, or 0 for never")
    .max(1_000_000, "must be at most 1000000")
    .default(0),
  NODE_TLS_REJECT_UNAUTHORIZED: z.string().optional(),
  RETAILER_HOSTS: hostNames.default([
    "www.amazon.com",
    "amazon.com",
    "smile.amazon.com",
    "m.amazon.com",
    "www.amazon.ca",
    "www.amazon.co.uk",
  ]),
  RETAILER_IMAGE_HOSTS: hostNames.default([
    "m.media-amazon.com",
    "images-na.ssl-images-amazon.com",
    "images-eu.ssl-images-amazon.com",
  ]),
  RETAILER_STAND_IN: webAddress.optional(),
  OUTGOING_PROXY: z
    .url({ protocol: /^http$/, error: "must be an address such as http://proxy.example:3128" })
    .refine(hasReadablePassword, unreadablePassword)
    .optional(),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
});

export type Environment = z.infer<typeof environmentSchema>;
