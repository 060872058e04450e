// Shows that a wrong environment is refused by name before anything starts.
import { expect, test } from "vitest";
import { ConfigError, parseConfig } from "#config";

const appUrl = "postgres://ledger_app:K7w-long@db.example/ledger";
const production = {
  NODE_ENV: "production",
  PUBLIC_URL: "https://store.example/",
  SMTP_URL: "smtps://store:K7w-long@mail.example",
  MAIL_FROM: "store@example.com",
};
const aKey = "8d1f0ce7a5b96e2438c1907f5ad26b3ef4706a2c9b58e1d3470f6c85b29ae410";
const ownerUrl = "postgres://ledger_owner:P2x-long@db.example/ledger";

test("with nothing set, everything runs on one machine with its own database", () => {
  const config = parseConfig({});
  expect(config).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    database: { kind: "embedded" },
    isProduction: false,
    storeTimeZone: null,
    publicUrl: null,
    issuers: [],
  });
  expect(config.dataDir).toMatch(/^\/.*\/\.data$/);
});

test("an empty variable counts as not set", () => {
  expect(parseConfig({ PORT: "", DATABASE_URL: " " })).toMatchObject({
    port: 3000,
    database: { kind: "embedded" },
  });
});

test("an outside database can have an owner for migrations and a standby for reads", () => {
  const config = parseConfig({
    DATABASE_URL: appUrl,
    DATABASE_OWNER_URL: ownerUrl,
    READ_DATABASE_URL: "postgresql://ledger_app:K7w-long@standby.example/ledger",
  });
  expect(config.database).toEqual({
    kind: "external",
    appUrl,
    ownerUrl,
    readUrl: "postgresql://ledger_app:K7w-long@standby.example/ledger",
    readMaxLagMs: 1_000,
  });
  const patient = parseConfig({ DATABASE_URL: appUrl, READ_DATABASE_MAX_LAG_MS: "5000" });
  expect(patient.database).toMatchObject({ readUrl: null, readMaxLagMs: 5_000 });
});

test("all wrong variables are named together", () => {
  const environment = {
    PORT: "seventy",
    DATABASE_URL: "mysql://here",
    LOG_LEVEL: "loud",
    STORE_TIME_ZONE: "Mars/Olympus",
    PUBLIC_URL: "https://store.example/app",
    TOKEN_ISSUERS: "none",
  };
  const message = messageOf(() => parseConfig(environment));
  for (const name of Object.keys(environment)) {
    expect(message).toContain(`${name}: `);
  }
});

test.each([
  ["a port that is too high", { PORT: "65536" }, "PORT"],
  [
    "a lag that no standby can keep",
    { DATABASE_URL: appUrl, READ_DATABASE_MAX_LAG_MS: "10" },
    "READ_DATABASE_MAX_LAG_MS",
  ],
  ["a broken port", { PORT: "80.5" }, "PORT"],
  ["an owner without a database", { DATABASE_OWNER_URL: ownerUrl }, "DATABASE_OWNER_URL"],
  [
    "one role for both, which could change the log",
    { DATABASE_URL: appUrl, DATABASE_OWNER_URL: appUrl },
    "DATABASE_OWNER_URL",
  ],
  [
    "an issuer without pinned algorithms",
    { TOKEN_ISSUERS: '[{"issuer":"a","audience":"b","jwksUrl":"https://a.example/keys"}]' },
    "TOKEN_ISSUERS",
  ],
  ["an ID of Google without its secret", { GOOGLE_CLIENT_ID: "id" }, "GOOGLE_CLIENT_SECRET"],
  ["a secret of Discord without its ID", { DISCORD_CLIENT_SECRET: "s" }, "DISCORD_CLIENT_ID"],
  ["a mail server without a sender", { SMTP_URL: "smtp://mail.example" }, "MAIL_FROM"],
  ["two senders", { MAIL_FROM: "a@b.example, c@d.example" }, "MAIL_FROM"],
  [
    "something that is not an address",
    { PUBLIC_URL: "foo" },
    "PUBLIC_URL: must be an address such as",
  ],
  ["an address of another kind", { PUBLIC_URL: "ftp://store.example" }, "PUBLIC_URL: must be"],
  [
    "a password with an invalid escape",
    { DATABASE_URL: "postgres://ledger_app:100%@db.example/ledger", NODE_ENV: "production" },
    "DATABASE_URL: has a % in its password",
  ],
  ["a key that is not 32 bytes", { SECRET_KEY: "a-password-of-somebody" }, "SECRET_KEY"],
  ["a previous key without a current one", { PREVIOUS_SECRET_KEY: aKey }, "PREVIOUS_SECRET_KEY"],
  ["an address that is not a mail server's", { SMTP_URL: "https://mail.example" }, "SMTP_URL"],
])("%s is refused", (_, environment, name) => {
  expect(messageOf(() => parseConfig(environment))).toContain(name);
});

