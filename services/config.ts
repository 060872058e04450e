// The environment, read once at the start of a process and passed on as a checked value. No other file reads it.
import { join, resolve } from "node:path";
import { z } from "zod";

/** Where the database is: our own under the data folder, or one that somebody else runs. */
export type DatabaseConfig =
  | { readonly kind: "embedded" }
  | {
      readonly kind: "external";
      /** As the application's role. */
      readonly appUrl: string;
      /** As the owner of the schema; only processes that migrate need it. */
      readonly ownerUrl: string | null;
      /** A hot standby for reads. */
      readonly readUrl: string | null;
      /** A standby that lags by more than this is not read from. */
      readonly readMaxLagMs: number;
    };

const issuerSchema = z.strictObject({
  issuer: z.string().min(1),
  audience: z.string().min(1),
  jwksUrl: z.url({ protocol: /^https?$/ }),
  algorithms: z.array(z.enum(["RS256", "ES256", "EdDSA"])).min(1),
});

/** An outside identity provider whose ID tokens are accepted. */
export type IssuerConfig = z.infer<typeof issuerSchema>;

/** This app as a client of an OAuth provider. */
export type OAuthClientConfig = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Google's issuer, or the address that Discord's paths follow; without a slash at the end. */
  readonly baseUrl: string;
};

/** How letters are sent: by a mail server, or into a folder on this machine. */
export type MailConfig =
  | { readonly kind: "smtp"; readonly url: string; readonly from: string }
  | { readonly kind: "outbox"; readonly folder: string; readonly from: string };

export type Config = {
  readonly port: number;
  readonly host: string;
  /** Absolute: the embedded database, published heads, the outbox of mail. */
  readonly dataDir: string;
  /** Where heads of the log's hash chain are published, outside the database. */
  readonly heads: {
    readonly folder: string;
    /** The file that all processes shared before each had its own; still read. */
    readonly formerFile: string;
  };
  readonly database: DatabaseConfig;
  readonly isProduction: boolean;
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** IANA name that fixes the store's days; null if the store's settings decide. */
  readonly storeTimeZone: string | null;
  /** The public address of the app, without a path or a slash at the end; null if not set. */
  readonly publicUrl: string | null;
  readonly issuers: readonly IssuerConfig[];
  /** Null where people cannot sign in with it. */
  readonly google: OAuthClientConfig | null;
  readonly discord: OAuthClientConfig | null;
  readonly mail: MailConfig;
  /** The number of our own proxies in front; that many forwarded addresses are trusted. */
  readonly proxyCount: number;
  /** With less free space than this, the operator is warned; null for a share of the disk. */
  readonly storageWarningBytes: number | null;
  /** Bearer token for /metrics; without one, /metrics answers only on the machine itself. */
  readonly metricsToken: string | null;
};

const unreadablePassword = "has a % in its password that is not part of an escape: write it as %25";

