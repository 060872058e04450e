// Scripts on a stopped store: a service that starts takes over, and a second script waits for the first.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { stopLeftBehind } from "#db/embedded/postmaster.ts";
import { compiledModules, startService, waitUntilReady } from "#testing/service/service-process.ts";
import type { ServiceProcess } from "#testing/service/service-process.ts";
import { STORE_TAKEN_OVER } from "./books.ts";

vi.setConfig({ testTimeout: 240_000 });

type Script = {
  readonly child: ChildProcess;
  /** Its first line on standard output, parsed. */
  readonly opened: Promise<unknown>;
  readonly errors: () => string;
  readonly exited: Promise<number | NodeJS.Signals>;
};

let dataDir: string;
let scripts: Script[];
let service: ServiceProcess | undefined;

// One store for all tests: making one takes longer than opening it.
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "ledger-books-"));
  // PostgreSQL's own account needs to pass through it.
  await chmod(dataDir, 0o711);
});

beforeEach(() => {
  scripts = [];
  service = undefined;
});

afterEach(async () => {
  for (const { child } of scripts) {
    child.kill("SIGKILL");
  }
  await Promise.all(scripts.map(({ exited }) => exited));
  await service?.kill("SIGKILL");
  await stopLeftBehind(join(dataDir, "postgres"));
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Runs `books-child.ts`, which keeps the store open until `child.stdin` ends. */
function call(file: string, ...args: readonly string[]): Script {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      NODE_COMPILE_CACHE: compiledModules,
      DATA_DIR: dataDir,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const script: Script = {
    child,
    opened: once(createInterface({ input: child.stdout }), "line").then(([line]) =>
      JSON.parse(String(line)),
    ),
    errors: () => errors,
    exited: once(child, "close").then(([code, signal]) => code ?? signal),
  };
  script.opened.catch(() => undefined);
  scripts.push(script);
  return script;
}

const longScript = () => call("../services/testing/service/books-child.ts");

async function startStore(): Promise<ServiceProcess> {
  service = await startService({ entry: "start.ts", environment: { DATA_DIR: dataDir } });
  await waitUntilReady(service);
  return service;
}

test("npm start takes the store over from a script, which ends at once and says so", async () => {
  const script = longScript();
  expect(await script.opened).toMatchObject({ startedHere: true });
  const store = await startStore();
  expect(await script.exited).toBe(STORE_TAKEN_OVER);
  expect(script.errors()).toContain("A service is starting on this store");
  expect(store.output()).toContain(`A script (process ${script.child.pid}) has the store open`);
  const again = longScript();
  expect(await again.opened).toMatchObject({ startedHere: false });
  again.child.stdin?.end();
  expect(await again.exited).toBe(0);
  await store.kill("SIGTERM");
  expect(await store.exited).toBe(0);
});

test("npm start takes over from a script that was killed or no longer responds", async () => {
  const killed = longScript();
  await killed.opened;
  killed.child.kill("SIGKILL");
  await killed.exited;
  await (await startStore()).kill("SIGTERM");

  const deaf = longScript();
  await deaf.opened;
  deaf.child.kill("SIGSTOP");
  await startStore();
  expect(await deaf.exited).toBe("SIGKILL");
});

test("a second script on a stopped store says that it waits for the first, and then does its work", async () => {
  const first = longScript();
  await first.opened;
  const second = call("status.ts", "--json");
  const waiting = `Another script (process ${first.child.pid}) is using the store; waiting`;
  await expect.poll(second.errors).toContain(waiting);
  expect(second.child.exitCode).toBeNull();
  first.child.stdin?.end();
  expect(await first.exited).toBe(0);
  expect(await second.opened).toMatchObject({ head: { position: 0 } });
  expect(await second.exited).toBe(0);
});

test("scripts that start at the same moment on a stopped store all do their work, one after another", async () => {
  const maker = longScript();
  await maker.opened;
  maker.child.stdin?.end();
  await maker.exited;
  const together = [longScript(), longScript(), longScript()];
  for (const { child } of together) {
    child.stdin?.end();
  }
  expect(await Promise.all(together.map(({ exited }) => exited))).toEqual([0, 0, 0]);
  expect(await Promise.all(together.map(({ opened }) => opened))).toEqual(
    Array.from({ length: 3 }, () => ({ startedHere: true, events: 0 })),
  );
});
