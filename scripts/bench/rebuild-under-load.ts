// Rebuilds each projection's tables of a large log while the service sells at half of its maximum rate: how late do others see a sale?
import { setTimeout as delay } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import { events, projections } from "../../services/features.ts";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { readOrder, writeOrder } from "#ledger/projection/orders.ts";
import { checkReplay } from "#ledger/verify/replay.ts";
import { growStore } from "./grown-store.ts";
import { percentile } from "./load.ts";
import { maximumRate } from "./maximum-rate.ts";
import type { Seen } from "./rate.ts";
import { rowsOf, sendAtRate } from "./rate.ts";
import type { PartOptions, Report } from "./report.ts";
import type { Sell } from "./sell.ts";
import { sellOverHttp } from "./sell.ts";
import type { BenchDatabase, BenchServer } from "./server.ts";
import { cpuMsOf, ownCpuMs } from "./server.ts";
import { stockService, withService } from "./service.ts";
import type { ShopItem } from "./shop.ts";
import { useWal } from "./used-wal.ts";

const EVENTS = 1_000_000;
const CONNECTIONS = 32;
/** What sales and a rebuild write in some minutes. */
const USED_WAL_MB = 3_200;
/** A stage with fewer sales says too little about one sale in a hundred. */
const ENOUGH_SALES = 1_000;

/** What the rebuild did from this moment on, by performance.now(). */
type Stage = { readonly at: number; readonly phase: string };

const BUSY: ReadonlySet<string> = new Set(["filling", "indexing", "comparing"]);

/** Orders a rebuild, and the switch as soon as it is ready, as an operator would. Returns what it did when. */
async function rebuild(sql: Sql, projection: string): Promise<readonly Stage[]> {
  const stages: Stage[] = [];
  const order = {
    projection,
    rebuildId: randomUUID(),
    orderId: null,
    wanted: "shown",
    acceptHeld: false,
  } as const;
  await writeOrder(sql, order);
  for (;;) {
    const { phase, error } = (await readOrder(sql, projection)) ?? { phase: "done", error: null };
    if (phase === "failed") {
      throw new Error(`The rebuild of ${projection} failed: ${error ?? ""}`);
    }
    if (phase === "done") {
      return stages;
    }
    const shown = BUSY.has(phase) ? phase : "between two";
    if (stages.at(-1)?.phase !== shown) {
      stages.push({ at: performance.now(), phase: shown });
    }
    await delay(100);
  }
}

/** How late sales were seen in one stage. */
type StageRow = {
  readonly tables: string;
  readonly stage: string;
  readonly "sales/s": number;
  readonly sales: number;
  readonly seconds: number;
  readonly "p50 ms": number;
  readonly "p99 ms": number;
  readonly "max ms": number;
};

type Window = Pick<StageRow, "tables" | "stage" | "sales/s"> & {
  readonly from: number;
  readonly until: number;
};

function rowOf({ from, until, ...named }: Window, { visibleMs, seenAt }: Seen): StageRow {
  const times = visibleMs.filter((_, sale) => {
    const moment = seenAt[sale] ?? 0;
    return moment >= from && moment < until;
  });
  return {
    ...named,
    sales: times.length,
    seconds: (Math.min(until, seenAt.at(-1) ?? from) - Math.max(from, seenAt[0] ?? from)) / 1000,
    "p50 ms": percentile(times, 0.5),
    "p99 ms": percentile(times, 0.99),
    "max ms": percentile(times, 1),
  };
}

function stageText(row: StageRow): string {
  return (
    `rebuild-under-load: ${row.tables}, ${row.stage}, ${row["sales/s"]} sales a second: ` +
    `p50 ${row["p50 ms"].toFixed(0)} ms, p99 ${row["p99 ms"].toFixed(0)} ms`
  );
}

/** Throws if the tables of a projection differ from a fresh replay of the log. */
async function insistOnReplay(sql: Sql, projection: Projection): Promise<void> {
  const { problems } = await checkReplay(sql, projection, { events });
  if (problems.length > 0) {
    const messages = problems.map(({ message }) => message).join("; ");
    throw new Error(`The tables differ from a fresh replay: ${messages}`);
  }
}

