// npm run bench: measures the ledger against its targets and against other ways, as ratios from one run on one server.
import type { PartOptions, Report } from "./bench/report.ts";
import { isMet, reportText } from "./bench/report.ts";
import type { BenchServer } from "./bench/server.ts";
import { startBenchServer } from "./bench/server.ts";
import { endWithUsage, readCommandLine, runScript } from "./command-line.ts";

type Part = (server: BenchServer, options: PartOptions) => Promise<Report>;

// Loaded when asked for: some parts bring large packages.
const parts: ReadonlyMap<string, () => Promise<Part>> = new Map<string, () => Promise<Part>>([
  ["append", async () => (await import("./bench/append.ts")).benchAppend],
]);

function positive(values: ReadonlyMap<string, readonly string[]>, name: string, fallback: number) {
  const [text] = values.get(name) ?? [];
  const value = text === undefined ? fallback : Number(text);
  return value > 0 ? value : endWithUsage(`--${name} takes a number above 0`);
}

const line = readCommandLine(
  "npm run bench -- [part …] [options]",
  `Measures on an embedded PostgreSQL of its own, with fsync on, and removes it afterwards. Parts: ${[...parts.keys()].join(", ")};\n` +
    "all of them where none is named. Absolute numbers belong to this machine; ratios come from one run. Ends with 0\n" +
    "also where a target is missed: a benchmark gates nothing.",
  {
    seconds: { type: "string", value: "N", help: "seconds of each measured run; 3 unless said" },
    rounds: { type: "string", value: "N", help: "rounds whose medians are printed; 3 unless said" },
  },
);
const names = line.positionals.length === 0 ? [...parts.keys()] : line.positionals;
const unknown = names.find((name) => !parts.has(name));
if (unknown !== undefined) {
  endWithUsage(`No part ${unknown}; there are ${[...parts.keys()].join(", ")}`);
}
const options: PartOptions = {
  seconds: positive(line.values, "seconds", 3),
  rounds: positive(line.values, "rounds", 3),
  progress: (text) => {
    if (!line.json) {
      process.stderr.write(`${text}\n`);
    }
  },
};

await runScript(async () => {
  const reports: Report[] = [];
  for (const name of names) {
    const part = await parts.get(name)?.();
    if (part === undefined) {
      continue;
    }
    // A server each, so that no part measures what another left behind.
    const server = await startBenchServer();
    try {
      const report = await part(server, options);
      reports.push(report);
      if (!line.json) {
        process.stdout.write(`${reportText(report)}\n\n`);
      }
    } finally {
      await server.stop();
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
