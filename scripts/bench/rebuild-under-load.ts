// Rebuilds all read tables of a large log while sales go on at half of the maximum rate: how late do others see a sale?
import { setTimeout as delay } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import { events, projections } from "../../services/features.ts";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import type { RebuildOrder } from "#ledger/projection/orders.ts";
import { readOrders, writeOrder } from "#ledger/projection/orders.ts";
import { checkReplay } from "#ledger/verify/replay.ts";
import { startWorker } from "#process/start-worker.ts";
import { growStore } from "./grown-store.ts";
import { median, percentile } from "./load.ts";
import { maximumRate } from "./maximum-rate.ts";
import type { Seen } from "./rate.ts";
import { rowsOf, sendAtRate } from "./rate.ts";
import type { PartOptions, Report } from "./report.ts";
import type { BenchServer } from "./server.ts";
import { ownCpuMs } from "./server.ts";
import { openBenchStore } from "./service.ts";
import { stockShelves } from "./shop.ts";
import { useWal } from "./used-wal.ts";

const EVENTS = 1_000_000;
/** What sales and a rebuild write in some minutes. */
const USED_WAL_MB = 3_200;
/** A stage with fewer sales says too little about one sale in a hundred. */
const ENOUGH_SALES = 1_000;
/** The maximum is measured so often, because a machine that is shared is not always equally fast. */
const MAXIMA = 3;

/** What the rebuild did from this moment on, by performance.now(). */
type Stage = { readonly at: number; readonly projection: string; readonly phase: string };

const BUSY: ReadonlySet<string> = new Set(["filling", "indexing", "comparing"]);

/** Says what comes next, and how late sales were seen since the line before. */
function stageLines(progress: (line: string) => void): {
  readonly begin: (what: string) => void;
  readonly onSeen: (visibleMs: number) => void;
} {
  let times: number[] = [];
  return {
    begin(what) {
      const late =
        times.length === 0
          ? ""
          : ` (until here p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms)`;
      times = [];
      progress(`rebuild-under-load: ${what}${late}`);
    },
    onSeen: (visibleMs) => void times.push(visibleMs),
  };
}

/** Orders the rebuild of every projection at once, and the switch as soon as it is ready, as an operator would. */
async function rebuildAll(
  sql: Sql,
  stages: Stage[],
  begin: (what: string) => void,
): Promise<readonly RebuildOrder[]> {
  for (const { name: projection } of projections) {
    await writeOrder(sql, {
      projection,
      rebuildId: randomUUID(),
      orderId: null,
      wanted: "shown",
      acceptHeld: false,
    });
  }
  for (;;) {
    const orders = await readOrders(sql);
    const failed = orders.find(({ phase }) => phase === "failed");
    if (failed !== undefined) {
      throw new Error(`The rebuild of ${failed.projection} failed: ${failed.error ?? ""}`);
    }
    if (orders.every(({ phase }) => phase === "done")) {
      return orders;
    }
    const busy = orders.find(({ phase }) => BUSY.has(phase));
    const [projection, phase] = [busy?.projection ?? "", busy?.phase ?? "between two"];
    const last = stages.at(-1);
    if (last?.projection !== projection || last.phase !== phase) {
      stages.push({ at: performance.now(), projection, phase });
      begin(`${phase} ${projection}`);
    }
    await delay(100);
  }
}

type StageRow = {
  readonly stage: string;
  readonly sales: number;
  readonly seconds: number;
  readonly "p50 ms": number;
  readonly "p99 ms": number;
  readonly "max ms": number;
};

/** How late sales were seen in each stage of the rebuild. */
function byStage(stages: readonly Stage[], { visibleMs, seenAt }: Seen): StageRow[] {
  return stages.map(({ at, projection, phase }, index) => {
    const until = stages[index + 1]?.at ?? Infinity;
    const times = visibleMs.filter((_, sale) => {
      const moment = seenAt[sale] ?? 0;
      return moment >= at && moment < until;
    });
    return {
      stage: `${phase} ${projection}`.trim(),
      sales: times.length,
      seconds: (Math.min(until, seenAt.at(-1) ?? at) - at) / 1000,
      "p50 ms": percentile(times, 0.5),
      "p99 ms": percentile(times, 0.99),
      "max ms": percentile(times, 1),
    };
  });
}

/** Throws if a table differs from a fresh replay of the log. */
async function insistOnReplay(sql: Sql): Promise<void> {
  const problems: string[] = [];
  for (const projection of projections) {
    const replay = await checkReplay(sql, projection, { events });
    problems.push(...replay.problems.map(({ message }) => message));
  }
  if (problems.length > 0) {
    throw new Error(`The tables differ from a fresh replay: ${problems.join("; ")}`);
  }
}

type WithCpu<Result> = {
  readonly result: Result;
  readonly process: number;
  readonly postgres: number;
};