type WithCpu<Result> = {
  readonly result: Result;
  readonly generator: number;
  readonly service: number;
  readonly postgres: number;
};

/** How much of a core a run took: this process, which sends the sales and reads, the service, and PostgreSQL. */
async function withCpu<Result>(
  { server, servicePid }: Pick<Shop, "server" | "servicePid">,
  run: () => Promise<Result>,
): Promise<WithCpu<Result>> {
  const used = () => ({
    at: performance.now(),
    generator: ownCpuMs(),
    service: cpuMsOf(servicePid),
    postgres: server.cpuMs(),
  });
  const from = used();
  const result = await run();
  const until = used();
  const percent = (ms: number) => (ms * 100) / (until.at - from.at);
  return {
    result,
    generator: percent(until.generator - from.generator),
    service: percent(until.service - from.service),
    postgres: percent(until.postgres - from.postgres),
  };
}

/** One projection: the maximum rate, then half of it, first alone and then beside the rebuild. */
type Turn = {
  readonly calm: WithCpu<Seen>;
  readonly loaded: WithCpu<Seen>;
  readonly rows: readonly StageRow[];
  readonly rebuildSeconds: number;
};

type Shop = {
  readonly server: BenchServer;
  readonly servicePid: number;
  readonly sell: Sell;
  readonly items: readonly ShopItem[];
  readonly sql: Sql;
  readonly options: PartOptions;
};

async function oneTurn(shop: Shop, tables: string): Promise<Turn> {
  const { sell, items, sql, options } = shop;
  const seconds = options.seconds(10);
  // The service has just started, and its first seconds are slower.
  await maximumRate(sell, items, sql, seconds / 2);
  const perSecond = Math.floor((await maximumRate(sell, items, sql, seconds / 2)) / 2);
  const rate = { perSecond, lookEveryMs: 5 };
  const named = { tables, "sales/s": perSecond };
  const calm = await withCpu(shop, () => sendAtRate(sell, items, sql, { ...rate, seconds }));
  const calmRow = rowOf({ ...named, stage: "nothing else", from: 0, until: Infinity }, calm.result);
  options.progress(stageText(calmRow));
  const over = new AbortController();
  const startedAt = performance.now();
  const rebuilding = rebuild(sql, tables).finally(() => over.abort());
  const loaded = await withCpu(shop, () =>
    sendAtRate(sell, items, sql, { ...rate, seconds: over.signal }),
  );
  const stages = await rebuilding;
  const rows = stages.map(({ at, phase }, index) =>
    rowOf(
      { ...named, stage: phase, from: at, until: stages[index + 1]?.at ?? Infinity },
      loaded.result,
    ),
  );
  rows.forEach((row) => options.progress(stageText(row)));
  const rebuildSeconds = (performance.now() - startedAt) / 1000;
  return { calm, loaded, rows: [calmRow, ...rows], rebuildSeconds };
}

/** Rebuilds the tables of one projection in a copy of the grown store, so that no rebuild has a longer log than another. */
async function turnInCopy(
  server: BenchServer,
  grown: BenchDatabase,
  options: PartOptions,
  projection: Projection,
): Promise<Turn> {
  await using parts = new AsyncDisposableStack();
  const database = await server.copyOf(grown, "under_load_copy");
  parts.defer(() => server.dropDatabase(database.name));
  const items = await stockService(database);
  const sql = connect(database.appUrl, { applicationName: "bench-rebuild", maxConnections: 3 });
  parts.defer(() => sql.end({ timeout: 5 }));
  return await withService(database, {}, async (service) => {
    const { sell, close } = await sellOverHttp(service, CONNECTIONS);
    try {
      const shop = { server, servicePid: service.pid, sell, items, sql, options };
      const turn = await oneTurn(shop, projection.name);
      await insistOnReplay(sql, projection);
      return turn;
    } finally {
      close();
    }
  });
}

