// Creates identity from the configuration: its providers, and how its letters are sent.
import type { Logger } from "pino";
import type { Config } from "#config";
import type { Sql } from "#db/connect.ts";
import { isLoopback } from "#identity/networks.ts";
import { createIdentity } from "#identity/identity.ts";
import type { Identity } from "#identity/identity.ts";
import { outsideIssuer } from "#identity/id-tokens.ts";
import type { PasswordCost } from "#identity/passwords.ts";
import { createOutbox, createSmtpMailer } from "#mail/mailer.ts";
import type { Mailer } from "#mail/mailer.ts";
import { openSealed } from "./secret-keys.ts";

export type IdentityNeeds = {
  readonly config: Config;
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly mailer: Mailer;
  readonly logger: Logger;
  readonly passwordCost?: PasswordCost;
  /** What is done when the store closes. */
  readonly closing: AsyncDisposableStack;
};

/** Throws if a secret in the database cannot be opened with the keys at hand. */
export async function openIdentity({
  config,
  sql,
  clock,
  mailer,
  logger,
  passwordCost,
  closing,
}: IdentityNeeds): Promise<Identity> {
  const seal = () => openSealed(config, sql, (line) => logger.warn(line));
  const identity = createIdentity({
    sql,
    clock,
    logger,
    outsideIssuers: config.issuers.map(outsideIssuer),
    mailer,
    sealed: await seal(),
    google: config.google,
    discord: config.discord,
    sessionLimits: config.sessions,
    adminSecondFactor: config.adminSecondFactor,
    ...(passwordCost === undefined ? {} : { passwordCost }),
  });
  // A process with another SECRET_KEY is told by what is sealed, so the first signing key is made now. If several processes
  // start at once, another one may have made it.
  await identity.rotateKeys();
  await identity.parts.keys.current().catch(async (error: unknown) => {
    await seal();
    throw error;
  });
  closing.defer(identity.parts.securityLog.flush);
  return identity;
}

/** How every letter of this process is sent, until a little after the process begins to end. */
export function openMailer(
  { mail, isProduction }: Config,
  clock: () => Date,
  ending?: AbortSignal,
): Mailer {
  if (mail.kind === "smtp") {
    const { url, from } = mail;
    // Many machines run their own mail server, which needs no TLS.
    const isNear = isLoopback(new URL(url).hostname);
    return createSmtpMailer({ url, from, requireTls: isProduction && !isNear, ending });
  }
  return createOutbox(mail.folder, mail.from, clock, (text) => process.stdout.write(text));
}
