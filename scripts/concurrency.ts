// npm run concurrency: two API processes, 64 callers, three seeds, and every answer checked against the log.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "#db/connect.ts";
import { startEmbedded } from "#db/embedded.ts";
import { judgeBooks } from "#testing/rush/books.ts";
import { makeGround, makePeople } from "#testing/rush/ground.ts";
import { runRush } from "#testing/rush/run.ts";
import { openShop } from "#testing/rush/shop.ts";
import {
  endWithUsage,
  progressBar,
  readCommandLine,
  refusePositionals,
  runScript,
} from "./command-line.ts";

type SeedReport = {
  readonly seed: number;
  readonly answers: number;
  readonly accepted: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly positions: number;
  readonly seconds: number;
  readonly broken: readonly string[];
};

const line = readCommandLine(
  "npm run concurrency -- [options]",
  "Starts two API processes and a worker on a PostgreSQL of its own (fsync on) and lets callers sell the last units\n" +
    "of the same items, request payouts on the same accounts, correct and refund the same sales, and answer, ship and\n" +
    "cancel the same trades. Then checks every answer against the log: each accepted command is there exactly once,\n" +
    "each refusal was right at its position, there is no gap, nothing was oversold, and no trade holds too much. Exits with 1 if a promise was broken.",
  {
    commands: { type: "string", value: "N", help: "commands per seed (20000)" },
    callers: { type: "string", value: "N", help: "callers at once (64)" },
    seeds: { type: "string", value: "LIST", help: "seeds (1,2,3)" },
  },
);

refusePositionals(line);

function numbersOf(name: string, fallback: string): number[] {
  const numbers = (line.values.get(name)?.[0] ?? fallback).split(",").map(Number);
  return numbers.every((number) => Number.isInteger(number) && number >= 1)
    ? numbers
    : endWithUsage(`--${name} takes whole numbers from 1`);
}

const [commands = 1] = numbersOf("commands", "20000");
const [callers = 1] = numbersOf("callers", "64");
const seeds = numbersOf("seeds", "1,2,3");

async function runSeed(seed: number): Promise<SeedReport> {
  const folder = await mkdtemp(path.join(tmpdir(), "concurrency-"));
  const server = await startEmbedded({ dataDir: folder, durability: "durable", holder: "service" });
  const shop = await openShop(server);
  const sql = connect(server.appUrl, { applicationName: "judge", maxConnections: 4 });
  const progress = progressBar(line.json);
  try {
    const people = await makePeople(sql, 8);
    const [first] = shop.apis;
    const ground = await makeGround(first?.url ?? "", people, 4, 25);
    const startedAt = performance.now();
    const answers = await runRush({
      urls: shop.apis.map((api) => api.url),
      people,
      ground,
      commands,
      callers,
      seed,
      onAnswered: (done) => progress.update(`seed ${seed}`, done, commands),
    });
    const seconds = (performance.now() - startedAt) / 1000;
    progress.end();
    const { positions, broken } = await judgeBooks(sql, answers);
    const refused: Record<string, number> = {};
    for (const { code } of answers) {
      if (code !== null) {
        refused[code] = (refused[code] ?? 0) + 1;
      }
    }
    return {
      seed,
      answers: answers.length,
      accepted: answers.filter((answer) => answer.code === null).length,
      refused,
      positions,
      seconds: Math.round(seconds * 10) / 10,
      broken,
    };
  } finally {
    await sql.end({ timeout: 5 });
    await shop.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function print(report: SeedReport): void {
  const refused = Object.entries(report.refused)
    .map(([code, count]) => `${code} ${count}`)
    .join(", ");
  process.stdout.write(
    `seed ${report.seed}: ${report.answers} answers in ${report.seconds} s (${Math.round(report.answers / report.seconds)} a second), ` +
      `${report.accepted} accepted, refused: ${refused}; positions 1..${report.positions}; ` +
      `${report.broken.length} broken promises\n`,
  );
  for (const sentence of report.broken.slice(0, 20)) {
    process.stdout.write(`  ! ${sentence}\n`);
  }
}

await runScript(async () => {
  const reports: SeedReport[] = [];
  for (const seed of seeds) {
    const report = await runSeed(seed);
    reports.push(report);
    if (!line.json) {
      print(report);
    }
  }
  if (line.json) {
    process.stdout.write(`${JSON.stringify({ reports })}\n`);
  }
  return reports.every((report) => report.broken.length === 0) ? 0 : 1;
});
