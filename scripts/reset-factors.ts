// npm run reset-factors: takes every second factor from somebody who lost them, for the last admin of a store.
import { pino } from "pino";
import { readConfig } from "#config";
import { createStoreFacts } from "#features/settings/current-settings.ts";
import { findPersonByEmail, resetFactors } from "#identity/factor-reset.ts";
import { factorsResetLetter } from "#identity/letters.ts";
import { createSecurityLog } from "#identity/security-log.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { MailUnavailable } from "#mail/mailer.ts";
import { openMailer } from "#process/open-identity.ts";
import { events } from "../services/features.ts";
import type { Books } from "./books.ts";
import { withBooks } from "./books.ts";
import type { CommandLine } from "./command-line.ts";
import { readCommandLine, runScript } from "./command-line.ts";

const clock = () => new Date();

async function run({ json, positionals }: CommandLine, { sql }: Books): Promise<number> {
  const [email = ""] = positionals;
  const uid = await findPersonByEmail(sql, email);
  const reset = uid === undefined ? undefined : await resetFactors(sql, clock(), uid);
  if (uid === undefined || reset === undefined) {
    process.stderr.write(`Nobody signs in with ${email}\n`);
    return 1;
  }
  const logger = pino({ level: "silent" });
  await createSecurityLog({ sql, clock, logger }).note({
    kind: "second-factor",
    outcome: "ok",
    about: { uid },
    detail: "all removed by the operator",
    origin: undefined,
  });
  const letter = reset.email === null ? "no-email" : await tell(sql, reset.email);
  process.stdout.write(
    json
      ? `${JSON.stringify({ uid, removed: reset.removed, letter })}\n`
      : `${reset.removed} second factors of ${email} were removed, and their sessions ended. They sign in with their password, Google or Discord.\n${
          letter === "sent" ? "They were told by email.\n" : "They were not told by email.\n"
        }`,
  );
  return 0;
}

async function tell(sql: Books["sql"], email: string): Promise<"sent" | "not-sent"> {
  const config = readConfig();
  const readEvent = createReadEvent(events);
  const facts = createStoreFacts({ sql, readEvent }, config.storeTimeZone);
  const appUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
  try {
    const mailer = openMailer(config, clock);
    await mailer.send(factorsResetLetter(email, { storeName: await facts.name(), appUrl }));
    return "sent";
  } catch (error) {
    if (!(error instanceof MailUnavailable)) {
      throw error;
    }
    return "not-sent";
  }
}

const line = readCommandLine(
  "npm run reset-factors -- EMAIL [options]",
  "Removes the passkeys, the authenticator app and the recovery codes of somebody who lost them, ends their sessions and\n" +
    "writes to them. Another admin can do the same on Users; this is for the last admin of a store. Make sure that it is\n" +
    "them who asks: until they set up a second factor again, their password alone signs them in. The shop can stay open.\n\n" +
    "Exits with 0 if it was done; with 1 if nobody signs in with this email, or there is no store; with 2 if it was\n" +
    "called wrongly; with 75 if a service that started took the store over.",
  {},
);
if (line.positionals.length !== 1) {
  process.stderr.write("Name one email: npm run reset-factors -- EMAIL\n");
  process.exit(2);
}
await runScript(() =>
  withBooks({ name: "reset-factors", mayBegin: false }, (books) => run(line, books)),
);