/** Nobody may be connected to what is copied. */
async function growAndLeave(grown: BenchDatabase, options: PartOptions): Promise<number> {
  const sql = connect(grown.appUrl, { applicationName: "bench-grow", maxConnections: 3 });
  try {
    return await growStore(grown, sql, {
      stretchEvents: options.isSmall ? 1_000 : 20_000,
      events: options.isSmall ? 4_000 : options.size(EVENTS),
      progress: (line) => options.progress(`rebuild-under-load: ${line}`),
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

export async function benchRebuildUnderLoad(
  server: BenchServer,
  options: PartOptions,
): Promise<Report> {
  const grown = await server.ledgerDatabase("under_load");
  const count = await growAndLeave(grown, options);
  await useWal(grown, options.isSmall ? 16 : USED_WAL_MB);
  const turns: Turn[] = [];
  for (const projection of projections.filter(({ name }) => options.includes(name))) {
    turns.push(await turnInCopy(server, grown, options, projection));
  }
  return reportOf(count, turns);
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
}

function cpuRow(when: string, runs: readonly WithCpu<Seen>[]): Record<string, string | number> {
  return {
    when,
    generator: meanOf(runs.map(({ generator }) => generator)),
    service: meanOf(runs.map(({ service }) => service)),
    PostgreSQL: meanOf(runs.map(({ postgres }) => postgres)),
  };
}

/** All runs as one. */
function together(runs: readonly WithCpu<Seen>[]): Seen {
  const all = (times: (seen: Seen) => readonly number[]) =>
    runs.flatMap(({ result }) => times(result));
  return {
    visibleMs: all(({ visibleMs }) => visibleMs),
    seenAt: all(({ seenAt }) => seenAt),
    dueToVisibleMs: all(({ dueToVisibleMs }) => dueToVisibleMs),
    dueToAnsweredMs: all(({ dueToAnsweredMs }) => dueToAnsweredMs),
  };
}

function reportOf(count: number, turns: readonly Turn[]): Report {
  const calmRuns = turns.map(({ calm }) => calm);
  const loadedRuns = turns.map(({ loaded }) => loaded);
  const [calm, loaded] = [together(calmRuns), together(loadedRuns)];
  const rows = turns.flatMap((turn) => turn.rows);
  const slowest = rows
    .filter(({ stage, sales }) => stage !== "nothing else" && sales >= ENOUGH_SALES)
    .map((row) => row["p99 ms"]);
  const [calmP99, loadedP99] = [
    percentile(calm.visibleMs, 0.99),
    percentile(loaded.visibleMs, 0.99),
  ];
  return {
    part: "rebuild-under-load",
    tables: [
      {
        title: `${count.toLocaleString("en-US")} events; half of the rate at which service and read tables can go on, measured before each rebuild`,
        rows: [...rowsOf("calm", calm), ...rowsOf("during the rebuilds", loaded)],
      },
      {
        title: "The rebuilds of all projections",
        rows: [
          {
            projections: turns.length,
            seconds: Math.round(turns.reduce((sum, turn) => sum + turn.rebuildSeconds, 0)),
            "sales meanwhile": loaded.visibleMs.length,
            "p99, times that of the calm": loadedP99 / calmP99,
          },
        ],
      },
      { title: "Commit to visible in each stage", rows },
      {
        title: "CPU, in % of one core; the generator reads the positions of the tables, too",
        rows: [cpuRow("calm", calmRuns), cpuRow("during the rebuilds", loadedRuns)],
      },
    ],
    notes: [
      `Sales are sent over ${CONNECTIONS} connections by the clock, and each is answered 200; each rebuilt table equals a fresh replay afterwards. Otherwise this part fails.`,
      "API, worker and rebuilds are one process, as with `npm start`; it shares the machine with PostgreSQL and the generator.",
      "Each rebuild has a copy of the same store, and its own maximum rate and calm seconds before it: a shared machine is not always equally fast.",
    ],
    verdicts: [
      {
        name: "commit to visible during the rebuilds, p99",
        measured: loadedP99,
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
