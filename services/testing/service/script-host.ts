// Runs scripts as an operator calls them, one after another in one process: loading all modules takes a script longer than its work.
import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { z } from "zod";
import { compiledModules } from "#testing/service/service-process.ts";

export type ScriptRun = { readonly code: number; readonly out: string; readonly errors: string };

const ended = z.object({ code: z.number() });

let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Calls `scripts/<script>` with these arguments and this environment alone, and waits for its end. The process is
 * used again for the next call, unless the script ended it. What a script does with signals, its standard input and
 * its own end needs a process of its own.
 */
export async function callScript(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<ScriptRun> {
  const run = last.then(() => runNow(script, args, environment));
  last = run.catch(() => undefined);
  return run;
}

function openHost(): ChildProcess {
  const child = fork(path.join(import.meta.dirname, "script-host-child.ts"), [], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    execArgv: [],
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      NODE_COMPILE_CACHE: compiledModules,
    },
  });
  // It may be open when the tests end, and must not keep them waiting.
  child.unref();
  child.channel?.unref();
  return child;
}

function isOver(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Everything until the mark, or until the end of the stream. */
async function readUntil(stream: ChildProcess["stdout"], mark: string): Promise<string> {
  let text = "";
  const read = Promise.withResolvers<void>();
  const keep = (chunk: string) => {
    text += chunk;
    if (text.endsWith(mark)) {
      read.resolve();
    }
  };
  stream?.setEncoding("utf8").on("data", keep).once("close", read.resolve);
  await read.promise;
  stream?.off("data", keep).off("close", read.resolve);
  return text.endsWith(mark) ? text.slice(0, -mark.length) : text;
}

async function runNow(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<ScriptRun> {
  host = host === undefined || isOver(host) ? openHost() : host;
  const child = host;
  const id = `\n--- ${randomUUID()} ---\n`;
  const stopped = new AbortController();
  const code = Promise.race([
    once(child, "message", stopped).then(([message]) => ended.parse(message).code),
    once(child, "close", stopped).then(([exitCode]) => Number(exitCode ?? -1)),
  ]);
  const output = Promise.all([readUntil(child.stdout, id), readUntil(child.stderr, id)]);
  child.send({
    id,
    file: path.join(import.meta.dirname, "../../../scripts", script),
    arguments: args,
    environment: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...environment },
  });
  try {
    const [out, errors] = await output;
    return { code: await code, out, errors };
  } finally {
    stopped.abort();
  }
}
