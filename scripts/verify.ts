// npm run verify: proves the books right, or says where they are wrong; the exit code says which.
import { readConfig } from "#config";
import { events, projections } from "../services/features.ts";
import type { Accepted } from "#ledger/log/accept-heads.ts";
import { acceptHeads } from "#ledger/log/accept-heads.ts";
import { headFilesAt } from "#ledger/log/head-files.ts";
import { describeNotShown, ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { PublishedHead } from "#ledger/verify/chain.ts";
import { parseHead } from "#ledger/verify/chain.ts";
import type { Problem } from "#ledger/verify/problem.ts";
import type { VerifyReport } from "#ledger/verify/verify.ts";
import { readSecretKeys } from "#process/secret-keys.ts";
import type { Books } from "./books.ts";
import { noteBuild, withBooks } from "./books.ts";
import type { CommandLine } from "./command-line.ts";
import {
  endWithUsage,
  printable,
  progressBar,
  readCommandLine,
  refusePositionals,
  runScript,
  untilInterrupted,
} from "./command-line.ts";
import type { HeadsWanted } from "../services/proof/prove-store.ts";
import { proveStore } from "../services/proof/prove-store.ts";

const options = {
  head: {
    type: "string",
    value: "POSITION:HASH",
    multiple: true,
    help: "a published head that the log must still contain; may be repeated",
  },
  heads: {
    type: "string",
    value: "PATH",
    multiple: true,
    help: "a file or folder of heads kept elsewhere; more may follow",
  },
  "accept-heads": {
    type: "boolean",
    help: "after a restore: set aside and record the heads that the log contradicts, and publish its head",
  },
  "without-replay": { type: "boolean", help: "skip live = replay, the longest part" },
} as const;

function headsAsked(line: CommandLine): PublishedHead[] {
  try {
    return (line.values.get("head") ?? []).map(parseHead);
  } catch (error) {
    return endWithUsage(error instanceof Error ? error.message : "unreadable head");
  }
}

/** `--heads A B C` is parsed as one option and two positionals. */
async function copiesAsked(line: CommandLine): Promise<readonly string[]> {
  const named = line.values.get("heads") ?? [];
  if (named.length === 0) {
    refusePositionals(line);
  }
  const copies = [...named, ...line.positionals];
  try {
    await headFilesAt(copies);
  } catch (error) {
    return endWithUsage(error instanceof Error ? error.message : "unreadable heads");
  }
  return copies;
}

function printProblem({ check, position, message }: Problem): void {
  const at = position === 0 ? "" : ` at ${position}`;
  process.stdout.write(`  ! ${check}${at}: ${printable(message)}\n`);
}

function print(report: VerifyReport): void {
  const number = (value: number) => value.toLocaleString("en-US");
  const row = (what: string, text: string) => process.stdout.write(`  ${what.padEnd(22)}${text}\n`);
  const [first, ...others] = report.problems;
  if (first?.check === "program") {
    process.stdout.write(`Nothing was proved. ${printable(first.message)}.\n`);
    others.forEach(printProblem);
    return;
  }
  const where =
    first === undefined || first.position === 0
      ? "None of the findings names a position."
      : `First offending position: ${number(first.position)}`;
  process.stdout.write(
    first === undefined
      ? `The books are right up to position ${number(report.position)} (${(report.elapsedMs / 1000).toFixed(1)} s).\n`
      : `The books are NOT right. ${where}\n`,
  );
  row(
    "Hash chain",
    `${number(report.events)} events, head ${report.position}:${report.hash ?? "none"}`,
  );
  const { compared, sources, through } = report.heads;
  row(
    "Published heads",
    `${number(compared)} compared, of ${number(sources)} files, up to position ${number(through)}`,
  );
  row(
    "Trial balance",
    `${report.trialBalanceCents ?? "unknown"} cents over ${number(report.accounts)} accounts`,
  );
  row(
    "Units balance",
    `${report.unitsBalance ?? "unknown"} units over ${number(report.holdings)} holdings`,
  );
  row("Streams folded", number(report.streams));
  const { chained, older, refused, acceptedWithoutEvents } = report.answers;
  row(
    "Kept answers",
    `${number(chained)} in the chain; not in it: ${number(refused)} refusals, ` +
      `${number(acceptedWithoutEvents)} accepted without an event, ${number(older)} older ones`,
  );
  const all = report.projections;
  const replayed = report.replayedProjections.length;
  row(
    "Live = replay",
    replayed === all ? `${all} projections` : `${replayed} of ${all} projections`,
  );
  for (const note of report.notes) {
    row("To know", note);
  }
  report.problems.forEach(printProblem);
  if (report.unlistedProblems > 0) {
    process.stdout.write(
      `  … and ${number(report.unlistedProblems)} more findings of the same checks\n`,
    );
  }
  for (const torn of report.heads.torn) {
    process.stdout.write(`  ~ ${torn}\n`);
  }
}

/**
 * What `--accept-heads` does after the proof. Only findings about heads can be accepted: a log that is wrong itself
 * must not get a head that confirms it.
 */
async function accept(
  report: VerifyReport,
  { sql, heads: place }: Books,
): Promise<Accepted | string> {
  if (report.problems.some(({ check }) => check !== "head")) {
    return "Nothing was accepted: the books have findings that are not about heads.";
  }
  if (report.problems.length === 0 && report.heads.torn.length === 0) {
    return "There is nothing to accept.";
  }
  return acceptHeads({ place, sql, clock: () => new Date() });
}

function tell(accepted: Accepted | string): void {
  process.stdout.write(
    typeof accepted === "string"
      ? `${accepted}\n`
      : `Accepted the log as it ends at ${accepted.head.position}: its head is published, and ${accepted.setAside} lines ` +
          `were set aside into ${accepted.record}.\n`,
  );
}

async function run(
  line: CommandLine,
  heads: Omit<HeadsWanted, "place">,
  books: Books,
): Promise<number> {
  // As the next start would. A proof may change a store only if no service is running on it.
  const prepare = async (): Promise<void> => {
    const parts = { sql: books.sql, projections, events };
    const notShown = await ensureProjections({ ...parts, onNews: noteBuild });
    notShown.forEach((entry) => process.stderr.write(`${describeNotShown(entry)}\n`));
    await createRunner(parts).catchUp();
  };
  const progress = progressBar(line.json);
  const { secretKey, database } = readConfig();
  const report = await proveStore(
    books.sql,
    { ...heads, place: books.heads },
    {
      secretKeys: await readSecretKeys(secretKey),
      hasOwnServer: database.kind === "embedded",
      withoutReplay: line.flags.has("without-replay"),
      ...(books.startedHere ? { prepare } : {}),
      onProgress: progress.update,
      onWaiting: (name) =>
        process.stderr.write(`A rebuild of ${name} is under way; waiting for it\n`),
      signal: untilInterrupted("Stopped; nothing was proved"),
    },
  );
  progress.end();
  const accepted = line.flags.has("accept-heads") ? await accept(report, books) : null;
  if (line.json) {
    const publishedHeads = report.heads.compared;
    process.stdout.write(`${JSON.stringify({ ...report, publishedHeads, accepted })}\n`);
  } else {
    print(report);
    if (accepted !== null) {
      tell(accepted);
    }
  }
  const isSettled = accepted !== null && typeof accepted !== "string";
  return report.problems.length === 0 || isSettled ? 0 : 1;
}

const line = readCommandLine(
  "npm run verify -- [options]",
  "Recomputes the hash chain from the stored rows, folds every stream and compares its state, checks that money and\n" +
    "units sum to zero, folds every projection again and compares it with the live tables. Always compares the heads\n" +
    "published in DATA_DIR/heads. The shop can stay open.\n\n" +
    "Exits with 0 if all is right; with 1 and the first offending position if anything is wrong, or if there are no\n" +
    "books to prove; with 2 if it was called wrongly; with 75 if a service that started took the store over, so that\n" +
    "nothing was proved.",
  options,
);
const heads = { asked: headsAsked(line), copies: await copiesAsked(line) };
if (line.flags.has("accept-heads") && heads.asked.length + heads.copies.length > 0) {
  endWithUsage(
    "--accept-heads is about this store's own heads: call it without --head and --heads",
  );
}
await runScript(() =>
  withBooks({ name: "verify", mayBegin: false, ofOlder: "refuse" }, (books) =>
    run(line, heads, books),
  ),
);
