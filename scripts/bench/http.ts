// How many commands per second the HTTP path handles, how long answers take below that limit, and where the time goes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { recordSale } from "#features/sales/decider-record.ts";
import type { ServiceProcess } from "#testing/service/service-process.ts";
import type { GeneratorReport, GeneratorInput } from "./http-generator.ts";
import { runCallers } from "./load.ts";
import { timeByPart } from "./profile.ts";
import type { PartOptions, Report } from "./report.ts";
import type { BenchServer } from "./server.ts";
import { cpuMsOf } from "./server.ts";
import { signIn, stockService, targetOf, withService } from "./service.ts";
import type { ShopItem } from "./shop.ts";
import { newContext, openShop, saleOf, stockShelves } from "./shop.ts";
import { useWal } from "./used-wal.ts";

const CONNECTIONS = 32;
/** Share of its maximum; above that, only the wait in the queue is measured. */
const CALM_SHARE = 0.7;
/** More than all runs write. */
const USED_WAL_MB = 1_600;

/** A run of the generator in a process of its own. Throws when any sale was refused. */
async function generate(input: GeneratorInput): Promise<GeneratorReport> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "http-generator.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(input));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) {
    throw new Error(`The generator ended with ${String(code)}`);
  }
  // The generator writes this type.
  const report = JSON.parse(output) as GeneratorReport;
  if (Object.keys(report.refused).length > 0) {
    throw new Error(`Sales of the benchmark were refused: ${JSON.stringify(report.refused)}`);
  }
  return report;
}

/** Sales per second in this process, read tables included, from the same number of callers. */
async function measureInProcess(server: BenchServer, seconds: number): Promise<number> {
  const shop = await openShop((await server.ledgerDatabase("http_in_process")).appUrl);
  try {
    const items = await stockShelves(shop.ledger);
    const pick = () => {
      const item = items[Math.floor(Math.random() * items.length)];
      if (item === undefined) {
        throw new Error("The shelves are empty");
      }
      return item;
    };
    const load = { callers: CONNECTIONS, seconds, server };
    const { perSecond } = await runCallers(load, async () => {
      const outcome = await shop.ledger.execute(recordSale, saleOf(pick()), newContext());
      if (outcome.kind !== "accepted") {
        throw new Error(`A sale of the benchmark was answered: ${outcome.kind}`);
      }
    });
    return perSecond;
  } finally {
    await shop.close();
  }
}

type Run = {
  readonly report: GeneratorReport;
  readonly serviceMicros: number;
  readonly serverMicros: number;
};

function inputFor(
  service: ServiceProcess,
  token: string,
  items: readonly ShopItem[],
): GeneratorInput {
  return {
    ...targetOf(service, token),
    items,
    connections: CONNECTIONS,
    warmupSeconds: 0,
    seconds: 1,
    perSecond: 0,
  };
}

async function measureRun(
  server: BenchServer,
  service: ServiceProcess,
  input: GeneratorInput,
): Promise<Run> {
  const before = { service: cpuMsOf(service.pid), server: server.cpuMs() };
  const report = await generate(input);
  const micros = (ms: number) => (ms * 1000) / Math.max(1, report.answered);
  return {
    report,
    serviceMicros: micros(cpuMsOf(service.pid) - before.service),
    serverMicros: micros(server.cpuMs() - before.server),
  };
}

function rowOf(label: string, { report, serviceMicros, serverMicros }: Run) {
  return {
    run: label,
    "sales/s": Math.round(report.perSecond),
    "p50 ms": report.p50Ms,
    "p90 ms": report.p90Ms,
    "p99 ms": report.p99Ms,
    "max ms": report.maxMs,
    "service µs": Math.round(serviceMicros),
    "PostgreSQL µs": Math.round(serverMicros),
    "generator µs": Math.round(report.cpuMicros),
  };
}

export async function benchHttp(server: BenchServer, options: PartOptions): Promise<Report> {
  const seconds = options.seconds(60);
  const short = Math.max(1, seconds / 3);
  options.progress(`http: ${CONNECTIONS} callers in this process`);
  const before = await measureInProcess(server, short);
  await server.dropDatabase("http_in_process");

  const database = await server.ledgerDatabase("http_service");
  options.progress("http: uses the server's write-ahead log for a while");
  await useWal(database, options.isSmall ? 16 : USED_WAL_MB);
  const items = await stockService(database);
  const { fast, calm } = await withService(database, {}, async (service) => {
    const input = inputFor(service, await signIn(service.url), items);
    options.progress("http: warming up");
    await generate({ ...input, seconds: Math.min(5, seconds) });
    options.progress(`http: ${CONNECTIONS} connections, as fast as they can, for ${seconds} s`);
    const fast = await measureRun(server, service, { ...input, seconds });
    const perSecond = fast.report.perSecond * CALM_SHARE;
    options.progress(`http: ${Math.round(perSecond)} a second for ${short} s`);
    const warmupSeconds = Math.min(2, short);
    const calm = await measureRun(server, service, {
      ...input,
      seconds: short,
      warmupSeconds,
      perSecond,
    });
    return { fast, calm };
  });
  options.progress("http: once more with a profiler");
  const profiles = join(server.folder, "profiles");
  const profiling = { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` };
  await withService(database, profiling, async (service) => {
    const input = inputFor(service, await signIn(service.url), items);
    await generate({ ...input, seconds: Math.min(10, seconds) });
  });
  options.progress(`http: ${CONNECTIONS} callers in this process, again`);
  const after = await measureInProcess(server, short);
  const inProcess = (before + after) / 2;
  return summarize(inProcess, fast, calm, timeByPart(profiles));
}

function summarize(
  inProcess: number,
  fast: Run,
  calm: Run,
  profile: readonly Record<string, string | number>[],
): Report {
  return {
    part: "http",
    tables: [
      {
        title: `POST /api/sales/record with authentication over ${CONNECTIONS} connections; CPU for one sale`,
        rows: [
          rowOf("at full speed", fast),
          rowOf(`${Math.round(CALM_SHARE * 100)} % of that, by the clock`, calm),
        ],
      },
      { title: "Where the service's one thread spends its time at full speed", rows: profile },
    ],
    notes: [
      `In this process, without HTTP, ${CONNECTIONS} callers record ${Math.round(inProcess)} sales a second (before and after, mean).`,
      "API and worker are one process, as with `npm start`, which logs only warnings; generator and PostgreSQL share the machine.",
    ],
    verdicts: [
      {
        name: "of the in-process rate",
        measured: fast.report.perSecond / inProcess,
        target: 0.25,
        unit: "of it",
        atLeast: true,
      },
      {
        name: `sales a second over ${CONNECTIONS} connections`,
        measured: fast.report.perSecond,
        target: 2_000,
        unit: "a second",
        atLeast: true,
      },
      {
        name: "p99 at 70 % of the maximum",
        measured: calm.report.p99Ms,
        target: 40,
        unit: "ms",
        atLeast: false,
      },
    ],
  };
}
