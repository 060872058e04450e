// The service's real processes as children, for tests that need several of them or kill them.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export type ServiceProcess = {
  readonly pid: number;
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Its standard output and standard error so far, newest last, at most 100 kB. */
  readonly output: () => string;
  readonly exited: Promise<number | null>;
  readonly hasEnded: () => boolean;
  readonly kill: (signal: NodeJS.Signals) => Promise<void>;
};

export type ServiceProcessOptions = {
  /** A file under services/, for example `api.ts`. */
  readonly entry: string;
  readonly arguments?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly port?: number;
};

/** Kept between runs: with compiled modules, a process starts in half the time. */
export const compiledModules = join(
  import.meta.dirname,
  "../../../node_modules/.cache/consignment-ledger/modules",
);

/** A port that was free a moment ago: the wanted one, or any other if that is taken. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer();
  server.listen(wanted, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    if (wanted === 0) {
      throw error;
    }
    return freePort();
  }
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) {
    throw new Error("The probe for a free port has no address");
  }
  return address.port;
}

function keepOutput(child: ChildProcess): () => string {
  let output = "";
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-100_000);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  return () => output;
}

/** Starts a process of the service; it may not be ready yet. */
export async function startService(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const port = options.port ?? (await freePort());
  const entry = fileURLToPath(new URL(`../../${options.entry}`, import.meta.url));
  const child = spawn(process.execPath, [entry, ...(options.arguments ?? [])], {
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      NODE_COMPILE_CACHE: compiledModules,
      LOG_LEVEL: "warn",
      HOST: "127.0.0.1",
      PORT: String(port),
      ...options.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = keepOutput(child);
  const exited = once(child, "exit").then(([code]) => (typeof code === "number" ? code : null));
  const { pid } = child;
  if (pid === undefined) {
    throw new Error(`${options.entry} could not be started`);
  }
  return {
    pid,
    url: `http://127.0.0.1:${port}`,
    output,
    exited,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async kill(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

/** Waits until the process answers `/readyz` with 200. Throws with its output when it ends or takes too long. */
export async function waitUntilReady(service: ServiceProcess, timeoutMs = 120_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline && !service.hasEnded()) {
    try {
      const answer = await fetch(`${service.url}/readyz`, { signal: AbortSignal.timeout(10_000) });
      await answer.body?.cancel();
      if (answer.status === 200) {
        return;
      }
    } catch (error) {
      // Nothing listens yet, so the connection is refused.
      if (!(error instanceof Error)) {
        throw error;
      }
    }
    await delay(50);
  }
  throw new Error(
    `${service.url} ${service.hasEnded() ? "ended" : "did not become ready"}:\n${service.output()}`,
  );
}

/** Waits until the process has written a text. Throws with its output when it ends or takes too long. */
export async function waitForLine(
  service: ServiceProcess,
  text: string,
  timeoutMs = 120_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!service.output().includes(text)) {
    if (service.hasEnded() || performance.now() > deadline) {
      throw new Error(`${service.url} never wrote ${text}:\n${service.output()}`);
    }
    await delay(20);
  }
}
