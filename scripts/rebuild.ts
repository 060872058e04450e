// npm run rebuild: builds new read tables from the log next to the live ones, compares, and switches, without downtime.
import { events, projections } from "../services/features.ts";
import { isBeingCarriedOut } from "#features/operations/tables-now.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import type { Refolded } from "#ledger/projection/refold.ts";
import { refoldHeld } from "#ledger/projection/refold.ts";
import type { Compared, RebuildResult } from "#ledger/projection/rebuild.ts";
import { cancelRebuild, rebuildProjection } from "#ledger/projection/rebuild.ts";
import { takeBack } from "#ledger/projection/take-back.ts";
import { carryOutHeld, noteEnd, noteReady, noteStages } from "#ledger/projection/carry-out.ts";
import { dropUnnamed } from "#ledger/projection/generation.ts";
import { holdProjection } from "#ledger/projection/hold.ts";
import { createKnownLog, type KnownLog } from "#ledger/projection/newer-events.ts";
import { noteOrder, readOrder } from "#ledger/projection/orders.ts";
import { gentlePace } from "#ledger/projection/pace.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { StuckTables } from "#ledger/projection/stuck-tables.ts";
import { renewUpcasts } from "#ledger/projection/upcasts.ts";
import { withBooks, type Books } from "./books.ts";
import type { Rebuilt } from "./rebuild-report.ts";
import { describe, describeTakenBack, differencesIn, report, stuckIn } from "./rebuild-report.ts";
import type { Operator, OwnOrder } from "./operator.ts";
import { reasonOf, withOperator } from "./operator.ts";
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
  preview: { type: "boolean", help: "fill and compare, but do not switch" },
  "take-back": { type: "boolean", help: "show the tables from before the last switch again" },
  pause: { type: "boolean", help: "pause a rebuild that runs; the next call without it continues" },
  cancel: { type: "boolean", help: "drop what an unfinished rebuild left" },
  quarantined: {
    type: "boolean",
    help: "fold only the held-back row keys again, in place",
  },
} as const;

const details = {
  "accept-held": {
    type: "boolean",
    help: "switch even if the new tables hold back row keys that are shown now",
  },
  "accept-differences": {
    type: "boolean",
    help: "with --take-back: go back even if rows change or are missing then",
  },
  key: { type: "string", value: "KEY", help: "with --quarantined: only this row key" },
  why: { type: "string", value: "TEXT", help: "the reason, kept in the ledger with the action" },
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

/** What every action of this script needs. */
type Acting = {
  readonly books: Books;
  readonly operator: Operator;
  readonly flags: ReadonlySet<string>;
};

/** What was ordered before, apart from a rebuild that this one continues, is carried out first. */
async function finishEarlier({ sql }: Books, projection: Projection): Promise<void> {
  const order = await readOrder(sql, projection.name);
  if (order !== undefined && isBeingCarriedOut(order)) {
    await carryOutHeld({ sql, events, pace: gentlePace }, projection);
  }
}

/** What all rebuilds of one run share. */
type Run = {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly knownLog: KnownLog;
};

/** Each act is recorded before it is done. Its order is noted too, so that the screen shows how far it is. */
async function rebuildOne(
  { books, operator, flags }: Acting,
  projection: Projection,
  { signal, progress, knownLog }: Run,
): Promise<RebuildResult> {
  const { sql } = books;
  const { name } = projection;
  let order: OwnOrder = { projection: name, rebuildId: "" };
  let noted: ReturnType<typeof noteStages> | undefined;
  const build: { isRunning: boolean } = { isRunning: false };
  try {
    return await rebuildProjection(sql, projection, {
      events,
      signal,
      knownLog,
      acceptHeld: flags.has("accept-held"),
      onWaiting: () => process.stderr.write(`${name} is being rebuilt or proved; waiting for it\n`),
      onHeld: async () => {
        await finishEarlier(books, projection);
        order = await operator.begin(name);
        noted = noteStages({ sql }, { ...order, wanted: "built" });
        build.isRunning = true;
      },
      onStage: (stage) => noted?.(stage) ?? Promise.resolve(),
      // While a service runs, live work comes first.
      ...(books.startedHere ? {} : { pace: gentlePace() }),
      mayFlip: async (compared, generation, newlyHeld) => {
        build.isRunning = false;
        await noteReady(sql, order, generation, compared);
        const mayFlip = !flags.has("preview") && (newlyHeld === 0 || flags.has("accept-held"));
        if (mayFlip) {
          await operator.flip(order, newlyHeld, flags.has("accept-held"));
        }
        return mayFlip;
      },
      inFlip: async (transaction) => {
        await noteOrder(transaction, order, { phase: "done" });
      },
      onProgress: (position, head) => progress.update(name, position, head),
    });
  } catch (error) {
    if (signal.aborted && order.rebuildId !== "") {
      await operator.pause(name);
    } else if (build.isRunning) {
      await noteEnd({ sql }, order, error);
    }
    throw error;
  }
}

/** A projection whose new tables get no further. */
type Failure = { readonly projection: string; readonly failed: string };

/** Two at a time: one connection each, so that live work keeps most of the machine. */
async function rebuildAll(
  acting: Acting,
  wanted: readonly Projection[],
  progress: Progress,
): Promise<{ readonly results: Rebuilt[]; readonly failures: Failure[] }> {
  const run: Run = {
    signal: untilInterrupted("Stopped; the next run continues from here"),
    progress,
    knownLog: createKnownLog(acting.books.sql, events),
  };
  const queue = [...wanted];
  const results: Rebuilt[] = [];
  const failures: Failure[] = [];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      try {
        const result = await rebuildOne(acting, next, run);
        // Only now no view shows such tables any more.
        const dropped = result.flipped ? await dropUnnamed(acting.books.sql, next) : [];
        results.push({ ...result, dropped });
      } catch (error) {
        // One whose step fails keeps no other from being rebuilt.
        if (!(error instanceof StuckTables)) {
          throw error;
        }
        failures.push({ projection: next.name, failed: error.message });
      }
    }
  };
  await Promise.all([lane(), lane()]);
  return { results, failures };
}

