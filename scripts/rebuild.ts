// npm run rebuild: builds new read tables from the log next to the live ones, compares, and flips, without downtime.
import { events, projections } from "../services/features.ts";
import type { Difference } from "#ledger/projection/compare.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import type { HeldKey } from "#ledger/projection/held.ts";
import type { Refolded } from "#ledger/projection/refold.ts";
import { refoldHeld } from "#ledger/projection/refold.ts";
import type { RebuildResult, TakenBack } from "#ledger/projection/rebuild.ts";
import { cancelRebuild, rebuildProjection, takeBack } from "#ledger/projection/rebuild.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { renewUpcasts } from "#ledger/projection/upcasts.ts";
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
  "accept-held": {
    type: "boolean",
    help: "flip even if the new tables hold back row keys that are shown now",
  },
  "take-back": { type: "boolean", help: "show the tables from before the last flip again" },
  cancel: { type: "boolean", help: "drop what an unfinished rebuild left" },
  quarantined: {
    type: "boolean",
    help: "fold only the held-back row keys again, in place",
  },
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

function describeHeld({ key, atPosition, error }: HeldKey): string {
  return `  held back: ${key} at event ${atPosition}: ${error}\n`;
}

function outcomeOf({ flipped, newlyHeldCount }: RebuildResult): string {
  if (flipped) {
    return "shown now";
  }
  return newlyHeldCount === 0
    ? "ready, not shown"
    : `NOT shown: ${newlyHeldCount} row keys that are shown now would be missing (--accept-held shows it anyway)`;
}

function report(result: RebuildResult): void {
  const seconds = (result.elapsedMs / 1000).toFixed(1);
  const differences = result.differences ?? [];
  const compared =
    result.differences === undefined
      ? "not compared: the live tables are of another version"
      : differences.length === 0
        ? "no difference from the live tables"
        : `${differences.reduce((sum, entry) => sum + entry.rows, 0)} rows differ from the live tables`;
  process.stdout.write(
    `${result.projection}: ${result.position.toLocaleString("en-US")} events in ${seconds} s, ${compared}, ${outcomeOf(result)}\n`,
  );
  for (const difference of differences) {
    process.stdout.write(`${describe(difference)}\n`);
  }
  for (const key of result.held) {
    process.stdout.write(describeHeld(key));
  }
  if (result.heldCount > result.held.length) {
    process.stdout.write(`  and ${result.heldCount - result.held.length} more\n`);
  }
}

/** Two at a time: one connection each, so that live work keeps most of the machine. */
async function rebuildAll(
  books: Books,
  wanted: readonly Projection[],
  flags: ReadonlySet<string>,
  progress: Progress,
): Promise<RebuildResult[]> {
  const signal = untilInterrupted("Stopped; the next run continues from here");
  const queue = [...wanted];
  const results: RebuildResult[] = [];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { name } = next;
      results.push(
        await rebuildProjection(books.sql, next, {
          events,
          signal,
          acceptHeld: flags.has("accept-held"),
          onWaiting: () =>
            process.stderr.write(`${name} is being rebuilt or proved; waiting for it\n`),
          mayFlip: () => !flags.has("preview"),
          onProgress: (position, head) => progress.update(name, position, head),
        }),
      );
    }
  };
  await Promise.all([lane(), lane()]);
  return results;
}

function describeTakenBack(name: string, result: TakenBack): string {
  if (result.kind === "taken-back") {
    const differing =
      result.differing === 0 ? "" : `; ${result.differing} rows differ from what was shown`;
    return `${name}: generation ${result.generation} is shown again${differing}`;
  }
  return result.kind === "nothing-older"
    ? `${name}: nothing older to show; generation ${result.generation ?? "none"} is shown`
    : `${name}: generation ${result.generation} is of version ${result.version}; run the program of that version to show it`;
}

async function takeBackAll(
  books: Books,
  wanted: readonly Projection[],
  print: (value: unknown, text: string) => void,
): Promise<number> {
  let taken = 0;
  for (const projection of wanted) {
    const result = await takeBack(books.sql, projection, events);
    taken += result.kind === "taken-back" ? 1 : 0;
    const text = describeTakenBack(projection.name, result);
    print({ projection: projection.name, ...result }, `${text}\n`);
  }
  return taken > 0 ? 0 : 1;
}

function describeRefolded({ refolded, failed }: Refolded): string {
  const lines = failed.map(
    ({ projection, key, atPosition, error }) =>
      `  ${projection} ${key} still cannot be folded; it failed first at event ${atPosition}: ${error}\n`,
  );
  const rest =
    failed.length === 0 ? "" : ` ${failed.length} still cannot be folded: fix their step first.`;
  return `${refolded} held row keys folded again.${rest}\n${lines.join("")}`;
}

async function run(
  line: CommandLine,
  wanted: readonly Projection[],
  books: Books,
): Promise<number> {
  const print = (value: unknown, text: string) =>
    process.stdout.write(line.json ? `${JSON.stringify(value)}\n` : text);
  await ensureProjections({ sql: books.sql, projections, events, leaveOlder: true });
  if (line.flags.has("take-back")) {
    return takeBackAll(books, wanted, print);
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
    const result = await refoldHeld(books.sql, wanted, events);
    print(result, describeRefolded(result));
    return result.failed.length === 0 ? 0 : 1;
  }
  // The new tables are filled from these rows, so these have to be right first.
  await renewUpcasts(books.sql, events);
  if (books.startedHere) {
    // No service feeds the live tables now, so bring them to the head here; otherwise there is nothing to compare.
    await createRunner({ sql: books.sql, projections, events }).catchUp();
  }
  const progress = progressBar(line.json);
  const results = await rebuildAll(books, wanted, line.flags, progress);
  progress.end();
  if (line.json) {
    process.stdout.write(`${JSON.stringify({ results })}\n`);
  } else {
    results.forEach(report);
  }
  const preview = line.flags.has("preview");
  return results.every((result) => isRight(result, preview)) ? 0 : 1;
}

/** For a preview: nothing is held back and nothing differs. Otherwise: the new tables are shown. */
function isRight({ flipped, held, differences }: RebuildResult, preview: boolean): boolean {
  return preview ? held.length === 0 && (differences ?? []).length === 0 : flipped;
}

const line = readCommandLine(
  "npm run rebuild -- <projection|all> [options]",
  "Builds new read tables from the log next to the live ones, shows what would change, and flips to them in one\n" +
    "short transaction. The shop stays open. The previous tables are still fed, so that a flip can be taken back.\n" +
    "A rebuild that was stopped or killed continues where it was. New tables that hold back row keys which are\n" +
    "shown now are not flipped to without --accept-held. A running service picks up every repair by itself.\n\n" +
    "Exits with 0 when it is done; with 1 if it was stopped or failed, if rows would be missing, if there was nothing\n" +
    "to take back, if keys still cannot be folded, or if --preview finds rows that differ or are held back; with 2 if\n" +
    "it was called wrongly; with 75 if a service that started took the store over. The options exclude each other.",
  options,
);
refuseTogether(line, Object.keys(options));
const wanted = chosen(line);
await runScript(() =>
  withBooks({ name: "rebuild", mayBegin: false }, (books) => run(line, wanted, books)),
);
