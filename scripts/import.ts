// npm run import: reads a CSV file of sales or stock, says what it will do, and then does it, each line once.
import { events, projections } from "../services/features.ts";
import { readConfig } from "#config";
import type { Refusal } from "#features/import/cells.ts";
import type { ImportKind } from "#features/import/columns.ts";
import { FileProblem } from "#features/import/file-problem.ts";
import { importFile } from "#features/import/import-file.ts";
import type { ImportResult } from "#features/import/import-file.ts";
import { DEFAULT_CONSIGNORS, planFile } from "#features/import/plan-file.ts";
import type { ImportPlan, ImportRequest } from "#features/import/plan-file.ts";
import {
  orderText,
  refusalRow,
  refusalText,
  summaryText,
  writeReport,
} from "#features/import/report.ts";
import { createStoreFacts } from "#features/settings/current-settings.ts";
import { createAccounts } from "#identity/accounts.ts";
import { createPasswords } from "#identity/passwords.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { Books } from "./books.ts";
import { noteBuild, withBooks } from "./books.ts";
import type { CommandLine } from "./command-line.ts";
import {
  endWithUsage,
  progressBar,
  readCommandLine,
  refuseNoFile,
  runScript,
  untilInterrupted,
} from "./command-line.ts";
import { withWriter } from "./writer.ts";

const MAX_CONSIGNORS = 9_999;
const SHOWN_REFUSALS = 20;

const about = `Reads a UTF-8 CSV file with a header. Columns are found by their names, in any order:

  sales      InvoiceNo, StockCode, Description, Quantity, InvoiceDate, UnitPrice, CustomerID, Consignor
  inventory  Item name, Barcode, Quantity, Location, Consignor (email or username; empty is the store),
             Listing title, Barcode 2, Link, Image URL, ASIN

It first plans the whole file and reports the plan; then every accepted line is one command. A line's key is
the file's hash and the line's number: a stopped import continues where it was, a second one changes nothing.
Codes are barcodes and case sensitive. A sales line first receives its own units, then sells them on its date
for quantity × unit price, 50 % of it for the consignor. A date without a time zone is the store's. If the file names no consignor, the code decides:
first four bytes of sha256(code), big-endian, modulo N, plus one. A cancellation (an invoice number that
begins with C) refunds the latest earlier line of the same code, customer and price that has enough units not
yet refunded, and restocks them. The dry run reports whether the lines are in order of time; --sort takes them
in that order, so that no refund comes before its sale, and needs about 2 kB of memory per line. Lines that an
earlier import of the file brought in stay as they are. An inventory line adds its units to the owner's item
with that barcode, or adds the item. Lines that cannot be imported are reported, never guessed at.

Exits with 0 if every planned line is in; with 1 if it was stopped, the ledger refused lines, or the file
cannot be imported at all; with 2 if it was called wrongly; with 75 if a service that started took the store
over: then run the same command again.`;

const options = {
  kind: {
    type: "string",
    value: "KIND",
    help: "sales or inventory; by default the columns decide",
  },
  consignors: {
    type: "string",
    value: "N",
    help: `how many import consignors share the codes of a sales file (${DEFAULT_CONSIGNORS})`,
  },
  sort: {
    type: "boolean",
    help: "take the lines of a sales file in order of their dates; lines with equal dates keep their order",
  },
  "dry-run": { type: "boolean", help: "plan and report only; nothing is written to the ledger" },
  report: {
    type: "string",
    value: "FILE",
    help: "write the refused lines to this file, as JSON if it ends in .json, otherwise as CSV",
  },
} as const;

type Asked = Omit<ImportRequest, "timeZone">;

function requestOf(line: CommandLine): Asked {
  const [path, ...more] = line.positionals;
  if (path === undefined || more.length > 0) {
    return endWithUsage("One file is needed: npm run import -- FILE.csv");
  }
  refuseNoFile(path);
  const count = line.values.get("consignors")?.[0];
  const consignors = count === undefined ? null : Number(count);
  const isCount = consignors === null || (Number.isInteger(consignors) && consignors >= 1);
  if (!isCount || (consignors ?? 1) > MAX_CONSIGNORS) {
    return endWithUsage(`--consignors takes a whole number from 1 to ${MAX_CONSIGNORS}`);
  }
  const sort = line.flags.has("sort");
  return { path, kind: kindOf(line), consignors, sort, now: new Date() };
}

