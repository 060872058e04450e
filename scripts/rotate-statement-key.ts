// npm run rotate-statement-key: retires the key that signs statements and makes the next one.
import { readConfig } from "#config";
import { createStatementKeys } from "#identity/statement-keys.ts";
import { openSealed } from "#process/secret-keys.ts";
import type { Books } from "./books.ts";
import { withBooks } from "./books.ts";
import type { CommandLine } from "./command-line.ts";
import { readCommandLine, refusePositionals, runScript } from "./command-line.ts";

async function run(line: CommandLine, { sql }: Books): Promise<number> {
  const sealed = await openSealed(
    readConfig(),
    sql,
    (text) => void process.stderr.write(`${text}\n`),
  );
  const { current, retired } = await createStatementKeys(sql, () => new Date(), sealed).rotate();
  process.stdout.write(
    line.json
      ? `${JSON.stringify({ current, retired })}\n`
      : `Statements are signed with key ${current} from now on.\n` +
          (retired === null
            ? "There was no key before it.\n"
            : `Key ${retired} is retired: its private part is deleted, its public part stays published.\n`),
  );
  return 0;
}

const line = readCommandLine(
  "npm run rotate-statement-key -- [options]",
  "Retires the key that signs statements and makes the next one. Statements signed with retired keys stay valid: the\n" +
    "public keys stay published at /api/statements/jwks. The shop can stay open.\n\n" +
    "Exits with 0 if it was done; with 1 if there is no store; with 2 if it was called wrongly; with 75 if a service\n" +
    "that started took the store over.",
  {},
);
refusePositionals(line);
await runScript(() =>
  withBooks({ name: "rotate-statement-key", mayBegin: false }, (books) => run(line, books)),
);
