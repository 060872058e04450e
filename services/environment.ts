// The form of every environment variable, and which values do not fit together or are not fit for production.
import { z } from "zod";
import { isLoopback } from "#identity/networks.ts";
import { ambiguousIssuers, isNearOrVerified } from "./environment-addresses.ts";

const issuerSchema = z.strictObject({
  issuer: z.string().min(1),
  audience: z.string().min(1),
  jwksUrl: z.url({ protocol: /^https?$/ }),
  algorithms: z.array(z.enum(["RS256", "ES256", "EdDSA"])).min(1),
  /** When its tokens count as a sign-in with a second factor: what they say, or always. */
  secondFactor: z
    .union([
      z.literal("always"),
      z.strictObject({
        amr: z.array(z.string().min(1)).default([]),
        acr: z.array(z.string().min(1)).default([]),
      }),
    ])
    .default({ amr: ["mfa"], acr: [] }),
});

/** An outside identity provider whose ID tokens are accepted. */
export type IssuerConfig = z.infer<typeof issuerSchema>;

const unreadablePassword = "has a % in its password that is not part of an escape: write it as %25";

const postgresUrl = z
  .url({ protocol: /^postgres(?:ql)?$/, error: "must be a postgres:// address", abort: true })
  .refine(hasReadablePassword, unreadablePassword);

const webAddress = z
  .url({ protocol: /^https?$/, error: "must be an address such as https://accounts.example" })
  .transform((url) => url.replace(/\/+$/, ""));

/** Names of hosts, separated by commas. */
const hostNames = z.string().transform((text, context) => {
  const names = text.split(",").map((name) => name.trim().toLowerCase());
  if (!names.every((name) => /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/u.test(name))) {
    context.addIssue("must be names of hosts such as www.example.com, separated by commas");
    return z.NEVER;
  }
  return names;
});

const secret = z.string().min(1).max(500);

/** 32 random bytes, in hex or base64. */
const secretKey = z.string().transform((text, context) => {
  const bytes = secretKeyBytes(text);
  if (bytes === null) {
    context.addIssue(
      "must be 32 random bytes in hex or base64, as `openssl rand -hex 32` prints them",
    );
    return z.NEVER;
  }
  return bytes;
});

/** Null if the text is no such key. */
export function secretKeyBytes(text: string): Buffer | null {
  const isHex = /^[0-9a-f]{64}$/iu.test(text);
  const isBase64 = /^[\w+/-]{43}=?$/u.test(text);
  return isHex ? Buffer.from(text, "hex") : isBase64 ? Buffer.from(text, "base64") : null;
}

/** Five fields, as in `30 2 * * *`. */
const schedule = z
  .string()
  .regex(/^(?:off|\S+(?: \S+){4})$/, "must be five fields such as 30 2 * * *, or off");

function wholeNumber(from: number, to: number) {
  const range = `must be ${from} to ${to}`;
  return z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(from, range)
    .max(to, range);
}

const timeZones = new Set([...Intl.supportedValuesOf("timeZone"), "UTC"]);

export const environmentSchema = z.object({
  PORT: z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(0, "must be 0 to 65535")
    .max(65_535, "must be 0 to 65535")
    .default(3000),
  HOST: z.string().default("127.0.0.1"),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_OWNER_URL: postgresUrl.optional(),
  READ_DATABASE_URL: postgresUrl.optional(),
  READ_DATABASE_MAX_LAG_MS: z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(100, "must be 100 to 600000")
    .max(600_000, "must be 100 to 600000")
    .default(1_000),
  NODE_ENV: z
    .enum(["development", "production", "test"], "must be development, production or test")
    .default("development"),
  LOG_LEVEL: z
    .enum(
      ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
      "must be fatal, error, warn, info, debug, trace or silent",
    )
    .default("info"),
  STORE_TIME_ZONE: z
    .string()
    .refine((name) => timeZones.has(name), "must be a time zone such as America/Chicago")
    .optional(),
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
  TOKEN_ISSUERS: z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue("must be a JSON list");
        return z.NEVER;
      }
    })
    .pipe(
      z.array(
        issuerSchema,
        "must be a JSON list of {issuer, audience, jwksUrl, algorithms} objects, each with an optional secondFactor",
      ),
    )
    .default([]),
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
  PROXY_COUNT: z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(0, "must be 0 to 10")
    .max(10, "must be 0 to 10")
    .default(0),
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

/** What is wrong with variables that are each right by themselves, one sentence each. */
export function problemsOf(values: Environment): string[] {
  return [...contradictions(values), ...weakInProduction(values)];
}