function kindOf(line: CommandLine): ImportKind | null {
  const kind = line.values.get("kind")?.[0];
  if (kind === undefined || kind === "sales" || kind === "inventory") {
    return kind ?? null;
  }
  return endWithUsage("--kind takes sales or inventory");
}

function printRefusals(refused: readonly Refusal[], report: string | undefined): void {
  for (const refusal of refused.slice(0, SHOWN_REFUSALS)) {
    process.stdout.write(refusalText(refusal));
  }
  const hidden = refused.length - SHOWN_REFUSALS;
  if (hidden > 0) {
    const where = report === undefined ? "--report FILE lists them all" : `all are in ${report}`;
    process.stdout.write(`  … and ${hidden.toLocaleString("en-US")} more; ${where}\n`);
  }
}

function carryOut(books: Books, plan: ImportPlan, silent: boolean): Promise<ImportResult> {
  const { ensureUser } = createAccounts(books.sql, () => new Date(), createPasswords());
  const progress = progressBar(silent);
  return withWriter(books, "import", (ledger) =>
    importFile({ ledger, ensureUser }, plan, {
      signal: untilInterrupted("Stopped"),
      onProgress: (done, of) => progress.update("importing", done, of),
    }).finally(() => progress.end()),
  );
}

/** The zone of the store's days. */
function storeTimeZone({ sql }: Books): Promise<string> {
  const { storeTimeZone: fixed } = readConfig();
  return createStoreFacts({ sql, readEvent: createReadEvent(events) }, fixed).timeZone();
}

async function run(line: CommandLine, asked: Asked, books: Books): Promise<number> {
  const report = line.values.get("report")?.[0];
  const plan = await planFile(books.sql, { ...asked, timeZone: await storeTimeZone(books) });
  if (report !== undefined) {
    await writeReport(report, plan.begun.kind, plan.refused);
  }
  if (!line.json) {
    process.stdout.write(summaryText(plan));
    printRefusals(plan.refused, report);
    process.stdout.write(orderText(plan));
  }
  const result = line.flags.has("dry-run") ? null : await carryOut(books, plan, line.json);
  const refused = [...plan.refused, ...(result?.refused ?? [])].sort((a, b) => a.line - b.line);
  if (result !== null) {
    // A running service does this by itself; without one the read tables would stay behind until its next start.
    await ensureProjections({ sql: books.sql, projections, events, onNews: noteBuild });
    await createRunner({ sql: books.sql, projections, events }).catchUp();
    if (report !== undefined) {
      await writeReport(report, plan.begun.kind, refused);
    }
  }
  print(line, plan, result, refused);
  return result === null || (result.refused.length === 0 && result.left === 0) ? 0 : 1;
}

function print(
  line: CommandLine,
  plan: ImportPlan,
  result: ImportResult | null,
  refused: readonly Refusal[],
): void {
  if (line.json) {
    const { file, begun, summary, order: outOfOrder } = plan;
    const { refused: _listedBelow, ...counts } = result ?? { refused: [] };
    const about = { file: file.name, sha256: file.sha256, ...begun, summary, outOfOrder };
    const outcome = result === null ? null : counts;
    const rows = refused.map(refusalRow);
    process.stdout.write(`${JSON.stringify({ ...about, result: outcome, refused: rows })}\n`);
    return;
  }
  if (result === null) {
    process.stdout.write("Nothing was written (--dry-run).\n");
    return;
  }
  const number = (value: number): string => value.toLocaleString("en-US");
  const seconds = result.elapsedMs / 1000;
  const rate = Math.round((result.imported + result.repeated) / Math.max(seconds, 0.001));
  printRefusals(result.refused, line.values.get("report")?.[0]);
  process.stdout.write(
    `${number(result.imported)} lines imported, ${number(result.repeated)} already in, ` +
      `${number(result.refused.length)} refused by the ledger (${seconds.toFixed(1)} s, ${number(rate)} a second).\n`,
  );
  if (result.left > 0) {
    process.stdout.write(
      `Stopped: ${number(result.left)} lines are left. Run the same command again to continue.\n`,
    );
  }
}

const line = readCommandLine("npm run import -- FILE.csv [options]", about, options);
const request = requestOf(line);
await runScript(async () => {
  try {
    return await withBooks({ name: "import", mayBegin: true }, (books) =>
      run(line, request, books),
    );
  } catch (error) {
    if (error instanceof FileProblem) {
      process.stderr.write(`${error.message}\nNothing was imported by this run.\n`);
      return 1;
    }
    throw error;
  }
});