async function takeBackAll(
  { books, operator, flags }: Acting,
  wanted: readonly Projection[],
  print: Print,
): Promise<number> {
  const isAccepted = flags.has("accept-differences");
  let taken = 0;
  let refused = 0;
  for (const projection of wanted) {
    const { name } = projection;
    let order: OwnOrder | null = null;
    let compared: Compared | null = null;
    const result = await holdProjection(books.sql, name, {}, () =>
      takeBack(books.sql, projection, events, {
        mayFlip: async (now) => {
          compared = now;
          const found = differencesIn(now);
          // Tables with other columns are of another program, which has forgotten to raise its version.
          const isSameProgram = found.every(({ otherColumns }) => otherColumns.length === 0);
          const isSame = found.length === 0 && now.kind !== "stuck";
          const mayFlip = isSame || (isAccepted && isSameProgram);
          // Recorded only if it is done.
          order = mayFlip ? await operator.takeBack(name, isAccepted) : null;
          return mayFlip;
        },
        inFlip: async (transaction) => {
          await (order === null ? undefined : noteOrder(transaction, order, { phase: "done" }));
        },
      }),
    );
    taken += result.kind === "taken-back" ? 1 : 0;
    refused += result.kind === "refused" ? 1 : 0;
    const differences = differencesIn(compared);
    const stuck = stuckIn(compared);
    const lines = [describeTakenBack(name, result, compared), ...differences.map(describe), ""];
    print({ projection: name, ...result, differences, stuck }, lines.join("\n"));
  }
  return taken > 0 && refused === 0 ? 0 : 1;
}

/** Fails if there was nothing to cancel for any of them. */
async function cancelAll(
  { books, operator }: Acting,
  wanted: readonly Projection[],
  print: Print,
): Promise<number> {
  let canceled = 0;
  for (const projection of wanted) {
    const { name } = projection;
    const order = await operator.cancel(name);
    const dropped = await holdProjection(books.sql, name, {}, () =>
      cancelRebuild(books.sql, projection),
    );
    await (order === null ? undefined : noteOrder(books.sql, order, { phase: "done" }));
    const isCanceled = order !== null || dropped > 0;
    canceled += isCanceled ? 1 : 0;
    print(
      { projection: name, isCanceled, dropped },
      isCanceled
        ? `${name}: the rebuild is canceled${dropped === 0 ? "" : ", and what it made is dropped"}\n`
        : nothingTo("cancel", name),
    );
  }
  return canceled > 0 ? 0 : 1;
}

