// npm run bench: measures the ledger against its targets and against alternatives, as ratios from one run on one server.
import { loadavg } from "node:os";
import type { PartOptions, Report } from "./bench/report.ts";
import { isMet, reportText } from "./bench/report.ts";
import type { BenchServer } from "./bench/server.ts";
import { startBenchServer } from "./bench/server.ts";
import { endWithUsage, readCommandLine, runScript } from "./command-line.ts";

type Part = (server: BenchServer, options: PartOptions) => Promise<Report>;

// Loaded on demand: some parts need large packages.
const parts: ReadonlyMap<string, () => Promise<Part>> = new Map<string, () => Promise<Part>>([
  ["append", async () => (await import("./bench/append.ts")).benchAppend],
  ["rebuild", async () => (await import("./bench/rebuild.ts")).benchRebuild],
  [
    "rebuild-under-load",
    async () => (await import("./bench/rebuild-under-load.ts")).benchRebuildUnderLoad,
  ],
  ["visible", async () => (await import("./bench/visible.ts")).benchVisible],
  ["search", async () => (await import("./bench/reads.ts")).benchReads],
  ["sales", async () => (await import("./bench/sales.ts")).benchSales],
  ["reports", async () => (await import("./bench/reports.ts")).benchReports],
  ["audit", async () => (await import("./bench/audit.ts")).benchAudit],
  ["proof", async () => (await import("./bench/proof.ts")).benchProof],
  ["explain", async () => (await import("./bench/explain.ts")).benchExplain],
  ["marketplace", async () => (await import("./bench/marketplace.ts")).benchMarketplace],
  ["expensive-reads", async () => (await import("./bench/expensive-reads.ts")).benchExpensiveReads],
  ["http", async () => (await import("./bench/http.ts")).benchHttp],
  ["export", async () => (await import("./bench/export.ts")).benchExport],
  ["restore", async () => (await import("./bench/restore.ts")).benchRestore],
  ["list", async () => (await import("./bench/list.ts")).benchList],
  ["first-load", async () => (await import("./bench/first-load.ts")).benchFirstLoad],
  ["start", async () => (await import("./bench/start.ts")).benchStart],
]);

type Numbers = ReadonlyMap<string, readonly string[]>;

function above0(values: Numbers, name: string): number | undefined {
  const [text] = values.get(name) ?? [];
  const value = text === undefined ? undefined : Number(text);
  return value === undefined || value > 0
    ? value
    : endWithUsage(`--${name} takes a number above 0`);
}

const line = readCommandLine(
  "npm run bench -- [part …] [options]",
  `Measures on an embedded PostgreSQL of its own, with fsync on, and removes it afterwards. Parts: ${[...parts.keys()].join(", ")};\n` +
    "all of them if none is named. Absolute numbers depend on this machine; ratios come from one run. Exits with 0\n" +
    "even if a target is missed: a benchmark gates nothing.",
  {
    seconds: {
      type: "string",
      value: "N",
      help: "length of each measured run; by default the part's own",
    },
    rounds: {
      type: "string",
      value: "N",
      help: "rounds whose medians are printed; by default the part's own",
    },
    size: {
      type: "string",
      value: "N",
      help: "the most events or items in the large tables of rebuild, search and list",
    },
    projections: {
      type: "string",
      value: "NAME,…",
      help: "those that rebuild-under-load rebuilds; by default all of them, which takes more than an hour",
    },
    small: {
      type: "boolean",
      help: "one second each on small tables, to see that everything runs, not how fast",
    },
  },
);
const names = line.positionals.length === 0 ? [...parts.keys()] : line.positionals;
const unknown = names.find((name) => !parts.has(name));
if (unknown !== undefined) {
  endWithUsage(`No part ${unknown}; there are ${[...parts.keys()].join(", ")}`);
}
const isSmall = line.flags.has("small");
const seconds = above0(line.values, "seconds");
const rounds = above0(line.values, "rounds");
const size = above0(line.values, "size");
const only = line.values.get("projections")?.flatMap((names) => names.split(","));
if (only !== undefined) {
  const { projections } = await import("../services/features.ts");
  const existing = projections.map(({ name }) => name);
  const missing = only.find((name) => !existing.includes(name));
  if (missing !== undefined) {
    endWithUsage(`No projection ${missing}; there are ${existing.join(", ")}`);
  }
}
const options: PartOptions = {
  seconds: (usual) => seconds ?? (isSmall ? 1 : usual),
  rounds: (usual) => Math.ceil(rounds ?? (isSmall ? 1 : usual)),
  size: (usual) => Math.min(size ?? usual, usual),
  includes: (projection) => only === undefined || only.includes(projection),
  isSmall,
  progress: (text) => {
    if (!line.json) {
      process.stderr.write(`${text}\n`);
    }
  },
};

/** One part on a server of its own, so that no part measures what another left behind. */
async function runPart(name: string, part: Part): Promise<Report> {
  const loadBefore = loadavg()[0] ?? 0;
  const starting = startBenchServer();
  const stopAndLeave = () => {
    // Whatever was measured fails as its server ends. That must not end this process before the server and its files are gone.
    process.on("uncaughtException", () => undefined);
    void starting.then((server) => server.stop()).finally(() => process.exit(130));
  };
  // Not once: a Ctrl-C arrives twice, from the terminal and from npm, and the second one would end this before the server.
  process.on("SIGINT", stopAndLeave);
  process.on("SIGTERM", stopAndLeave);
  const server = await starting;
  try {
    const report = await part(server, options);
    const load = `Load average of the machine: ${loadBefore.toFixed(1)} before ${name}, ${(loadavg()[0] ?? 0).toFixed(1)} after.`;
    return { ...report, notes: [...report.notes, load] };
  } finally {
    process.off("SIGINT", stopAndLeave);
    process.off("SIGTERM", stopAndLeave);
    await server.stop();
  }
}

await runScript(async () => {
  const reports: Report[] = [];
  for (const name of names) {
    const part = await parts.get(name)?.();
    if (part !== undefined) {
      const report = await runPart(name, part);
      reports.push(report);
      if (!line.json) {
        process.stdout.write(`${reportText(report)}\n\n`);
      }
    }
  }
  if (line.json) {
    const withMet = reports.map(({ verdicts, ...report }) => ({
      ...report,
      verdicts: verdicts.map((verdict) => ({ ...verdict, met: isMet(verdict) })),
    }));
    process.stdout.write(`${JSON.stringify({ reports: withMet })}\n`);
  }
  return 0;
});
