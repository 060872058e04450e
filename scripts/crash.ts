// npm run crash: SIGKILLs of API, worker and PostgreSQL under load, then proof that nothing was lost or doubled.
import { crashRush } from "#testing/rush/crash.ts";
import { readCommandLine, runScript } from "./command-line.ts";

const line = readCommandLine(
  "npm run crash -- [options]",
  "Kills API, worker, rebuilds and PostgreSQL with SIGKILL, at random and at named points, while callers go on and\n" +
    "resend what was not answered with the same keys. Then holds every answer against the log and verifies the books.",
  {
    kills: { type: "string", value: "N", help: "kills (100)" },
    callers: { type: "string", value: "N", help: "callers at once (16)" },
    seed: { type: "string", value: "N", help: "seed (1)" },
  },
);

const option = (name: string, fallback: string) => Number(line.values.get(name)?.[0] ?? fallback);

await runScript(async () => {
  const report = await crashRush({
    kills: option("kills", "100"),
    callers: option("callers", "16"),
    seed: option("seed", "1"),
    onKilled: ({ what, at }, count) => {
      if (!line.json) {
        process.stderr.write(`${String(count).padStart(4)}  ${what}, ${at}\n`);
      }
    },
  });
  if (line.json) {
    process.stdout.write(`${JSON.stringify(report)}\n`);
  } else {
    const byWay = Map.groupBy(report.kills, ({ what, at }) => `${what}, ${at}`);
    for (const [way, kills] of [...byWay].sort(([a], [b]) => (a < b ? -1 : 1))) {
      process.stdout.write(`${String(kills.length).padStart(4)} × ${way}\n`);
    }
    process.stdout.write(
      `${report.kills.length} kills, ${report.answers} answers, ${report.accepted} accepted, positions 1..${report.positions}, ` +
        `${report.broken.length} broken promises\n`,
    );
    for (const sentence of report.broken.slice(0, 20)) {
      process.stdout.write(`  ! ${sentence}\n`);
    }
  }
  return report.broken.length === 0 ? 0 : 1;
});