/** How much of a core a run took: this process, which contains the generator and the reader, and PostgreSQL. */
async function withCpu<Result>(
  server: BenchServer,
  run: () => Promise<Result>,
): Promise<WithCpu<Result>> {
  const from = { at: performance.now(), own: ownCpuMs(), server: server.cpuMs() };
  const result = await run();
  const percent = (ms: number) => (ms * 100) / (performance.now() - from.at);
  return {
    result,
    process: percent(ownCpuMs() - from.own),
    postgres: percent(server.cpuMs() - from.server),
  };
}

export async function benchRebuildUnderLoad(
  server: BenchServer,
  options: PartOptions,
): Promise<Report> {
  await using parts = new AsyncDisposableStack();
  const database = await server.ledgerDatabase("under_load");
  const sql = connect(database.appUrl, { applicationName: "bench-rebuild", maxConnections: 3 });
  parts.defer(() => sql.end({ timeout: 5 }));
  const count = await growStore(database, sql, {
    stretchEvents: options.isSmall ? 1_000 : 20_000,
    events: options.isSmall ? 4_000 : options.size(EVENTS),
    progress: (line) => options.progress(`rebuild-under-load: ${line}`),
  });
  await useWal(database, options.isSmall ? 16 : USED_WAL_MB);
  const store = await openBenchStore(database, true);
  parts.defer(store.close);
  const worker = await startWorker(store);
  parts.defer(worker.close);
  const items = await stockShelves(store.ledger);
  await worker.runner.catchUp();

  options.progress("rebuild-under-load: the maximum rate");
  const seconds = options.seconds(10);
  const maxima: number[] = [];
  while (maxima.length < MAXIMA) {
    maxima.push(await maximumRate(store.ledger, items, sql, seconds / 2));
  }
  const perSecond = Math.floor(median(maxima) / 2);
  const rate = { perSecond, lookEveryMs: 5 };
  const { begin, onSeen } = stageLines(options.progress);
  begin(`${perSecond} sales a second, nothing else`);
  const calm = await withCpu(server, () =>
    sendAtRate(store.ledger, items, sql, { ...rate, seconds, onSeen }),
  );

  begin("the same while everything is rebuilt");
  const over = new AbortController();
  const startedAt = performance.now();
  const stages: Stage[] = [];
  const rebuilding = rebuildAll(sql, stages, begin).finally(() => over.abort());
  const loaded = await withCpu(server, () =>
    sendAtRate(store.ledger, items, sql, { ...rate, seconds: over.signal, onSeen }),
  );
  await rebuilding;
  const rebuildSeconds = (performance.now() - startedAt) / 1000;
  await worker.runner.catchUp();

  options.progress("rebuild-under-load: comparing with a fresh replay");
  await insistOnReplay(sql);
  return reportOf({ count, perSecond, calm, loaded, stages, rebuildSeconds });
}

type Measured = {
  readonly count: number;
  readonly perSecond: number;
  readonly calm: WithCpu<Seen>;
  readonly loaded: WithCpu<Seen>;
  readonly stages: readonly Stage[];
  readonly rebuildSeconds: number;
};

function reportOf({ count, perSecond, calm, loaded, stages, rebuildSeconds }: Measured): Report {
  const stageRows = byStage(stages, loaded.result);
  const slowest = stageRows
    .filter(({ sales }) => sales >= ENOUGH_SALES)
    .map((row) => row["p99 ms"]);
  return {
    part: "rebuild-under-load",
    tables: [
      {
        title: `${count.toLocaleString("en-US")} events; ${perSecond} sales a second, half of the rate at which writer and read tables can go on`,
        rows: [...rowsOf("calm", calm.result), ...rowsOf("during the rebuild", loaded.result)],
      },
      {
        title: "The rebuild of all projections",
        rows: [
          {
            projections: projections.length,
            seconds: Math.round(rebuildSeconds),
            "sales meanwhile": loaded.result.visibleMs.length,
            failed: 0,
          },
        ],
      },
      { title: "Commit to visible in each stage", rows: stageRows },
      {
        title: "CPU, in % of one core; the process has writer, worker, generator and reader",
        rows: [
          { when: "calm", process: calm.process, PostgreSQL: calm.postgres },
          { when: "during the rebuild", process: loaded.process, PostgreSQL: loaded.postgres },
        ],
      },
    ],
    notes: [
      "Every sale was accepted, and afterwards every table equals a fresh replay; otherwise this part fails.",
      "Writer, worker, rebuilds and reader share this process and two cores with PostgreSQL, as with `npm start`.",
    ],
    verdicts: [
      {
        name: "commit to visible during the rebuild, p99",
        measured: percentile(loaded.result.visibleMs, 0.99),
        target: 100,
        unit: "ms",
        atLeast: false,
      },
      // None in a quick run.
      ...(slowest.length === 0
        ? []
        : [
            {
              name: `the same in the slowest stage with at least ${ENOUGH_SALES} sales`,
              measured: Math.max(...slowest),
              target: 100,
              unit: "ms",
              atLeast: false,
            },
          ]),
    ],
  };
}
