// The whole store as one process: it starts, serves, survives a kill, and shuts down in order.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { readHolder } from "#db/embedded/home.ts";
import { stopLeftBehind } from "#db/embedded/postmaster.ts";
import { readableDatabase } from "#testing/database/readable-database.ts";
import { compiledModules } from "#testing/service/service-process.ts";

vi.setConfig({ testTimeout: 240_000 });

let dataDir: string;
let child: ChildProcess | undefined;
let errors = "";

// One store for all tests: making one takes longer than starting it.
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "ledger-start-"));
  await chmod(dataDir, 0o711);
});

afterEach(async () => {
  child?.kill("SIGKILL");
  await exitCode();
  child = undefined;
  await stopLeftBehind(join(dataDir, "postgres"));
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Ready, but with a warning about the space, and with the free bytes in the metrics. */
async function expectWarning(url: string): Promise<void> {
  const ready = await fetch(`${url}/readyz`);
  expect(ready.status).toBe(200);
  expect(await ready.json()).toMatchObject({
    status: "ready",
    conditions: [
      { name: "process", state: "ok" },
      { name: "database", state: "ok" },
      { name: "storage", state: "warning", message: expect.stringContaining("Little space") },
      { name: "read tables", state: "ok" },
      { name: "worker" },
      { name: "published heads", state: "ok" },
      { name: "time zone", state: "ok" },
    ],
  });
  const metrics = await (await fetch(`${url}/metrics`)).text();
  for (const folder of ["database", "write-ahead log", "data folder"]) {
    expect(metrics).toMatch(
      new RegExp(`ledger_storage_free_bytes\\{folder="${folder}"\\} \\d{6,}`),
    );
  }
}

test("npm start serves, says how to become admin, and ends cleanly on SIGTERM", async () => {
  const { url, setupLink } = await start();
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(`${url}/api/openapi.json`)).status).toBe(200);
  expect((await fetch(`${url}/metrics`)).status).toBe(200);
  expect(setupLink).toMatch(/\/login#setup=[\w-]{43}$/);
  child?.kill("SIGTERM");
  expect(await exitCode()).toBe(0);
  expect(errors).toBe("");
  expect(readHolder(join(dataDir, "postgres"))).toBeNull();
  expect(await stopLeftBehind(join(dataDir, "postgres"))).toBe(false);
});

test("npm start stays ready with little free space and says so; after a kill -9 the next one serves again, and a second one at the same time is refused", async () => {
  await expectWarning((await start({ STORAGE_WARNING_MB: "1000000000" })).url);
  child?.kill("SIGKILL");
  await exitCode();
  const { url } = await start();
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const first = child;
  child = undefined;
  run();
  expect(await exitCode()).toBe(1);
  expect(errors).toContain(`is in use by process ${first?.pid}`);
  child = first;
});

test("API and worker run as separate processes on a configured database", async () => {
  const database = await readableDatabase();
  try {
    const urls = { DATABASE_URL: database.appUrl, LOG_LEVEL: "info" };
    run({ ...urls, DATABASE_OWNER_URL: database.ownerUrl }, "api.ts");
    const { url } = await lineWith(z.object({ url: z.string() }));
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const api = child;
    run(urls, "worker.ts");
    await lineWith(z.object({ msg: z.literal("working") }));
    child?.kill("SIGTERM");
    expect(await exitCode()).toBe(0);
    child = api;
    child?.kill("SIGTERM");
    expect(await exitCode()).toBe(0);
    expect(errors).toBe("");
  } finally {
    await database.close();
  }
});

test("a start on tables of an older version says how long they take, before it serves", async () => {
  const database = await readableDatabase();
  try {
    await database.ownerSql`
      update read.projections set version = version - 1 where name in ('balances', 'sales')`;
    run({ DATABASE_URL: database.appUrl, LOG_LEVEL: "info" }, "api.ts");
    const lines: string[] = [];
    for await (const line of linesOf(child)) {
      lines.push(z.object({ msg: z.string() }).parse(JSON.parse(line)).msg);
      if (line.includes('"url"')) {
        break;
      }
    }
    const builds = lines.filter((line) => line.includes("built again"));
    const which = (name: string, place: string) =>
      `the read tables of ${name} \\(version \\d+, ${place}\\)`;
    const until = "; this process serves nothing until then";
    expect(builds).toEqual([
      expect.stringMatching(
        `${which("balances", "1 of 2")} are built again from .* events${until}`,
      ),
      expect.stringMatching(
        `${which("balances", "1 of 2")} were built again in .* s and are shown`,
      ),
      expect.stringMatching(`${which("sales", "2 of 2")} are built again from .* events${until}`),
      expect.stringMatching(`${which("sales", "2 of 2")} were built again in .* s and are shown`),
    ]);
    expect(lines.indexOf(builds.at(-1) ?? "")).toBeLessThan(lines.length - 1);
  } finally {
    await database.close();
  }
});

test("start:api says how to become admin, with the public address, as long as there is no admin", async () => {
  const database = await readableDatabase();
  try {
    const environment = { DATABASE_URL: database.appUrl, PUBLIC_URL: "https://store.example" };
    const first = await setupLinkOf(environment);
    expect(first).toMatch(/^https:\/\/store\.example\/login#setup=[\w-]{43}$/);
    const second = await setupLinkOf(environment);
    const [kept] = await database.sql<{ token_hash: Buffer }[]>`
      select token_hash from identity.setup_link`;
    // Only the link of the process that started last is valid.
    expect(kept?.token_hash).toEqual(hashOfLink(second));
    expect(kept?.token_hash).not.toEqual(hashOfLink(first));
  } finally {
    await database.close();
  }
});

test("a wrong environment gives one message and no start", async () => {
  run({ PORT: "http", LOG_LEVEL: "loud" });
  expect(await exitCode()).toBe(1);
  expect(errors).toContain("PORT: ");
  expect(errors).toContain("LOG_LEVEL: ");
  run({ DATABASE_URL: "postgres://app:password@localhost:1/ledger" });
  expect(await exitCode()).toBe(1);
  expect(errors).toMatch(/^PostgreSQL cannot be reached at \S+:1 \(ECONNREFUSED\)/);
});

test.each(["start.ts", "api.ts", "worker.ts"])("%s --help says what it does", async (script) => {
  run({}, script, "--help");
  const [line] = await once(linesOf(child), "line");
  expect(line).toMatch(/^Usage: npm /);
  expect(await exitCode()).toBe(0);
});

test.each(["api.ts", "worker.ts"])("%s alone needs a configured database", async (script) => {
  run({}, script);
  expect(await exitCode()).toBe(1);
  expect(errors).toContain("DATABASE_URL: ");
});

function run(environment: Record<string, string> = {}, script = "start.ts", ...args: string[]) {
  errors = "";
  child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: compiledModules,
      DATA_DIR: dataDir,
      PORT: "0",
      LOG_LEVEL: "warn",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
}

/** Starts an API process, reads the link that it prints, and ends it. */
async function setupLinkOf(environment: Record<string, string>): Promise<string> {
  run(environment, "api.ts");
  let link: string | undefined;
  for await (const line of linesOf(child)) {
    link = /open (\S+)$/.exec(line)?.[1];
    if (link !== undefined) {
      break;
    }
  }
  child?.kill("SIGTERM");
  expect(await exitCode()).toBe(0);
  return link ?? "none was printed";
}

function hashOfLink(link: string): Buffer {
  const token = link.slice(link.indexOf("=") + 1);
  return createHash("sha256").update(token).digest();
}

async function start(
  environment: Record<string, string> = {},
): Promise<{ url: string; setupLink: string }> {
  run(environment);
  let url = "";
  for await (const line of linesOf(child)) {
    url = /is at (\S+)$/.exec(line)?.[1] ?? url;
    const setupLink = /open (\S+)$/.exec(line)?.[1];
    if (setupLink !== undefined) {
      return { url, setupLink };
    }
  }
  throw new Error(`It ended before it served: ${errors}`);
}

function linesOf(process: ChildProcess | undefined) {
  if (process?.stdout == null) {
    throw new Error("Nothing runs");
  }
  return createInterface({ input: process.stdout });
}

/** The child's first log line of this shape. */
async function lineWith<Shape>(schema: z.ZodType<Shape>): Promise<Shape> {
  for await (const line of linesOf(child)) {
    const parsed = schema.safeParse(JSON.parse(line));
    if (parsed.success) {
      return parsed.data;
    }
  }
  throw new Error(`It ended before it said so: ${errors}`);
}

async function exitCode(): Promise<number | null> {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    await once(child, "close");
  }
  return child?.exitCode ?? null;
}