function contradictions(values: Environment): string[] {
  const needsDatabase = (["DATABASE_OWNER_URL", "READ_DATABASE_URL"] as const).filter(
    (name) => values[name] !== undefined && values.DATABASE_URL === undefined,
  );
  const sameRole =
    values.DATABASE_URL !== undefined &&
    values.DATABASE_OWNER_URL !== undefined &&
    new URL(values.DATABASE_URL).username === new URL(values.DATABASE_OWNER_URL).username;
  const halves = (["GOOGLE", "DISCORD"] as const).flatMap((provider) => {
    const id = `${provider}_CLIENT_ID` as const;
    const secretName = `${provider}_CLIENT_SECRET` as const;
    const missing = values[id] === undefined ? id : secretName;
    return (values[id] === undefined) === (values[secretName] === undefined)
      ? []
      : [`${missing}: is missing; ID and secret belong together`];
  });
  return [
    ...halves,
    // In production it is refused anyway.
    ...(values.DISCORD_BOT_TOKEN !== undefined &&
    values.NODE_ENV !== "production" &&
    !isEncryptedOrNear(values.DISCORD_BASE_URL)
      ? ["DISCORD_BASE_URL: must be https, except on this machine"]
      : []),
    ...(values.SMTP_URL !== undefined && values.MAIL_FROM === undefined
      ? ["MAIL_FROM: is missing; mail servers need a sender"]
      : []),
    ...(values.PREVIOUS_SECRET_KEY !== undefined && values.SECRET_KEY === undefined
      ? ["PREVIOUS_SECRET_KEY: is of no use without SECRET_KEY"]
      : []),
    ...needsDatabase.map((name) => `${name}: is of no use without DATABASE_URL`),
    ...ambiguousIssuers(
      values.TOKEN_ISSUERS.map(({ issuer }) => issuer),
      values.GOOGLE_ISSUER,
    ).map((problem) => `TOKEN_ISSUERS: ${problem}`),
    ...(sameRole
      ? [
          "DATABASE_OWNER_URL: must name another role than DATABASE_URL, so that the application cannot change the log",
        ]
      : []),
  ];
}

function isEncryptedOrNear(address: string): boolean {
  return address.startsWith("https:") || isLoopback(new URL(address).hostname);
}

/** Passwords that people use during development. */
const triedOutPasswords = new Set([
  "",
  "postgres",
  "password",
  "secret",
  "changeme",
  "ledger",
  "ledger_app",
  "ledger_owner",
  "demo-password",
]);

const databaseUrls = ["DATABASE_URL", "DATABASE_OWNER_URL", "READ_DATABASE_URL"] as const;

function weakInProduction(values: Environment): string[] {
  if (values.NODE_ENV !== "production") {
    return [];
  }
  const weak = databaseUrls.filter((name) => {
    const address = values[name];
    return address !== undefined && isTriedOut(passwordIn(address));
  });
  // A mail server may need no password.
  const weakMail =
    values.SMTP_URL !== undefined &&
    passwordIn(values.SMTP_URL) !== "" &&
    isTriedOut(passwordIn(values.SMTP_URL));
  const weakSecrets = (["GOOGLE_CLIENT_SECRET", "DISCORD_CLIENT_SECRET"] as const).filter(
    (name) => {
      const given = values[name];
      return given !== undefined && (given.length < 16 || isTriedOut(given));
    },
  );
  const inTheClear = (["GOOGLE_ISSUER", "DISCORD_BASE_URL"] as const).filter((name) =>
    values[name].startsWith("http:"),
  );
  const unverified = databaseUrls.filter((name) => {
    const address = values[name];
    return address !== undefined && !isNearOrVerified(address);
  });
  return [
    ...unverified.map(
      (name) =>
        `${name}: in production, a database on another machine needs verified TLS; add sslmode=verify-full`,
    ),
    ...(values.NODE_TLS_REJECT_UNAUTHORIZED === "0"
      ? [
          "NODE_TLS_REJECT_UNAUTHORIZED: must not be 0 in production, because nothing is verified then",
        ]
      : []),
    ...weak.map((name) => `${name}: has a password that is only for development`),
    ...(weakMail ? ["SMTP_URL: has a password that is only for development"] : []),
    ...weakSecrets.map((name) => `${name}: is a secret that is only for development`),
    ...inTheClear.map((name) => `${name}: must be https in production`),
    ...(values.RETAILER_STAND_IN === undefined
      ? []
      : ["RETAILER_STAND_IN: must not be set in production; it takes the retailer's place"]),
    ...secretKeyProblems(values),
    // Letters have links that open accounts, and without a mail server they would be printed.
    ...(values.SMTP_URL === undefined
      ? ["SMTP_URL: must be set in production: without it nobody gets a letter"]
      : []),
    // Cookies that open a session are sent over https alone, and only to the app's own origin.
    ...(values.PUBLIC_URL?.startsWith("https:") === true
      ? []
      : ["PUBLIC_URL: must be set in production, and https"]),
    ...values.TOKEN_ISSUERS.filter(({ jwksUrl }) => jwksUrl.startsWith("http:")).map(
      ({ issuer }) => `TOKEN_ISSUERS: the keys of ${issuer} must come over https in production`,
    ),
  ];
}

function secretKeyProblems({ SECRET_KEY: given, DATABASE_URL: database }: Environment): string[] {
  if (given === undefined) {
    // Machines that share a database must share its key.
    return database === undefined
      ? []
      : ["SECRET_KEY: must be set in production with DATABASE_URL, the same for all processes"];
  }
  return new Set(given).size < LEAST_DIFFERENT_BYTES ? ["SECRET_KEY: is not random"] : [];
}

/** 32 random bytes practically never have fewer. */
const LEAST_DIFFERENT_BYTES = 16;

function passwordIn(address: string): string {
  return decodeURIComponent(new URL(address).password);
}

function hasReadablePassword(address: string): boolean {
  try {
    passwordIn(address);
    return true;
  } catch {
    return false;
  }
}

function isTriedOut(password: string): boolean {
  return triedOutPasswords.has(password.toLowerCase());
}
