// npm run status: the positions of the log and each read table, the job queues, and the held-back row keys.
import type { BackupRun } from "#db/backup/runs.ts";
import { readLastRuns } from "#db/backup/runs.ts";
import { readHead } from "#ledger/log/read.ts";
import type { Generation } from "#ledger/projection/generation.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import type { HeldCount } from "#ledger/projection/held.ts";
import { countHeldKeys, readHeldKeys } from "#ledger/projection/held.ts";
import type { Books } from "./books.ts";
import { withBooks } from "./books.ts";
import type { CommandLine } from "./command-line.ts";
import { readCommandLine, refusePositionals, runScript } from "./command-line.ts";

type Lag = Generation & { readonly lagEvents: number; readonly lagSeconds: number };
type Queue = { readonly name: string; readonly state: string; readonly jobs: number };

/** The age of the first event that a generation has not folded yet; 0 at the head. */
async function lagOf(books: Books, generation: Generation, head: number): Promise<Lag> {
  const [row] = await books.sql<{ seconds: number }[]>`
    select coalesce(extract(epoch from clock_timestamp() - recorded_at), 0)::float8 as seconds
    from log.events where position = ${generation.position + 1}`;
  return {
    ...generation,
    lagEvents: head - generation.position,
    lagSeconds: Math.round((row?.seconds ?? 0) * 1000) / 1000,
  };
}

async function readQueues(books: Books): Promise<Queue[]> {
  const [table] = await books.sql<{ there: boolean }[]>`
    select to_regclass('pgboss.job') is not null as there`;
  return table?.there === true
    ? books.sql<Queue[]>`
        select name, state::text as state, count(*) as jobs from pgboss.job
        where state in ('created', 'retry', 'active', 'failed')
        group by name, state order by name, state limit 100`
    : [];
}

function describeRun(name: string, run: BackupRun | null, good: BackupRun | null): string[] {
  if (run === null) {
    return [];
  }
  const ended = `${name.padEnd(15)} ${run.endedAt.toISOString()}`;
  return run.passed
    ? [
        `${ended}  passed, position ${run.position?.toLocaleString("en-US") ?? "unknown"}, ` +
          `${((run.bytes ?? 0) / 1e6).toFixed(1)} MB, ${(run.elapsedMs / 1000).toFixed(1)} s`,
      ]
    : [
        `${ended}  FAILED: ${run.message ?? ""}`,
        `  the last one that passed: ${good?.endedAt.toISOString() ?? "none"}`,
      ];
}

const ALL_STATES = ["live", "ready", "building", "previous"] as const;
/** The most held keys to list. */
const KEYS_SHOWN = 50;
const KEYS_IN_JSON = 10_000;

/** Rows are missing from what is shown, or newer tables are not shown because rows would be missing. */
function isBroken({ state, newlyHeld }: HeldCount): boolean {
  return state === "live" || (state === "ready" && newlyHeld > 0);
}

function meaningOf(entry: HeldCount): string {
  const fix = `fix the step, then npm run rebuild -- ${entry.projection}`;
  const meanings = {
    live: `missing from what is shown; ${fix} --quarantined`,
    ready: entry.newlyHeld > 0 ? `so it is not shown; ${fix}` : "missing from what is shown, too",
    building: "while it is being built",
    previous: "tables from before the last switch, which are not shown",
  };
  return meanings[entry.state];
}

async function run(line: CommandLine, books: Books): Promise<number> {
  const head = await readHead(books.sql);
  const generations = await Promise.all(
    (await readGenerations(books.sql)).map((entry) => lagOf(books, entry, head.position)),
  );
  const [queues, runs, counts, quarantine] = await Promise.all([
    readQueues(books),
    readLastRuns(books.sql),
    countHeldKeys(books.sql),
    readHeldKeys(books.sql, ALL_STATES, line.json ? KEYS_IN_JSON : KEYS_SHOWN),
  ]);
  const isRight = counts.every((entry) => !isBroken(entry));
  if (line.json) {
    process.stdout.write(
      `${JSON.stringify({ head, projections: generations, queues, held: counts, quarantine, runs })}\n`,
    );
    return isRight ? 0 : 1;
  }
  const write = (text: string) => process.stdout.write(`${text}\n`);
  write(`Log         position ${head.position.toLocaleString("en-US")}  ${head.hash ?? "empty"}`);
  for (const entry of generations) {
    write(
      `${entry.name.padEnd(18)} v${entry.version} g${entry.generation}  ${entry.state.padEnd(9)} position ${entry.position.toLocaleString("en-US").padStart(12)}  behind ${entry.lagEvents} events, ${entry.lagSeconds} s`,
    );
  }
  for (const queue of queues) {
    write(`Queue ${queue.name.padEnd(20)} ${queue.state.padEnd(9)} ${queue.jobs} jobs`);
  }
  for (const text of [
    ...describeRun("Back-up", runs.backup, runs.goodBackup),
    ...describeRun("Restore drill", runs.drill, runs.goodDrill),
  ]) {
    write(text);
  }
  for (const entry of counts) {
    write(
      `Held back: ${entry.held} row keys of ${entry.projection} g${entry.generation} (${meaningOf(entry)})`,
    );
  }
  for (const entry of quarantine) {
    write(
      `  ${entry.projection} v${entry.version} g${entry.generation}  ${entry.key} since event ${entry.atPosition}: ${entry.error}`,
    );
  }
  return isRight ? 0 : 1;
}

const line = readCommandLine(
  "npm run status -- [options]",
  "Shows the log's head, each projection's position and lag, the job queues and the held-back row keys.\n\n" +
    "Exits with 0; with 1 if row keys are held back from what is shown or there is no store; with 2 if it was called\n" +
    "wrongly; with 75 if a service that started took the store over.",
  {},
);
refusePositionals(line);
await runScript(() => withBooks({ name: "status", mayBegin: false }, (books) => run(line, books)));
