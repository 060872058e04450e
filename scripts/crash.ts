// npm run crash: SIGKILLs of API, worker and PostgreSQL under load, then proof that nothing was lost or doubled.
import type { RushVerdict } from "#testing/rush/books.ts";
import type { Aftermath } from "#testing/rush/crash.ts";
import { crashRush } from "#testing/rush/crash.ts";
import type { CommandLine } from "./command-line.ts";
import { endWithUsage, readCommandLine, refusePositionals, runScript } from "./command-line.ts";

const SHOWN = 20;

function numberOf(line: CommandLine, name: string, fallback: number): number {
  const given = line.values.get(name)?.[0];
  const value = given === undefined ? fallback : Number(given);
  return Number.isInteger(value) && value >= 1
    ? value
    : endWithUsage(`--${name} takes a whole number from 1`);
}

function print({ kills, answers }: Aftermath, { positions, broken }: RushVerdict): void {
  const byWay = Map.groupBy(kills, ({ what, at }) => `${what}, ${at}`);
  for (const [way, same] of [...byWay].sort(([a], [b]) => (a < b ? -1 : 1))) {
    process.stdout.write(`${String(same.length).padStart(4)} × ${way}\n`);
  }
  const accepted = answers.filter((answer) => answer.code === null).length;
  process.stdout.write(
    `${kills.length} kills, ${answers.length} answers, ${accepted} accepted, positions 1..${positions}, ` +
      `${broken.length} broken promises\n`,
  );
  for (const sentence of broken.slice(0, SHOWN)) {
    process.stdout.write(`  ! ${sentence}\n`);
  }
}

const line = readCommandLine(
  "npm run crash -- [options]",
  "Kills API, worker, rebuilds and PostgreSQL with SIGKILL, at random and at named points, while callers keep sending\n" +
    "and repeat unanswered requests with the same keys. Then checks every answer against the log and verifies the\n" +
    "books. Exits with 1 if a promise was broken.",
  {
    kills: { type: "string", value: "N", help: "kills (100)" },
    callers: { type: "string", value: "N", help: "callers at once (16)" },
    seed: { type: "string", value: "N", help: "seed (1)" },
  },
);
refusePositionals(line);
const options = {
  kills: numberOf(line, "kills", 100),
  callers: numberOf(line, "callers", 16),
  seed: numberOf(line, "seed", 1),
};

await runScript(async () => {
  const aftermath = await crashRush({
    ...options,
    onKilled: ({ what, at }, count) => {
      if (!line.json) {
        process.stderr.write(`${String(count).padStart(4)}  ${what}, ${at}\n`);
      }
    },
  });
  try {
    const verdict = await aftermath.judge();
    if (line.json) {
      const { kills, answers } = aftermath;
      process.stdout.write(`${JSON.stringify({ kills, answers: answers.length, ...verdict })}\n`);
    } else {
      print(aftermath, verdict);
    }
    return verdict.broken.length === 0 ? 0 : 1;
  } finally {
    await aftermath.close();
  }
});
