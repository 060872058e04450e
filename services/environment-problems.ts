// Which environment variables do not fit together, and which values are not fit for production.
import {
  ambiguousIssuers,
  isEncryptedOrNear,
  isNearOrVerified,
  passwordIn,
} from "./environment-addresses.ts";
import type { Environment } from "./environment.ts";

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
    // Session cookies are only sent over https, and only to the app's own origin.
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

function isTriedOut(password: string): boolean {
  return triedOutPasswords.has(password.toLowerCase());
}
