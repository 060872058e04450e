// npm run admin: makes somebody who has an account an admin, on the word of whoever runs the machine.
import { pino } from "pino";
import { makeAdmin } from "#features/users/script-people.ts";
import { createSecurityLog } from "#identity/security-log.ts";
import type { Books } from "./books.ts";
import { withBooks } from "./books.ts";
import type { CommandLine } from "./command-line.ts";
import { readCommandLine, runScript } from "./command-line.ts";
import { withWriter } from "./writer.ts";

const clock = () => new Date();

async function run({ json, positionals }: CommandLine, books: Books): Promise<number> {
  const [email = ""] = positionals;
  const { sql } = books;
  const made = await withWriter(books, "admin", (ledger) =>
    makeAdmin({ sql, ledger, clock }, email),
  );
  if (made.kind === "unknown" || made.kind === "refused") {
    process.stderr.write(
      made.kind === "refused" ? `${made.message}\n` : `Nobody signs in with ${email}\n`,
    );
    return 1;
  }
  const { uid, kind, isVerified, isNamedLikeAnother } = made;
  if (kind === "made") {
    await createSecurityLog({ sql, clock, logger: pino({ level: "silent" }) }).note({
      kind: "role-changed",
      outcome: "ok",
      about: { uid },
      detail: "user to admin, by the operator",
      origin: undefined,
    });
  }
  const done = kind === "made" ? "is an admin now" : "was an admin already";
  const doubts = [
    ...(isVerified ? [] : ["Nobody has proved that this email is theirs.\n"]),
    ...(isNamedLikeAnother
      ? [
          "Another admin has the same name, or one that looks the same: change one of them on Consignors.\n",
        ]
      : []),
  ];
  process.stdout.write(
    json
      ? `${JSON.stringify({ uid, made: kind === "made", isVerified, isNamedLikeAnother })}\n`
      : `${email} ${done}.\n${doubts.join("")}`,
  );
  return 0;
}

const line = readCommandLine(
  "npm run admin -- EMAIL [options]",
  "Makes the person who signs in with this email an admin, in the ledger and at once. They must have signed up before. The\n" +
    "first admin can also use the set-up link of the start, and an admin makes others on Consignors; this is for a store\n" +
    "whose admins are not there. The shop can stay open.\n\n" +
    "Exits with 0 if they are an admin; with 1 if nobody signs in with this email, the ledger refuses it, or there is no\n" +
    "store; with 2 if it was called wrongly; with 75 if a service that started took the store over.",
  {},
);
if (line.positionals.length !== 1) {
  process.stderr.write("Name one email: npm run admin -- EMAIL\n");
  process.exit(2);
}
await runScript(() => withBooks({ name: "admin", mayBegin: false }, (books) => run(line, books)));
