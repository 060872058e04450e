// npm run status: the positions of the log and each read table, jobs, notifications, held-back row keys, alerts and payout holds.
import type { BackupRun, LastRuns } from "#db/backup/runs.ts";
import { readLastRuns } from "#db/backup/runs.ts";
import { pendingMigrations } from "#db/migrate.ts";
import { adviceFor, describeAlert } from "#features/alerts/explain.ts";
import { readAlerts } from "#features/alerts/open-alerts.ts";
import type { Alert } from "#features/alerts/streams.ts";
import { describeHold } from "#features/holds/explain.ts";
import type { Hold } from "#features/holds/streams.ts";
import { HOLDS, holdsStream } from "#features/holds/streams.ts";
import { countBackfill } from "#features/images/backfill-counts.ts";
import type { PastOrder } from "#features/operations/past-orders.ts";
import { readPastOrders } from "#features/operations/past-orders.ts";
import type { Restore } from "#features/restores/streams.ts";
import { RESTORES, restoresStream } from "#features/restores/streams.ts";
import { createNotes } from "#identity/notes.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { readState } from "#ledger/log/read-state.ts";
import { readHead } from "#ledger/log/read.ts";
import { readFirstFills } from "#ledger/projection/late-tables.ts";
import type { Generation, GenerationState } from "#ledger/projection/generation.ts";
import { readGenerations } from "#ledger/projection/generation.ts";
import type { HeldCount } from "#ledger/projection/held.ts";
import { countHeldKeys, readHeldKeys } from "#ledger/projection/held.ts";
import { findMissing } from "#ledger/projection/missing-tables.ts";
import type { NewerEvent } from "#ledger/projection/newer-events.ts";
import { describeNewerEvent, readKnownHead } from "#ledger/projection/newer-events.ts";
import { readOrders } from "#ledger/projection/orders.ts";
import { events, projections } from "../services/features.ts";
import type { Books } from "./books.ts";
import { describeOlderStore, withBooks } from "./books.ts";
import type { CommandLine } from "./command-line.ts";
import { printable, readCommandLine, refusePositionals, runScript } from "./command-line.ts";
import { describeBackfill, describeChannels, readOutbox } from "./outbox-report.ts";

type Lag = Omit<Generation, "state"> & {
  readonly state: GenerationState | "paused" | "filling";
  readonly lagEvents: number;
  readonly lagSeconds: number;
};
type Queue = { readonly name: string; readonly state: string; readonly jobs: number };

/** The age of the first event that a generation has not folded yet; 0 at the head. */
async function lagOf(sql: Books["sql"], generation: Generation, head: number): Promise<Lag> {
  const [row] = await sql<{ seconds: number }[]>`
    select coalesce(extract(epoch from clock_timestamp() - recorded_at), 0)::float8 as seconds
    from log.events where position = ${generation.position + 1}`;
  return {
    ...generation,
    lagEvents: head - generation.position,
    lagSeconds: Math.round((row?.seconds ?? 0) * 1000) / 1000,
  };
}

