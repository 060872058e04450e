// The environment, read once at the start of a process and passed on as a checked value. No other file reads it.
import { join, resolve } from "node:path";
import { environmentSchema } from "./environment.ts";
import type { Environment } from "./environment.ts";
import type { IssuerConfig } from "./environment-forms.ts";
import { problemsOf } from "./environment-problems.ts";
import type { RetailerConfig } from "#http/retailer.ts";

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

/** When a session ends by itself, in seconds: after its last use, and after the sign-in. */
export type SessionConfig = { readonly idleSeconds: number; readonly longestSeconds: number };

/** Where and when the store is backed up. */
export type BackupConfig = {
  /** Absolute; null if no back-ups are made by themselves. */
  readonly folder: string | null;
  /** Null if back-ups are not encrypted. */
  readonly passphrase: string | null;
  /** Cron expressions in the store's time zone; null if it never runs by itself. */
  readonly schedule: string | null;
  readonly drillSchedule: string | null;
};

/** The keys from outside the database that its secrets are sealed with. */
export type SecretKeyConfig = {
  /** Null if the one in the file is used, which is made if there is none. */
  readonly given: Uint8Array | null;
  /** What `given` replaced; null if nothing is sealed with it any more. */
  readonly previous: Uint8Array | null;
  readonly file: string;
};

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
  /** The bot that sends notifications at Discord; null without one. */
  readonly discordBot: { readonly token: string; readonly baseUrl: string } | null;
  readonly mail: MailConfig;
  readonly sessions: { readonly user: SessionConfig; readonly admin: SessionConfig };
  /** The number of our own proxies in front; that many forwarded addresses are trusted. */
  readonly proxyCount: number;
  /** With less free space than this, the operator is warned; null for a share of the disk. */
  readonly storageWarningBytes: number | null;
  /** When everything is proved each night, in the store's time zone: "03:00"; null for only when an admin asks. */
  readonly proofTime: string | null;
  /** Who gets a letter when an alert is raised; null for nobody. */
  readonly alertEmail: string | null;
  /** Called each minute while all is well; null for nowhere. */
  readonly heartbeatUrl: string | null;
  readonly backup: BackupConfig;
  readonly secretKey: SecretKeyConfig;
  /** Whether admins can do nothing before they have a second factor. */
  readonly adminSecondFactor: "optional" | "required";
  /** Marking a larger payout as paid asks who it is; null for never. */
  readonly confirmPayoutsAboveCents: number | null;
  readonly retailer: RetailerConfig;
  /** Bearer token for /metrics; without one, /metrics answers only on the machine itself. */
  readonly metricsToken: string | null;
};

/** The environment is wrong; the message names each variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

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
  const problems = problemsOf(values);
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
    discordBot:
      values.DISCORD_BOT_TOKEN === undefined
        ? null
        : { token: values.DISCORD_BOT_TOKEN, baseUrl: values.DISCORD_BASE_URL },
    mail: mailOf(values),
    sessions: sessionsOf(values),
    proxyCount: values.PROXY_COUNT,
    storageWarningBytes:
      values.STORAGE_WARNING_MB === undefined ? null : values.STORAGE_WARNING_MB * 2 ** 20,
    proofTime: values.PROOF_TIME === "off" ? null : values.PROOF_TIME,
    alertEmail: values.ALERT_EMAIL ?? null,
    heartbeatUrl: values.HEARTBEAT_URL ?? null,
    backup: backupOf(values),
    secretKey: {
      given: values.SECRET_KEY ?? null,
      previous: values.PREVIOUS_SECRET_KEY ?? null,
      file: secretKeyFileOf(values.DATA_DIR),
    },
    adminSecondFactor: values.ADMIN_SECOND_FACTOR,
    confirmPayoutsAboveCents:
      values.CONFIRM_PAYOUTS_ABOVE === 0 ? null : Math.round(values.CONFIRM_PAYOUTS_ABOVE * 100),
    retailer: {
      hosts: values.RETAILER_HOSTS,
      imageHosts: values.RETAILER_IMAGE_HOSTS,
      proxy: values.OUTGOING_PROXY ?? null,
      standIn: values.RETAILER_STAND_IN ?? null,
    },
    metricsToken: values.METRICS_TOKEN ?? null,
  };
}

function sessionsOf(values: Environment): Config["sessions"] {
  const day = 86_400;
  return {
    user: {
      idleSeconds: values.SESSION_IDLE_DAYS * day,
      longestSeconds: values.SESSION_DAYS * day,
    },
    admin: {
      idleSeconds: values.ADMIN_SESSION_IDLE_HOURS * 3_600,
      longestSeconds: values.ADMIN_SESSION_DAYS * day,
    },
  };
}

/** Where the key is if SECRET_KEY is not set. */
export function secretKeyFileOf(dataDir: string): string {
  return join(resolve(dataDir), "secret.key");
}

function backupOf(values: Environment): BackupConfig {
  const { BACKUP_DIR: folder, BACKUP_SCHEDULE: schedule, RESTORE_DRILL_SCHEDULE: drill } = values;
  return {
    folder: folder === undefined ? null : resolve(folder),
    passphrase: values.BACKUP_PASSPHRASE ?? null,
    schedule: schedule === "off" ? null : schedule,
    drillSchedule: drill === "off" ? null : drill,
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

function describe(problems: readonly string[]): string {
  return `The environment is wrong:\n${problems.map((problem) => `  ${problem}`).join("\n")}`;
}
