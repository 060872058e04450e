// Shows that a wrong environment is refused by name before anything starts.
import { expect, test } from "vitest";
import { ConfigError, parseConfig } from "#config";

const appUrl = "postgres://ledger_app:K7w-long@db.example/ledger";
const ownerUrl = "postgres://ledger_owner:P2x-long@db.example/ledger";

test("with nothing set, everything runs on one machine with its own database", () => {
  const config = parseConfig({});
  expect(config).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    database: { kind: "embedded" },
    isProduction: false,
    storeTimeZone: "UTC",
    publicUrl: null,
    issuers: [],
  });
  expect(config.dataDir).toMatch(/^\/.*\/\.data$/);
});

test("an empty variable is one that is not set", () => {
  expect(parseConfig({ PORT: "", DATABASE_URL: " " })).toMatchObject({
    port: 3000,
    database: { kind: "embedded" },
  });
});

test("an outside database comes with an owner for migrations and a standby for reads", () => {
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
  });
});

test("every wrong variable is named at once", () => {
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
  ["a port beyond the last", { PORT: "65536" }, "PORT"],
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
])("%s is refused", (_, environment, name) => {
  expect(messageOf(() => parseConfig(environment))).toContain(name);
});

test.each([
  ["DATABASE_URL", { DATABASE_URL: "postgres://ledger_app:postgres@db.example/ledger" }],
  ["DATABASE_URL", { DATABASE_URL: "postgres://ledger_app@db.example/ledger" }],
  ["PUBLIC_URL", { PUBLIC_URL: "http://store.example" }],
  [
    "TOKEN_ISSUERS",
    {
      TOKEN_ISSUERS:
        '[{"issuer":"a","audience":"b","jwksUrl":"http://a.example/keys","algorithms":["ES256"]}]',
    },
  ],
])("production refuses what is fine for trying things out: %s", (name, environment) => {
  expect(() => parseConfig(environment)).not.toThrow();
  const production = {
    PUBLIC_URL: "https://store.example",
    ...environment,
    NODE_ENV: "production",
  };
  expect(messageOf(() => parseConfig(production))).toContain(`${name}: `);
});

test("production must know its own address", () => {
  expect(messageOf(() => parseConfig({ NODE_ENV: "production" }))).toContain("PUBLIC_URL: ");
  expect(
    parseConfig({ NODE_ENV: "production", PUBLIC_URL: "https://store.example/" }),
  ).toMatchObject({ isProduction: true, publicUrl: "https://store.example" });
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
