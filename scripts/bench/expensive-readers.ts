// People who ask for expensive reads one after the other, in a process of their own, until its input ends. Reports as JSON.
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { spawn } from "node:child_process";
import { once } from "node:events";

export type ExpensiveAsk = { readonly name: string; readonly path: string };

/** Its argument. Each person asks for everything in turn, starting at a different place. */
export type ExpensiveReadersInput = {
  readonly url: string;
  readonly tokens: readonly string[];
  readonly asks: readonly ExpensiveAsk[];
};

/** What it writes to standard output, in the order of `asks`. */
export type ExpensiveReadersReport = readonly {
  readonly name: string;
  /** Milliseconds until each answer was read to its end. */
  readonly answeredMs: readonly number[];
  readonly limited: number;
  /** 503: too many others wait for a PDF. */
  readonly turnedAway: number;
  readonly bytes: number;
}[];

/** Nobody asks again sooner than this after a refusal. */
const AFTER_REFUSAL_MS = 100;

type Tally = {
  name: string;
  answeredMs: number[];
  limited: number;
  turnedAway: number;
  bytes: number;
};

async function ask(url: string, token: string, signal: AbortSignal, tally: Tally): Promise<void> {
  const startedAt = performance.now();
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` }, signal });
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.byteLength;
  }
  switch (answer.status) {
    case 200: {
      tally.answeredMs.push(performance.now() - startedAt);
      tally.bytes += bytes;
      return;
    }
    case 429:
    case 503: {
      tally[answer.status === 429 ? "limited" : "turnedAway"] += 1;
      await delay(AFTER_REFUSAL_MS);
      return;
    }
    default:
      throw new Error(`${tally.name} was answered with ${answer.status}`);
  }
}

async function run(
  input: ExpensiveReadersInput,
  over: AbortSignal,
): Promise<ExpensiveReadersReport> {
  const { url, tokens, asks } = input;
  const tallies = asks.map(({ name, path }) => ({
    path,
    tally: { name, answeredMs: [], limited: 0, turnedAway: 0, bytes: 0 } satisfies Tally as Tally,
  }));
  await Promise.all(
    tokens.map(async (token, person) => {
      for (let index = person; !over.aborted; index += 1) {
        const next = tallies[index % tallies.length];
        if (next !== undefined) {
          await ask(url + next.path, token, over, next.tally).catch((error: unknown) => {
            if (!over.aborted) {
              throw error;
            }
          });
        }
      }
    }),
  );
  return tallies.map(({ tally }) => tally);
}

/** Starts them in a process of their own; `end` lets them stop and returns what they got. */
export function startExpensiveReaders(input: ExpensiveReadersInput): {
  readonly end: () => Promise<ExpensiveReadersReport>;
  /** Does nothing once they have ended. */
  readonly kill: () => void;
} {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), JSON.stringify(input)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const output = Promise.all([text(child.stdout), once(child, "exit")]);
  output.catch(() => undefined);
  return {
    kill: () => void child.kill(),
    async end() {
      child.stdin.end();
      const [report, [code]] = await output;
      if (code !== 0) {
        throw new Error(`The readers ended with ${String(code)}`);
      }
      // This file writes it.
      return JSON.parse(report) as ExpensiveReadersReport;
    },
  };
}

if (import.meta.main) {
  const over = new AbortController();
  process.stdin.on("end", () => over.abort()).resume();
  // Written by `startExpensiveReaders`.
  const input = JSON.parse(process.argv[2] ?? "") as ExpensiveReadersInput;
  process.stdout.write(JSON.stringify(await run(input, over.signal)));
}