/** Shown tables that are filled for the first time, and new tables whose rebuild is paused, say so. */
async function readLags({ sql }: Books, head: number): Promise<Lag[]> {
  const [generations, fills, orders] = await Promise.all([
    readGenerations(sql),
    readFirstFills(sql),
    readOrders(sql),
  ]);
  const isFilled = ({ name, state }: Generation) =>
    state === "live" && fills.some(({ projection }) => projection === name);
  const isPaused = ({ name, state, generation }: Generation) =>
    state === "building" &&
    orders.some(
      (order) =>
        order.projection === name &&
        order.wanted === "paused" &&
        order.phase !== "failed" &&
        order.generation === generation,
    );
  return Promise.all(
    generations.map(async (entry) => {
      const lag = await lagOf(sql, entry, head);
      const state = isFilled(entry) ? "filling" : isPaused(entry) ? "paused" : entry.state;
      return { ...lag, state };
    }),
  );
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

/** What operators ordered about the read tables, and what came of it. */
function readOrdersSoFar({ sql }: Books): Promise<readonly PastOrder[]> {
  const parts = { sql, readEvent: createReadEvent(events), notes: createNotes(sql) };
  return readPastOrders(
    parts,
    projections.map(({ name }) => name),
  );
}

/** "payouts  rebuild v3  failed: division by zero (0.4 s)  2026-11-23T… system:rebuild: Looking" */
function describeOrder(order: PastOrder): string {
  const { projection, act, version, acceptHeld, outcome, error, seconds, at, actor, why } = order;
  const what = [
    act,
    ...(version === null ? [] : [`v${version}`]),
    ...(acceptHeld ? ["although rows are missing"] : []),
  ].join(" ");
  const took = seconds === null ? "" : ` (${seconds.toFixed(1)} s)`;
  const ended = `${outcome === "waiting" ? "not done yet" : outcome}${error === null ? "" : `: ${error}`}${took}`;
  return `${projection.padEnd(18)} ${what.padEnd(14)} ${ended}  ${at} ${actor}: ${why ?? "the reason was erased"}`;
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
  const fix = `if the step is wrong, fix it, then npm run rebuild -- ${entry.projection}`;
  const meanings = {
    live: `missing from what is shown; ${fix} --quarantined`,
    ready: entry.newlyHeld > 0 ? `so it is not shown; ${fix}` : "missing from what is shown, too",
    building: "while it is being built",
    previous: "tables from before the last switch, which are not shown",
  };
  return meanings[entry.state];
}

type Attention = {
  readonly alerts: readonly Alert[];
  readonly holds: readonly Hold[];
  /** The restore after which nobody has checked payouts yet; null if there is none. */
  readonly uncheckedRestore: Restore | null;
};

/** Open alerts, payout holds that nobody lifted, and payouts that wait for the check after a restore. */
async function readAttention({ sql }: Books): Promise<Attention> {
  const parts = { sql, readEvent: createReadEvent(events) };
  const [alerts, holds, { last }] = await Promise.all([
    readAlerts(parts),
    readState(parts, holdsStream, HOLDS),
    readState(parts, restoresStream, RESTORES),
  ]);
  return {
    alerts: alerts.open,
    holds: holds.open,
    uncheckedRestore: last?.isChecked === false ? last : null,
  };
}

/** Which row it is about, so that two alerts about one table are not the same line. */
function rowOf(rowKey: string | null): string {
  return rowKey === null ? "" : ` (row ${rowKey})`;
}

function describeAttention({ alerts, holds, uncheckedRestore }: Attention): string[] {
  return [
    ...(uncheckedRestore === null
      ? []
      : [
          `Payouts wait since the restore at ${uncheckedRestore.restoredAt}, until an admin has compared them with ` +
            "CashApp and Venmo on Payout requests or Operations",
        ]),
    ...alerts.flatMap((alert) => [
      `Alert since ${alert.raisedAt}: ${describeAlert(alert)}${rowOf(alert.rowKey)}`,
      `  ${adviceFor(alert)}`,
    ]),
    ...holds.map(
      (hold) =>
        `Payouts of ${hold.uid ?? "everybody"} are held since ${hold.since}: ${describeHold(hold)}${rowOf(hold.rowKey)}`,
    ),
  ];
}

/** The last runs, as far as a store of an older program records them. */
async function readRunsOfOlder({ sql }: Books): Promise<LastRuns | null> {
  const [table] = await sql<{ there: boolean }[]>`
    select to_regclass('ledger_meta.backup_runs') is not null as there`;
  return table?.there === true ? readLastRuns(sql) : null;
}

function describeRuns(runs: LastRuns): string[] {
  return [
    ...describeRun("Back-up", runs.backup, runs.goodBackup),
    ...describeRun("Restore drill", runs.drill, runs.goodDrill),
  ];
}

/** A store of an older program is not migrated for a look at it; its read tables may have other columns. */
async function describeOlder(line: CommandLine, books: Books): Promise<boolean> {
  const pending = await pendingMigrations(books.sql);
  if (pending.length === 0) {
    return false;
  }
  const [head, runs] = await Promise.all([readHead(books.sql), readRunsOfOlder(books)]);
  process.stdout.write(
    line.json
      ? `${JSON.stringify({ head, runs, pendingMigrations: pending })}\n`
      : [
          `Log         position ${head.position.toLocaleString("en-US")}  ${head.hash ?? "empty"}`,
          ...(runs === null ? [] : describeRuns(runs)),
          describeOlderStore(pending),
        ]
          .map((text) => `${text}\n`)
          .join(""),
  );
  return true;
}

/** The event at which tables stand still because this program does not know it. */
async function findNewer({ sql }: Books, generations: readonly Lag[]): Promise<NewerEvent | null> {
  const lowest = Math.min(...generations.map(({ position }) => position));
  return (await readKnownHead(sql, events, lowest)).newer ?? null;
}

async function run(line: CommandLine, books: Books): Promise<number> {
  if (await describeOlder(line, books)) {
    return 1;
  }
  const head = await readHead(books.sql);
  const generations = await readLags(books, head.position);
  const [queues, { channels }, backfill, runs, attention, counts, quarantine] = await Promise.all([
    readQueues(books),
    readOutbox(books),
    countBackfill(books.sql),
    readLastRuns(books.sql),
    readAttention(books),
    countHeldKeys(books.sql),
    readHeldKeys(books.sql, ALL_STATES, line.json ? KEYS_IN_JSON : KEYS_SHOWN),
  ]);
  const missing = (await findMissing(books.sql, projections, "with views")).map(
    ({ sentence }) => sentence,
  );
  const newer = await findNewer(books, generations);
  const orders = line.json || line.flags.has("orders") ? await readOrdersSoFar(books) : [];
  const { alerts, holds, uncheckedRestore } = attention;
  const isRight =
    alerts.length === 0 &&
    holds.length === 0 &&
    uncheckedRestore === null &&
    missing.length === 0 &&
    newer === null &&
    counts.every((entry) => !isBroken(entry));
  if (line.json) {
    process.stdout.write(
      `${JSON.stringify({ head, projections: generations, missing, newer, queues, notifications: channels, imageBackfill: backfill, held: counts, quarantine, runs, ...attention, orders })}\n`,
    );
    return isRight ? 0 : 1;
  }
  const write = (text: string) => process.stdout.write(`${printable(text)}\n`);
  write(`Log         position ${head.position.toLocaleString("en-US")}  ${head.hash ?? "empty"}`);
  for (const entry of generations) {
    write(
      `${entry.name.padEnd(18)} v${entry.version} g${entry.generation}  ${entry.state.padEnd(9)} position ${entry.position.toLocaleString("en-US").padStart(12)}  behind ${entry.lagEvents} events, ${entry.lagSeconds} s`,
    );
  }
  if (newer !== null) {
    write(`${describeNewerEvent(newer)}.`);
  }
  missing.forEach((what) => write(`${what}. \`npm run rebuild\` makes new ones`));
  for (const queue of queues) {
    write(`Queue ${queue.name.padEnd(20)} ${queue.state.padEnd(9)} ${queue.jobs} jobs`);
  }
  const work = [...describeChannels({ channels }), ...describeBackfill(backfill)];
  for (const text of [...work, ...describeRuns(runs), ...describeAttention(attention)]) {
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
  orders.forEach((order) => write(describeOrder(order)));
  return isRight ? 0 : 1;
}

const line = readCommandLine(
  "npm run status -- [options]",
  "Shows the log's head, each projection's position and lag, the job queues, the outbox of notifications, the search\n" +
    "for pictures, held-back row keys, open alerts and payout holds. It changes nothing: a store of an older program stays as it is.\n" +
    "Tables are live (shown), filling (shown, and filled for the first time), building, paused, ready (built, not shown) or\n" +
    "previous (shown before the last switch).\n\n" +
    "Exits with 0; with 1 if row keys are held back from what is shown, shown tables are missing, the log has an event that this\n" +
    "program does not know, an alert is open, payouts are held or wait for the check after a restore, the store is of an older\n" +
    "program, or there is none; with 2 if it was called wrongly; with 75 if a service that started took the store over.",
  {
    orders: {
      type: "boolean",
      help: "also the last 50 orders about each projection (rebuild, switch, …), newest first, and what came of each",
    },
  },
);
refusePositionals(line);
await runScript(() =>
  withBooks({ name: "status", mayBegin: false, ofOlder: "read" }, (books) => run(line, books)),
);