/** The environment is wrong; the message names each variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const postgresUrl = z
  .url({ protocol: /^postgres(?:ql)?$/, error: "must be a postgres:// address", abort: true })
  .refine(hasReadablePassword, unreadablePassword);

const webAddress = z
  .url({ protocol: /^https?$/, error: "must be an address such as https://accounts.example" })
  .transform((url) => url.replace(/\/+$/, ""));

const secret = z.string().min(1).max(500);

const timeZones = new Set([...Intl.supportedValuesOf("timeZone"), "UTC"]);

const environmentSchema = z.object({
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
        "must be a JSON list of {issuer, audience, jwksUrl, algorithms} objects",
      ),
    )
    .default([]),
  GOOGLE_CLIENT_ID: secret.optional(),
  GOOGLE_CLIENT_SECRET: secret.optional(),
  GOOGLE_ISSUER: webAddress.default("https://accounts.google.com"),
  DISCORD_CLIENT_ID: secret.optional(),
  DISCORD_CLIENT_SECRET: secret.optional(),
  DISCORD_BASE_URL: webAddress.default("https://discord.com"),
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
  STORAGE_WARNING_MB: z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(1, "must be at least 1")
    .optional(),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
});

/** Checks an environment. Throws `ConfigError` that names every wrong variable at once. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  // `PORT=` in a shell or an env file means "not set".
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(
      describe(parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)),
    );
  }
  const values = parsed.data;
  const problems = [...contradictions(values), ...weakInProduction(values)];
  if (problems.length > 0) {
    throw new ConfigError(describe(problems));
  }
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.DATA_DIR),
    heads: {
      folder: join(resolve(values.DATA_DIR), "heads"),
      formerFile: join(resolve(values.DATA_DIR), "heads.log"),
    },
    database:
      values.DATABASE_URL === undefined
        ? { kind: "embedded" }
        : {
            kind: "external",
            appUrl: values.DATABASE_URL,
            ownerUrl: values.DATABASE_OWNER_URL ?? null,
            readUrl: values.READ_DATABASE_URL ?? null,
            readMaxLagMs: values.READ_DATABASE_MAX_LAG_MS,
          },
    isProduction: values.NODE_ENV === "production",
    logLevel: values.LOG_LEVEL,
    storeTimeZone: values.STORE_TIME_ZONE ?? null,
    publicUrl: values.PUBLIC_URL ?? null,
    issuers: values.TOKEN_ISSUERS,
    google: oauthClient(values.GOOGLE_CLIENT_ID, values.GOOGLE_CLIENT_SECRET, values.GOOGLE_ISSUER),
    discord: oauthClient(
      values.DISCORD_CLIENT_ID,
      values.DISCORD_CLIENT_SECRET,
      values.DISCORD_BASE_URL,
    ),
    mail: mailOf(values),
    proxyCount: values.PROXY_COUNT,
    storageWarningBytes:
      values.STORAGE_WARNING_MB === undefined ? null : values.STORAGE_WARNING_MB * 2 ** 20,
    metricsToken: values.METRICS_TOKEN ?? null,
  };
}

function oauthClient(
  clientId: string | undefined,
  clientSecret: string | undefined,
  baseUrl: string,
): OAuthClientConfig | null {
  return clientId === undefined || clientSecret === undefined
    ? null
    : { clientId, clientSecret, baseUrl };
}

function mailOf({ SMTP_URL: url, MAIL_FROM, DATA_DIR }: Environment): MailConfig {
  const from = MAIL_FROM ?? "Consignment Ledger <no-reply@localhost>";
  return url === undefined
    ? { kind: "outbox", folder: join(resolve(DATA_DIR), "outbox"), from }
    : { kind: "smtp", url, from };
}

/** The configuration of this process. */
export function readConfig(): Config {
  return parseConfig(process.env);
}

/** For processes that run next to others: they share one database, which has to be configured. */
export function requireExternalDatabase(config: Config): void {
  if (config.database.kind === "embedded") {
    throw new ConfigError(
      describe([
        "DATABASE_URL: is required here; only `npm start`, which runs everything in one process, works without it",
      ]),
    );
  }
}

type Environment = z.infer<typeof environmentSchema>;

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
    ...(values.SMTP_URL !== undefined && values.MAIL_FROM === undefined
      ? ["MAIL_FROM: is missing; mail servers need a sender"]
      : []),
    ...needsDatabase.map((name) => `${name}: is of no use without DATABASE_URL`),
    ...(sameRole
      ? [
          "DATABASE_OWNER_URL: must name another role than DATABASE_URL, so that the application cannot change the log",
        ]
      : []),
  ];
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

function weakInProduction(values: Environment): string[] {
  if (values.NODE_ENV !== "production") {
    return [];
  }
  const weak = (["DATABASE_URL", "DATABASE_OWNER_URL", "READ_DATABASE_URL"] as const).filter(
    (name) => {
      const address = values[name];
      return address !== undefined && isTriedOut(passwordIn(address));
    },
  );
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
  return [
    ...weak.map((name) => `${name}: has a password that is only for development`),
    ...(weakMail ? ["SMTP_URL: has a password that is only for development"] : []),
    ...weakSecrets.map((name) => `${name}: is a secret that is only for development`),
    ...inTheClear.map((name) => `${name}: must be https in production`),
    // Cookies that open a session are sent over https alone, and only to the app's own origin.
    ...(values.PUBLIC_URL?.startsWith("https:") === true
      ? []
      : ["PUBLIC_URL: must be set in production, and https"]),
    ...values.TOKEN_ISSUERS.filter(({ jwksUrl }) => jwksUrl.startsWith("http:")).map(
      ({ issuer }) => `TOKEN_ISSUERS: the keys of ${issuer} must come over https in production`,
    ),
  ];
}

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

function describe(problems: readonly string[]): string {
  return `The environment is wrong:\n${problems.map((problem) => `  ${problem}`).join("\n")}`;
}