async function foldAll(
  { books, operator }: Acting,
  wanted: readonly Projection[],
  key: string | null,
  print: Print,
): Promise<number> {
  const held: Projection[] = [];
  for (const projection of wanted) {
    if (await operator.foldAgain(projection.name, key)) {
      held.push(projection);
    }
  }
  if (key !== null && held.length === 0) {
    throw new Error(`The row key ${key} is not held back`);
  }
  const result = await refoldHeld(books.sql, held, events, key === null ? undefined : [key]);
  print(result, describeRefolded(result));
  return result.failed.length === 0 ? 0 : 1;
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

type Print = (value: unknown, text: string) => void;

function nothingTo(act: "pause" | "cancel", name: string): string {
  return `${name}: there is no rebuild to ${act}: none was begun, or the last one has ended\n`;
}

/** Like `--cancel`, it fails if there was nothing to do for any of them. */
async function pauseAll(
  { operator }: Acting,
  wanted: readonly Projection[],
  print: Print,
): Promise<number> {
  let paused = 0;
  for (const { name } of wanted) {
    const isPaused = await operator.pause(name);
    paused += isPaused ? 1 : 0;
    print(
      { projection: name, isPaused },
      isPaused ? `${name}: the rebuild is paused\n` : nothingTo("pause", name),
    );
  }
  return paused > 0 ? 0 : 1;
}

/** Tables that get no further are what a rebuild may repair. */
function sayIfStuck(error: unknown): void {
  if (!(error instanceof StuckTables)) {
    throw error;
  }
  process.stderr.write(`${error.message}\n`);
}

async function run(
  line: CommandLine,
  wanted: readonly Projection[],
  acting: Acting,
): Promise<number> {
  const { books, flags } = acting;
  const print: Print = (value, text) =>
    process.stdout.write(line.json ? `${JSON.stringify(value)}\n` : text);
  if (flags.has("take-back")) {
    return takeBackAll(acting, wanted, print);
  }
  if (flags.has("cancel")) {
    return cancelAll(acting, wanted, print);
  }
  if (flags.has("pause")) {
    return pauseAll(acting, wanted, print);
  }
  if (flags.has("quarantined")) {
    return foldAll(acting, wanted, line.values.get("key")?.[0] ?? null, print);
  }
  // The new tables are filled from these rows, so these have to be right first.
  await renewUpcasts(books.sql, events);
  if (books.startedHere) {
    // No service feeds the live tables now, so bring them to the head here; otherwise there is nothing to compare.
    await createRunner({ sql: books.sql, projections, events }).catchUp().catch(sayIfStuck);
  }
  const progress = progressBar(line.json);
  const { results, failures } = await rebuildAll(acting, wanted, progress);
  progress.end();
  if (line.json) {
    process.stdout.write(`${JSON.stringify({ results, failures })}\n`);
  } else {
    results.forEach(report);
    failures.forEach(({ failed }) => process.stderr.write(`${failed}\n`));
  }
  const preview = line.flags.has("preview");
  const isDone = failures.length === 0 && results.every((result) => isRight(result, preview));
  return isDone ? 0 : 1;
}

/** For a preview: nothing is held back, nothing differs, and the shown tables follow. Otherwise: the new ones are shown. */
function isRight({ flipped, held, differences, stuck }: RebuildResult, preview: boolean): boolean {
  const isSame = held.length === 0 && (differences ?? []).length === 0 && stuck === null;
  return preview ? isSame : flipped;
}

const line = readCommandLine(
  "npm run rebuild -- <projection|all> [options]",
  "Builds new read tables from the log next to the live ones, shows what would change, and switches to them in\n" +
    "one short transaction. The shop stays open. The previous tables are still fed, so that one can go back.\n" +
    "A rebuild that was stopped or killed continues where it was, with the next call or on the Operations screen.\n" +
    "Every action is an event in the ledger, with its reason (--why). New tables that hold back row keys which are\n" +
    "shown now are not shown without --accept-held; other differences are printed, and rows that are only shown now\n" +
    "are named. --take-back compares first, and does nothing if rows differ, without --accept-differences; from the\n" +
    "earlier tables only a new rebuild leads forward. A running service picks up every repair by itself.\n\n" +
    "Exits with 0 when it is done; with 1 if it was stopped or failed, if rows would be missing, if there was nothing\n" +
    "to take back, pause or cancel, if that was refused, if keys still cannot be folded, or if --preview finds rows that differ or are held back, or tables that get no further; with 2 if\n" +
    "it was called wrongly; with 75 if a service that started took the store over. The options exclude each other.",
  { ...options, ...details },
);
refuseTogether(line, Object.keys(options));
const wanted = chosen(line);
if (line.flags.has("accept-differences") && !line.flags.has("take-back")) {
  endWithUsage(
    "--accept-differences needs --take-back; a switch to new tables needs --accept-held",
  );
}
if (line.flags.has("accept-held") && line.flags.has("take-back")) {
  endWithUsage("--take-back needs --accept-differences instead of --accept-held");
}
if (line.values.has("key") && (!line.flags.has("quarantined") || wanted.length !== 1)) {
  endWithUsage("--key needs --quarantined and one projection");
}
await runScript(async () => {
  const why = await reasonOf(line);
  return withBooks({ name: "rebuild", mayBegin: false }, async (books) => {
    await ensureProjections({ sql: books.sql, projections, events, leaveOlder: true });
    return withOperator(books, "rebuild", why, (operator) =>
      run(line, wanted, { books, operator, flags: line.flags }),
    );
  });
});
