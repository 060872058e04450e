// npm run verify: proves the books right, or says where they are not and ends with an exit code that means it.
import { bookChecks, events, projections, streams } from "../services/features.ts";
import { readPublishedHeads } from "#ledger/log/published-heads.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { PublishedHead } from "#ledger/verify/chain.ts";
import { parseHead } from "#ledger/verify/chain.ts";
import type { VerifyReport } from "#ledger/verify/verify.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import type { Books } from "./books.ts";
import { withBooks } from "./books.ts";
import type { CommandLine } from "./command-line.ts";
import {
  endWithUsage,
  progressBar,
  readCommandLine,
  refusePositionals,
  runScript,
  untilInterrupted,
} from "./command-line.ts";

const options = {
  head: {
    type: "string",
    value: "POSITION:HASH",
    multiple: true,
    help: "a published head that the log must still contain; may be repeated",
  },
  "without-replay": { type: "boolean", help: "leave out live = replay, the longest part" },
} as const;

function headsAsked(line: CommandLine): PublishedHead[] {
  try {
    return (line.values.get("head") ?? []).map(parseHead);
  } catch (error) {
    return endWithUsage(error instanceof Error ? error.message : "unreadable head");
  }
}

function print(report: VerifyReport, heads: number): void {
  const number = (value: number) => value.toLocaleString("en-US");
  const row = (what: string, text: string) => process.stdout.write(`  ${what.padEnd(22)}${text}\n`);
  const [first] = report.problems;
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
  row("Published heads", `${number(heads)} compared`);
  row(
    "Trial balance",
    `${report.trialBalanceCents} cents over ${number(report.accounts)} accounts`,
  );
  row("Units balance", `${report.unitsBalance} units over ${number(report.holdings)} holdings`);
  row("Streams folded", number(report.streams));
  row("Live = replay", `${report.replayedProjections} projections`);
  for (const problem of report.problems) {
    const at = problem.position === 0 ? "" : ` at ${problem.position}`;
    process.stdout.write(`  ! ${problem.check}${at}: ${problem.message}\n`);
  }
}

async function run(
  line: CommandLine,
  asked: readonly PublishedHead[],
  books: Books,
): Promise<number> {
  const published = await readPublishedHeads(books.headsFile);
  const heads = [...published, ...asked];
  if (books.startedHere) {
    // As the next start would: only a store that nobody runs may be changed by its proof.
    await ensureProjections({ sql: books.sql, projections });
    await createRunner({ sql: books.sql, projections }).catchUp();
  }
  const progress = progressBar(line.json);
  const report = await verifyBooks({
    sql: books.sql,
    events,
    streams,
    projections,
    checks: bookChecks,
    heads,
    withoutReplay: line.flags.has("without-replay"),
    onProgress: progress.update,
    onWaiting: (name) =>
      process.stderr.write(`A rebuild of ${name} is under way; waiting for it\n`),
    signal: untilInterrupted("Stopped; nothing was proved"),
  });
  progress.end();
  if (line.json) {
    process.stdout.write(`${JSON.stringify({ ...report, publishedHeads: heads.length })}\n`);
  } else {
    print(report, heads.length);
  }
  return report.problems.length === 0 ? 0 : 1;
}

const line = readCommandLine(
  "npm run verify -- [options]",
  "Recomputes the hash chain from the stored rows, folds every stream against its state, checks that money and\n" +
    "units sum to zero, folds every projection anew and compares it with the live tables. Heads published to\n" +
    "heads.log are compared by themselves. The shop may be open meanwhile.\n\n" +
    "Ends with 0 where all is right; with 1 and the first offending position where anything is wrong, or where\n" +
    "there are no books to prove; with 2 where it was called wrongly; with 75 where a service that started took the\n" +
    "store over, so that nothing was proved.",
  options,
);
refusePositionals(line);
const asked = headsAsked(line);
await runScript(() =>
  withBooks({ name: "verify", mayBegin: false }, (books) => run(line, asked, books)),
);
