// npm run verify-statement -- FILE: tells whether a statement's file is genuine and unchanged, as /verify-statement does.
import { readFile } from "node:fs/promises";
import { readConfig } from "#config";
import { readsOver } from "#http/reads.ts";
import { checkFile } from "#features/accounts/contract-statement-proof.ts";
import type { Verdict } from "#features/accounts/contract-statement-verdict.ts";
import {
  balancesOf,
  laterNote,
  laterSentences,
  nothingLater,
  verdictOf,
  wordsOf,
} from "#features/accounts/contract-statement-verdict.ts";
import { compareWithLog } from "#features/accounts/statement/later-entries.ts";
import type { Sealed } from "#identity/sealed.ts";
import { createSealed } from "#identity/sealed.ts";
import { publishedKeys } from "#identity/statement-keys.ts";
import { formatCents, toCents } from "#ledger/money.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { readSecretKeys } from "#process/secret-keys.ts";
import { events, explanations } from "../services/features.ts";
import type { Books } from "./books.ts";
import { withBooks } from "./books.ts";
import type { CommandLine } from "./command-line.ts";
import {
  endWithUsage,
  problemWith,
  readCommandLine,
  refuseNoFile,
  runScript,
} from "./command-line.ts";

/** How far the accounts' lines are: later entries are counted up to there. */
async function linesReach({ sql }: Books): Promise<number> {
  const lines = (await readGenerations(sql)).find(
    ({ name, state }) => name === "account_history" && state === "live",
  );
  return lines?.position ?? 0;
}

/** Tells which keys the store made. */
async function openKeys(): Promise<Sealed> {
  const keys = await readSecretKeys(readConfig().secretKey);
  if (keys === null) {
    throw new Error(
      "SECRET_KEY is not set, and DATA_DIR has no secret.key: without it nothing proves which keys are the store's",
    );
  }
  return createSealed(keys);
}

async function verdictOn(path: string, books: Books, sealed: Sealed): Promise<Verdict> {
  const { sql } = books;
  const bytes = Uint8Array.from(await readFile(path));
  return verdictOf(await checkFile(bytes, () => publishedKeys(sql, sealed)), async (_jws, proof) =>
    compareWithLog(
      { sql, reads: readsOver(sql).reads, explanations, readEvent: createReadEvent(events) },
      proof,
      await linesReach(books),
    ),
  );
}

function print(path: string, verdict: Verdict): void {
  const write = (text: string) => process.stdout.write(`${text}\n`);
  const row = (what: string, text: string) => write(`  ${what.padEnd(29)}${text}`);
  const { title, sentence } = wordsOf(verdict);
  write(`${path}: ${title}. ${sentence}`);
  if ("proof" in verdict) {
    const { uid, from, to, timeZone, position, head } = verdict.proof;
    row("Account", uid);
    row("Period", `${from} to ${to} (${timeZone})`);
    balancesOf(verdict.proof).forEach(({ label, cents }) => row(label, formatCents(cents)));
    row("Ledger position", `${position}, hash ${head ?? "none"}`);
  }
  if (verdict.kind === "genuine") {
    const later = laterSentences(verdict.later, (dollars) => formatCents(toCents(dollars)));
    const through = `up to position ${verdict.later.through}`;
    row(
      "Recorded later",
      later.length === 0 ? nothingLater(verdict.proof, verdict.later) : through,
    );
    later.forEach((line) => row("", line));
    if (later.length > 0) {
      row("", laterNote(verdict.proof));
    }
  }
}

async function run(line: CommandLine, books: Books): Promise<number> {
  const sealed = await openKeys();
  let isGenuine = true;
  const found: object[] = [];
  for (const file of line.positionals) {
    const problem = problemWith(file);
    if (problem !== null) {
      isGenuine = false;
      found.push({ file, kind: "unreadable", sentence: problem });
      process.stderr.write(`${problem}\n`);
      continue;
    }
    const verdict = await verdictOn(file, books, sealed);
    isGenuine &&= verdict.kind === "genuine";
    found.push({ file, ...verdict, ...wordsOf(verdict) });
    if (!line.json) {
      print(file, verdict);
    }
  }
  if (line.json) {
    process.stdout.write(`${JSON.stringify(found)}\n`);
  }
  return isGenuine ? 0 : 1;
}

const line = readCommandLine(
  "npm run verify-statement -- FILE… [options]",
  "Tells whether statements (PDF or CSV) are genuine and unchanged: the signature, the bytes, the log's hash at the\n" +
    "statement's position, and what was recorded later and touches its period. The shop can stay open.\n\n" +
    "Exits with 0 if all files are genuine; with 1 if one is not, or there is no store; with 2 if it was called wrongly;\n" +
    "with 75 if a service that started took the store over.",
  {},
);
if (line.positionals.length === 0) {
  endWithUsage("Name the file of a statement");
}
// One wrong name among many files: the others are still checked.
if (line.positionals.every((file) => problemWith(file) !== null)) {
  line.positionals.forEach(refuseNoFile);
}
await runScript(() =>
  withBooks({ name: "verify-statement", mayBegin: false, ofOlder: "refuse" }, (books) =>
    run(line, books),
  ),
);