test.each([
  ["DATABASE_URL", { DATABASE_URL: "postgres://ledger_app:postgres@db.example/ledger" }],
  ["DATABASE_URL", { DATABASE_URL: "postgres://ledger_app@db.example/ledger" }],
  ["PUBLIC_URL", { PUBLIC_URL: "http://store.example" }],
  ["DATABASE_URL", { DATABASE_URL: appUrl }],
  ["DATABASE_URL", { DATABASE_URL: `${appUrl}?sslmode=require` }],
  ["DATABASE_URL", { DATABASE_URL: `${appUrl}?sslmode=verify-full&sslmode=require` }],
  ["READ_DATABASE_URL", { DATABASE_URL: appUrl, READ_DATABASE_URL: `${appUrl}?ssl=verify-full` }],
  ["NODE_TLS_REJECT_UNAUTHORIZED", { NODE_TLS_REJECT_UNAUTHORIZED: "0" }],
  [
    "TOKEN_ISSUERS",
    {
      TOKEN_ISSUERS:
        '[{"issuer":"a","audience":"b","jwksUrl":"http://a.example/keys","algorithms":["ES256"]}]',
    },
  ],
  ["SMTP_URL", { SMTP_URL: "smtp://store:changeme@mail.example", MAIL_FROM: "store@example.com" }],
  ["GOOGLE_CLIENT_SECRET", { GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" }],
  ["GOOGLE_ISSUER", { GOOGLE_ISSUER: "http://localhost:9000" }],
  ["DISCORD_CLIENT_SECRET", { DISCORD_CLIENT_ID: "id", DISCORD_CLIENT_SECRET: "short" }],
  ["DISCORD_BASE_URL", { DISCORD_BASE_URL: "http://localhost:9001" }],
])("production refuses what is fine for development: %s", (name, environment) => {
  expect(() => parseConfig(environment)).not.toThrow();
  expect(messageOf(() => parseConfig({ ...production, ...environment }))).toContain(`${name}: `);
});

test("a bot's token that would go out unencrypted is one fault, in production too", () => {
  const bot = {
    DISCORD_BOT_TOKEN: "stand-in.bot-token.of-the-store",
    DISCORD_BASE_URL: "http://discord.example",
  };
  for (const environment of [bot, { ...production, ...bot }]) {
    expect(messageOf(() => parseConfig(environment)).match(/DISCORD_BASE_URL: /gu)).toHaveLength(1);
  }
});

test("people sign in with Google and Discord, and get mail, where it is configured", () => {
  expect(parseConfig({ DATA_DIR: "/data" })).toMatchObject({
    google: null,
    discord: null,
    mail: { kind: "outbox", folder: "/data/outbox" },
  });
  const config = parseConfig({
    GOOGLE_CLIENT_ID: "google-id",
    GOOGLE_CLIENT_SECRET: "google-secret",
    DISCORD_CLIENT_ID: "discord-id",
    DISCORD_CLIENT_SECRET: "discord-secret",
    DISCORD_BASE_URL: "http://localhost:9001/",
    SMTP_URL: "smtps://store:long-password@mail.example",
    MAIL_FROM: "The Store <store@example.com>",
  });
  expect(config).toMatchObject({
    google: { clientId: "google-id", baseUrl: "https://accounts.google.com" },
    discord: { clientSecret: "discord-secret", baseUrl: "http://localhost:9001" },
    mail: { kind: "smtp", from: "The Store <store@example.com>" },
  });
});

test("production accepts a database on this machine, and one elsewhere that proves who it is", () => {
  for (const DATABASE_URL of [
    "postgres://ledger_app:K7w-long@127.0.0.1/ledger",
    "postgres://ledger_app:K7w-long@[::1]:5433/ledger",
    "postgres://ledger_app:K7w-long@%2Fvar%2Frun%2Fpostgresql/ledger",
    `${appUrl}?sslmode=verify-full`,
  ]) {
    expect(() => parseConfig({ ...production, SECRET_KEY: aKey, DATABASE_URL })).not.toThrow();
  }
});

test.each([
  ["the store's own", ["urn:consignment-ledger:identity"]],
  ["the store's own", ["URN:Consignment-Ledger:Identity/"]],
  ["that of sign-in with Discord", ["https://discord.com"]],
  ["that of sign-in with Google", ["https://accounts.google.com/"]],
  ["listed twice", ["https://a.example", "https://b.example", "https://A.example/"]],
])("an outside issuer whose name is %s is refused by that name", (whose, names) => {
  const issuers = names.map((issuer) => ({
    issuer,
    audience: "b",
    jwksUrl: "https://a.example/keys",
    algorithms: ["ES256"],
  }));
  const environment = { TOKEN_ISSUERS: JSON.stringify(issuers) };
  expect(messageOf(() => parseConfig(environment))).toContain(
    `TOKEN_ISSUERS: the name ${names.at(-1)} is ${whose}`,
  );
});

test("production must know its own address", () => {
  expect(messageOf(() => parseConfig({ ...production, PUBLIC_URL: "" }))).toContain("PUBLIC_URL: ");
  expect(parseConfig(production)).toMatchObject({
    isProduction: true,
    publicUrl: "https://store.example",
  });
});

test("production without a mail server does not start: letters would be printed with the links in them", () => {
  expect(messageOf(() => parseConfig({ ...production, SMTP_URL: "" }))).toContain(
    "SMTP_URL: must be set in production",
  );
  expect(parseConfig({}).mail.kind).toBe("outbox");
});

test("processes that share a database in production share a random SECRET_KEY", () => {
  const shared = { ...production, DATABASE_URL: `${appUrl}?sslmode=verify-full` };
  expect(messageOf(() => parseConfig(shared))).toContain("SECRET_KEY: must be set in production");
  expect(messageOf(() => parseConfig({ ...shared, SECRET_KEY: "0".repeat(64) }))).toContain(
    "SECRET_KEY: is not random",
  );
  const key = Buffer.from(aKey, "hex");
  for (const SECRET_KEY of [
    key.toString("hex"),
    key.toString("base64"),
    key.toString("base64url"),
  ]) {
    expect(parseConfig({ ...shared, SECRET_KEY }).secretKey.given).toEqual(key);
  }
});

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.message;
    }
    throw error;
  }
  throw new Error("Nothing was refused");
}

test("when sessions end can be set, in days, and in hours without use for admins", () => {
  const day = 86_400;
  expect(parseConfig({}).sessions).toEqual({
    user: { idleSeconds: 30 * day, longestSeconds: 90 * day },
    admin: { idleSeconds: day / 2, longestSeconds: 30 * day },
  });
  const set = { SESSION_DAYS: "7", SESSION_IDLE_DAYS: "2", ADMIN_SESSION_DAYS: "1" };
  expect(parseConfig({ ...set, ADMIN_SESSION_IDLE_HOURS: "1" }).sessions).toEqual({
    user: { idleSeconds: 2 * day, longestSeconds: 7 * day },
    admin: { idleSeconds: 3_600, longestSeconds: day },
  });
  expect(() => parseConfig({ SESSION_DAYS: "0", ADMIN_SESSION_IDLE_HOURS: "1.5" })).toThrow(
    /SESSION_DAYS: must be 1 to 3650[^]*ADMIN_SESSION_IDLE_HOURS: must be a whole number/,
  );
});
