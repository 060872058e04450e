// How fast all read tables are rebuilt: against a plain INSERT … SELECT of the finished rows, and row by row.
import { events as eventRegister, projections } from "../../services/features.ts";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import type { KnownLog } from "#ledger/projection/newer-events.ts";
import { createKnownLog } from "#ledger/projection/newer-events.ts";
import { dropGeneration, flipGeneration } from "#ledger/projection/generation.ts";
import { buildGeneration } from "#ledger/projection/build.ts";
import { openHistory } from "./history.ts";
import { plainInsert } from "./plain-insert.ts";
import type { PartOptions, Report } from "./report.ts";
import { foldRowByRow } from "./row-by-row.ts";
import type { BenchServer } from "./server.ts";

const SIZES = [100_000, 1_000_000, 5_000_000] as const;
const SMALL_SIZES = [1_000, 4_000] as const;

type Built = { readonly projection: Projection; readonly generation: number; readonly ms: number };

/** As `npm run rebuild -- all` does it: two connections, each takes the next projection. */
async function inTwoLanes<Result>(
  act: (projection: Projection) => Promise<Result>,
): Promise<{ results: Result[]; ms: number }> {
  const startedAt = performance.now();
  const queue = [...projections];
  const results: Result[] = [];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      results.push(await act(next));
    }
  };
  await Promise.all([lane(), lane()]);
  return { results, ms: performance.now() - startedAt };
}

/** Fills, indexes and analyzes the next generation of one projection, and leaves it unseen. */
async function build(sql: Sql, projection: Projection, knownLog: KnownLog): Promise<Built> {
  const startedAt = performance.now();
  const made = await buildGeneration(sql, projection, { events: eventRegister, knownLog });
  return { projection, generation: made.generation, ms: performance.now() - startedAt };
}

type Measured = {
  readonly events: number;
  readonly rebuildMs: number;
  readonly plainMs: number;
  readonly rows: number;
  readonly each: readonly {
    readonly name: string;
    readonly rebuildMs: number;
    readonly plainMs: number;
    readonly rows: number;
  }[];
};

async function measure(sql: Sql, events: number, options: PartOptions): Promise<Measured> {
  options.progress(`rebuild: ${events.toLocaleString("en-US")} events, all projections`);
  const knownLog = createKnownLog(sql, eventRegister);
  const rebuilt = await inTwoLanes((projection) => build(sql, projection, knownLog));
  const [broken] = await sql<{ keys: number }[]>`select count(*) as keys from read.quarantine`;
  if (broken?.keys !== 0) {
    throw new Error("The rebuild held row keys back, so its tables are not complete");
  }
  options.progress("rebuild: plain INSERT … SELECT of the same rows");
  const generationOf = (projection: Projection) =>
    rebuilt.results.find((built) => built.projection === projection)?.generation ?? 0;
  const plain = await inTwoLanes(async (projection) => ({
    projection,
    ...(await plainInsert(sql, projection, generationOf(projection))),
  }));
  const each = rebuilt.results.map(({ projection, ms }) => {
    const copy = plain.results.find((entry) => entry.projection === projection);
    return {
      name: projection.name,
      rebuildMs: ms,
      plainMs: copy?.ms ?? Number.NaN,
      rows: copy?.rows ?? 0,
    };
  });
  for (const { projection, generation } of rebuilt.results) {
    await dropGeneration(sql, projection, generation);
  }
  const rows = each.reduce((sum, entry) => sum + entry.rows, 0);
  return { events, rebuildMs: rebuilt.ms, plainMs: plain.ms, rows, each };
}

const perSecond = (count: number, ms: number) => Math.round((count * 1000) / ms);

function summarize(
  measured: readonly Measured[],
  byRow: { readonly perSecond: number; readonly setPerSecond: number },
): Report {
  const rows = measured.map(({ events, rebuildMs, plainMs, rows }) => ({
    events,
    rows,
    "rebuild s": rebuildMs / 1000,
    "plain s": plainMs / 1000,
    "events/s": perSecond(events, rebuildMs),
    "of plain": plainMs / rebuildMs,
  }));
  const last = measured.at(-1);
  const first = measured.at(-2) ?? last;
  const million = measured.find(({ events }) => events >= 900_000) ?? last;
  if (first === undefined || last === undefined || million === undefined) {
    throw new Error("Nothing was measured");
  }
  const growth = last.rebuildMs / last.events / (first.rebuildMs / first.events);
  return {
    part: "rebuild",
    tables: [
      { title: "All projections, two at a time, against a plain copy of their rows", rows },
      {
        title: `Each projection at ${last.events.toLocaleString("en-US")} events`,
        rows: last.each.map((entry) => ({
          projection: entry.name,
          rows: entry.rows,
          "rebuild s": entry.rebuildMs / 1000,
          "plain s": entry.plainMs / 1000,
          "of plain": entry.plainMs / entry.rebuildMs,
        })),
      },
      {
        title: "Balances and account history alone, events per second",
        rows: [
          { way: "set-based", "events/s": Math.round(byRow.setPerSecond) },
          { way: "row by row in Node", "events/s": Math.round(byRow.perSecond) },
        ],
      },
    ],
    notes: [
      "The log is one stretch written by commands, then copied by SQL with new ids; the copies' hashes do not chain.",
      "Both fill empty tables over two connections with the same keys, then make the same indexes and statistics.",
    ],
    verdicts: [
      {
        name: `speed of a plain INSERT … SELECT at ${million.events.toLocaleString("en-US")} events`,
        measured: million.plainMs / million.rebuildMs,
        target: 0.45,
        unit: "of it",
        atLeast: true,
      },
      {
        name: `time for each event at ${last.events.toLocaleString("en-US")} against ${first.events.toLocaleString("en-US")} events`,
        measured: growth,
        target: 1.25,
        unit: "times",
        atLeast: false,
      },
      {
        name: "set-based against row by row",
        measured: byRow.setPerSecond / byRow.perSecond,
        target: 10,
        unit: "times",
        atLeast: true,
      },
    ],
  };
}

export async function benchRebuild(server: BenchServer, options: PartOptions): Promise<Report> {
  const database = await server.ledgerDatabase("rebuild");
  const sql = connect(database.appUrl, { applicationName: "bench-rebuild", maxConnections: 3 });
  try {
    await ensureProjections({ sql, projections, events: eventRegister });
    const sizes = (options.isSmall ? SMALL_SIZES : SIZES).filter(
      (events) => events <= options.size(events),
    );
    options.progress("rebuild: writing a stretch of the log");
    const history = await openHistory(database, options.isSmall ? 1_000 : 20_000);
    try {
      const measured: Measured[] = [];
      let byRow: Parameters<typeof summarize>[1] | undefined;
      for (const size of sizes) {
        options.progress(`rebuild: growing the log to ${size.toLocaleString("en-US")} events`);
        const events = await history.growTo(size);
        byRow ??= await foldRowByRow(sql, Math.min(events, 5_000));
        measured.push(await measure(sql, events, options));
      }
      return summarize(measured, byRow ?? { perSecond: Number.NaN, setPerSecond: Number.NaN });
    } finally {
      await history.close();
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Fills and shows the read tables of a grown log, so that reads can be measured on them. */
export async function showRebuilt(sql: Sql, wanted: readonly Projection[]): Promise<void> {
  const knownLog = createKnownLog(sql, eventRegister);
  for (const projection of wanted) {
    const { generation } = await build(sql, projection, knownLog);
    await flipGeneration(sql, projection, generation);
  }
}
