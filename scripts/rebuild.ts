// npm run rebuild: folds read tables anew from the log beside the live ones, compares, and flips, without downtime.
import { projections } from "../services/features.ts";
import type { Difference } from "#ledger/projection/compare.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import { readQuarantine, refoldKeys } from "#ledger/projection/quarantine.ts";
import type { RebuildResult } from "#ledger/projection/rebuild.ts";
import { cancelRebuild, rebuildProjection, takeBack } from "#ledger/projection/rebuild.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { Books } from "./books.ts";
import { withBooks } from "./books.ts";
import type { CommandLine, Progress } from "./command-line.ts";
import {
  endWithUsage,
  progressBar,
  readCommandLine,
  refuseTogether,
  runScript,
  untilInterrupted,
} from "./command-line.ts";

const options = {
  preview: { type: "boolean", help: "fill and compare, but do not flip" },
  "take-back": { type: "boolean", help: "show the previous tables again" },
  cancel: { type: "boolean", help: "drop what an unfinished rebuild left" },
  quarantined: { type: "boolean", help: "fold only the quarantined row keys anew, in place" },
} as const;

function chosen(line: CommandLine): readonly Projection[] {
  const [name] = line.positionals;
  const names = projections.map((projection) => projection.name).join(", ");
  if (name === undefined || line.positionals.length > 1) {
    return endWithUsage(`Say which projection, or all: ${names}`);
  }
  const found = projections.filter((projection) => name === "all" || projection.name === name);
  return found.length > 0 ? found : endWithUsage(`No projection ${name}; there are ${names}`);
}

function describe(difference: Difference): string {
  const lines = difference.samples.map(({ side, row }) => `    ${side}: ${JSON.stringify(row)}`);
  return [`  ${difference.table}: ${difference.rows} rows differ`, ...lines].join("\n");
}

function report(result: RebuildResult): void {
  const seconds = (result.elapsedMs / 1000).toFixed(1);
  const differences = result.differences ?? [];
  const compared =
    result.differences === undefined
      ? "not compared: the live tables are of another version"
      : differences.length === 0
        ? "no difference to the live tables"
        : `${differences.reduce((sum, entry) => sum + entry.rows, 0)} rows differ from the live tables`;
  const shown = result.flipped ? "shown now" : "ready, not shown";
  process.stdout.write(
    `${result.projection}: ${result.position.toLocaleString("en-US")} events in ${seconds} s, ${compared}, ${shown}\n`,
  );
  for (const difference of differences) {
    process.stdout.write(`${describe(difference)}\n`);
  }
}

/** Two at a time: one connection each, so that live work keeps most of the machine. */
async function rebuildAll(
  books: Books,
  wanted: readonly Projection[],
  preview: boolean,
  progress: Progress,
): Promise<RebuildResult[]> {
  const signal = untilInterrupted("Stopped; the next call goes on from here");
  const queue = [...wanted];
  const results: RebuildResult[] = [];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { name } = next;
      results.push(
        await rebuildProjection(books.sql, next, {
          signal,
          onWaiting: () =>
            process.stderr.write(`${name} is being rebuilt or proved; waiting for it\n`),
          mayFlip: () => !preview,
          onProgress: (position, head) => progress.update(name, position, head),
        }),
      );
    }
  };
  await Promise.all([lane(), lane()]);
  return results;
}

async function refoldQuarantined(books: Books, wanted: readonly Projection[]): Promise<number> {
  const generations = await readGenerations(books.sql);
  const quarantine = await readQuarantine(books.sql);
  let count = 0;
  for (const generation of generations) {
    const projection = wanted.find((entry) => entry.name === generation.name);
    const keys = quarantine
      .filter(
        (entry) =>
          entry.projection === generation.name && entry.generation === generation.generation,
      )
      .map((entry) => entry.key);
    if (projection !== undefined && keys.length > 0) {
      await refoldKeys(books.sql, projection, generation, keys);
      count += keys.length;
    }
  }
  return count;
}

async function run(
  line: CommandLine,
  wanted: readonly Projection[],
  books: Books,
): Promise<number> {
  const print = (value: unknown, text: string) =>
    process.stdout.write(line.json ? `${JSON.stringify(value)}\n` : text);
  await ensureProjections({ sql: books.sql, projections });
  if (line.flags.has("take-back")) {
    for (const projection of wanted) {
      const generation = await takeBack(books.sql, projection);
      print(
        { projection: projection.name, generation },
        `${projection.name}: generation ${generation} is shown again\n`,
      );
    }
    return 0;
  }
  if (line.flags.has("cancel")) {
    for (const projection of wanted) {
      const dropped = await cancelRebuild(books.sql, projection);
      print(
        { projection: projection.name, dropped },
        `${projection.name}: ${dropped} unfinished dropped\n`,
      );
    }
    return 0;
  }
  if (line.flags.has("quarantined")) {
    const count = await refoldQuarantined(books, wanted);
    print({ refolded: count }, `${count} quarantined keys folded anew\n`);
    return 0;
  }
  if (books.startedHere) {
    // Nobody else feeds the live tables now, so they are brought to the head here, or nothing could be compared.
    await createRunner({ sql: books.sql, projections }).catchUp();
  }
  const progress = progressBar(line.json);
  const results = await rebuildAll(books, wanted, line.flags.has("preview"), progress);
  progress.end();
  if (line.json) {
    process.stdout.write(`${JSON.stringify({ results })}\n`);
  } else {
    results.forEach(report);
  }
  const differ = results.some((result) => (result.differences ?? []).length > 0);
  return line.flags.has("preview") && differ ? 1 : 0;
}

const line = readCommandLine(
  "npm run rebuild -- <projection|all> [options]",
  "Folds read tables anew from the log beside the live ones, shows what would change, and flips to them in one\n" +
    "short transaction. The shop stays open. The previous tables are fed on, so that a flip can be taken back. A\n" +
    "rebuild that was stopped or killed goes on where it was.\n\n" +
    "Ends with 0 when it is done, with 1 where it was stopped or failed, or where --preview finds rows that differ,\n" +
    "with 2 where it was called wrongly, with 75 where a service that started took the store over. The options\n" +
    "exclude each other.",
  options,
);
refuseTogether(line, Object.keys(options));
const wanted = chosen(line);
await runScript(() =>
  withBooks({ name: "rebuild", mayBegin: false }, (books) => run(line, wanted, books)),
);
