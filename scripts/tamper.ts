// npm run tamper: changes a store behind the ledger's back in every known way, and shows that the proof finds each.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmbedded } from "#db/embedded.ts";
import {
  endWithUsage,
  progressBar,
  readCommandLine,
  refusePositionals,
  runScript,
} from "./command-line.ts";
import type { Change } from "./tamper/change.ts";
import { changes } from "./tamper/changes.ts";
import type { Ground } from "./tamper/ground.ts";
import { factsOf, makeStore, tryChange, tryUntouched } from "./tamper/ground.ts";
import type { Finding, Verdict } from "./tamper/judge.ts";

type Tried = { readonly change: string; readonly verdict: Verdict };

const line = readCommandLine(
  "npm run tamper -- [options]",
  "Makes a small store on a PostgreSQL of its own, and for each change a copy of it in which a superuser makes only\n" +
    "that change. Then runs the proof of `npm run verify` and checks that it names the position or the key. The\n" +
    "untouched store must prove right. Exits with 1 if anything is missed.",
  {
    only: { type: "string", value: "TEXT", help: "only changes whose name contains this text" },
  },
);
refusePositionals(line);
const wanted = changes.filter(({ name }) => name.includes(line.values.get("only")?.[0] ?? ""));
if (wanted.length === 0) {
  endWithUsage("No change has a name like that");
}

async function tryAll(ground: Ground): Promise<{ untouched: readonly Finding[]; tried: Tried[] }> {
  const facts = await factsOf(ground);
  const progress = progressBar(line.json);
  const untouched = await tryUntouched(ground);
  const tried: Tried[] = [];
  for (const change of wanted) {
    progress.update("changes", tried.length, wanted.length);
    tried.push({ change: change.name, verdict: await tryOne(ground, facts, change) });
  }
  progress.update("changes", tried.length, wanted.length);
  progress.end();
  return { untouched, tried };
}

/** A change that could not be made counts as missed. */
async function tryOne(
  ground: Ground,
  facts: Awaited<ReturnType<typeof factsOf>>,
  change: Change,
): Promise<Verdict> {
  try {
    return await tryChange(ground, facts, change);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "missed", why: `it could not be made: ${why}` };
  }
}

const WORDS = 100;
const shortened = (text: string) => (text.length > WORDS ? `${text.slice(0, WORDS)}…` : text);

function print(untouched: readonly Finding[], tried: readonly Tried[]): void {
  const width = Math.max(...tried.map(({ change }) => change.length)) + 2;
  const row = (...cells: readonly [string, string, string, string]) => {
    const [change, check, at, message] = cells;
    process.stdout.write(
      `${change.padEnd(width)}${check.padEnd(12)}${at.padEnd(6)}${shortened(message)}\n`,
    );
  };
  row("change", "found as", "at", "in these words");
  for (const { change, verdict } of tried) {
    if (verdict.kind === "found") {
      const { check, position, message } = verdict.finding;
      row(change, check, position === 0 ? "" : String(position), message);
    } else {
      row(change, "MISSED", "", verdict.why);
    }
  }
  for (const { check, message } of untouched) {
    row("(none)", "WRONGLY", "", `${check}: ${message}`);
  }
  const found = tried.filter(({ verdict }) => verdict.kind === "found").length;
  process.stdout.write(
    `\n${found} of ${tried.length} changes found; the untouched store ` +
      `${untouched.length === 0 ? "proves right" : "does NOT prove right"}\n`,
  );
}

await runScript(async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "tamper-"));
  // The database server's account needs access.
  await chmod(dataDir, 0o711);
  try {
    await makeStore({ DATA_DIR: dataDir });
    const server = await startEmbedded({ dataDir, durability: "test", holder: "script" });
    try {
      const { superuserUrl, appUrl } = server;
      const ground = { superuserUrl, appUrl, database: "ledger", dataDir };
      const { untouched, tried } = await tryAll(ground);
      if (line.json) {
        process.stdout.write(`${JSON.stringify({ untouched, tried })}\n`);
      } else {
        print(untouched, tried);
      }
      const missed = tried.some(({ verdict }) => verdict.kind === "missed");
      return missed || untouched.length > 0 ? 1 : 0;
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
