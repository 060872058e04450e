// The embedded server survives kills of every kind, a second start, and unreachable folders.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, realpathSync, statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setImmediate } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { connect } from "#db/connect.ts";
import { findRunningEmbedded, startEmbedded } from "#db/embedded.ts";
import type { EmbeddedPostgres } from "#db/embedded.ts";
import { isAlive } from "#db/embedded/home.ts";
import { stopLeftBehind } from "#db/embedded/postmaster.ts";
import { serverProcesses } from "#db/embedded/server-processes.ts";

// Servers wait for the disk.
vi.setConfig({ testTimeout: 240_000 });

const isRoot = process.getuid?.() === 0;
/** One server's data for all tests except those of its initialization, which takes longer than the rest. */
let sharedDataDir: string;
let dataDir: string;
let child: ChildProcess | undefined;
let server: EmbeddedPostgres | undefined;

async function newDataDir(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "ledger-embedded-"));
  // mkdtemp makes private folders, which the server's account could not enter.
  await chmod(parent, 0o755);
  return join(parent, "data-dir");
}

const homeOf = (folder: string): string => {
  const home = join(folder, "postgres");
  return existsSync(home) ? realpathSync(home) : home;
};

async function remove(folder: string): Promise<void> {
  await rm(homeOf(folder), { recursive: true, force: true });
  await rm(join(folder, ".."), { recursive: true, force: true });
}

beforeAll(async () => {
  sharedDataDir = await newDataDir();
});

beforeEach(() => {
  dataDir = sharedDataDir;
});

afterEach(async () => {
  child?.kill("SIGKILL");
  await onceExited();
  await server?.stop();
  await stopLeftBehind(homeOf(dataDir));
  if (dataDir !== sharedDataDir) {
    await remove(dataDir);
  }
  child = undefined;
  server = undefined;
});

afterAll(() => remove(sharedDataDir));

test("after a kill -9 of the process the next start finds everything that was committed", async () => {
  const first = await startChild();
  await query(first.ownerUrl, "create table kept (n int); insert into kept values (7)");
  child?.kill("SIGKILL");
  await onceExited();
  expect(isAlive(first.pid)).toBe(true);

  server = await startEmbedded({ dataDir, durability: "durable", holder: "service" });
  expect(isAlive(first.pid)).toBe(false);
  expect(await query(server.ownerUrl, "select n from kept")).toEqual([{ n: 7 }]);
  const second = server.pid();
  await server.stop();
  expect(isAlive(second)).toBe(false);
});

test("Ctrl-C does not stop the server before requests are finished", async () => {
  const first = await startChild();
  const said = child === undefined ? undefined : nextLine(child);
  // Ctrl-C reaches the whole process group.
  process.kill(-(child?.pid ?? 0), "SIGINT");
  expect(await said).toBe("SIGINT");
  expect(await query(first.ownerUrl, "select 1 as n")).toEqual([{ n: 1 }]);
});

test("a second start on the same data is refused without side effects; scripts find the address", async () => {
  const first = await startChild();
  await expect(
    startEmbedded({ dataDir, durability: "durable", holder: "service" }),
  ).rejects.toThrow(`in use by process ${child?.pid}`);
  expect((await findRunningEmbedded(dataDir))?.ownerUrl).toBe(first.ownerUrl);
  expect(await query(first.ownerUrl, "select 1 as n")).toEqual([{ n: 1 }]);
});

test("a killed postmaster is restarted on the same port", async () => {
  const restarted = Promise.withResolvers<void>();
  server = await startEmbedded({
    dataDir,
    durability: "durable",
    holder: "service",
    report: () => restarted.resolve(),
  });
  const first = server.pid();
  await query(server.ownerUrl, "create table kept_too (n int); insert into kept_too values (7)");
  process.kill(first, "SIGKILL");
  await restarted.promise;
  await expect
    .poll(() => query(server?.ownerUrl ?? "", "select n from kept_too").catch(() => []))
    .toEqual([{ n: 7 }]);
  expect(server.pid()).not.toBe(first);
});

test("a server that recovers from the crash of one of its processes ends soon", async () => {
  server = await startEmbedded({ dataDir, durability: "durable", holder: "service" });
  const postmaster = server.pid();
  const signal = (title: string, kind: NodeJS.Signals) =>
    serverProcesses(postmaster, title).map((pid) => process.kill(pid, kind));
  signal("postgres: checkpointer", "SIGKILL");
  // Otherwise it would be over too soon.
  const stopRecovery = () => signal("postgres: startup", "SIGSTOP");
  await expect.poll(stopRecovery, { interval: 1 }).toEqual([true]);
  const askedAt = performance.now();
  const stopped = server.stop();
  await setImmediate();
  signal("postgres: startup", "SIGCONT");
  await stopped;
  expect(performance.now() - askedAt).toBeLessThan(20_000);
  expect(isAlive(postmaster)).toBe(false);
});

test("passwords are generated, private, and required", async () => {
  server = await startEmbedded({ dataDir, durability: "test", holder: "service" });
  const secrets = join(dataDir, "postgres", "secrets.json");
  expect(statSync(secrets).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(secrets, "utf8"))).toMatchObject({
    app: expect.stringMatching(/^[\w-]{32}$/),
  });
  const withoutPassword = server.appUrl.replace(/:[^:@/]+@/, ":wrong@");
  await expect(query(withoutPassword, "select 1")).rejects.toThrow(/password authentication/);
});

test("an interrupted initialization starts over", async () => {
  dataDir = await newDataDir();
  await mkdir(join(dataDir, "postgres", "data-draft", "base"), { recursive: true });
  server = await startEmbedded({ dataDir, durability: "test", holder: "service" });
  expect(await query(server.ownerUrl, "select 1 as n")).toEqual([{ n: 1 }]);
});

test.runIf(isRoot)(
  "below a private home, root's data is kept where the server's account can reach it",
  async () => {
    const privateHome = join(await newDataDir(), "..", "home");
    await mkdir(privateHome, { mode: 0o700 });
    dataDir = join(privateHome, "checkout", ".data");
    const reports: string[] = [];
    const options = {
      dataDir,
      durability: "durable" as const,
      holder: "service" as const,
      report: (line: string) => reports.push(line),
    };
    server = await startEmbedded(options);
    await query(server.ownerUrl, "create table kept (n int); insert into kept values (7)");
    await server.stop();
    const elsewhere = realpathSync(join(dataDir, "postgres"));
    expect(elsewhere).not.toContain(privateHome);
    expect(reports).toEqual([expect.stringContaining(elsewhere)]);

    server = await startEmbedded(options);
    expect(await query(server.ownerUrl, "select n from kept")).toEqual([{ n: 7 }]);
  },
);

async function startChild(): Promise<{ ownerUrl: string; pid: number }> {
  child = spawn(
    process.execPath,
    [join(import.meta.dirname, "../testing/database/embedded-child.ts"), dataDir],
    { stdio: ["pipe", "pipe", "inherit"], detached: true },
  );
  return z
    .object({ ownerUrl: z.string(), pid: z.number() })
    .parse(JSON.parse(await nextLine(child)));
}

async function nextLine(from: ChildProcess): Promise<string> {
  if (from.stdout === null) {
    throw new Error("The child has no output");
  }
  const lines = createInterface({ input: from.stdout });
  const [line] = await once(lines, "line");
  lines.close();
  return z.string().parse(line);
}

async function onceExited(): Promise<void> {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    await once(child, "exit");
  }
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const sql = connect(url, { applicationName: "test", maxConnections: 1 });
  try {
    return [...(await sql.unsafe(text))];
  } finally {
    await sql.end();
  }
}

test("a server that can make no socket is reached by TCP, and sockets of killed servers are removed", async () => {
  const first = await startChild();
  const isSocket = (name: string) => name.startsWith(".s.PGSQL.");
  const sockets = async () => (await readdir(join(homeOf(dataDir), "data"))).filter(isSocket);
  child?.kill("SIGKILL");
  await onceExited();
  process.kill(first.pid, "SIGKILL");
  await writeFile(join(homeOf(dataDir), "data", ".s.PGSQL.1"), "");
  // The server refuses a path that is too long, as it does on a file system without sockets.
  const settings = [`unix_socket_directories=/tmp/${"a".repeat(120)}`];
  server = await startEmbedded({ dataDir, durability: "test", holder: "service", settings });
  expect(server.appUrl).toContain("@127.0.0.1:");
  await query(server.appUrl, "select 1");
  expect(await sockets()).toEqual([]);
});

test("statements go by the server's socket, and by TCP where its path would be too long", async () => {
  const placeOf = async () => {
    const sql = connect(server?.appUrl ?? "", { applicationName: "place", maxConnections: 1 });
    try {
      const [row] = await sql<{ address: string | null }[]>`select inet_client_addr() as address`;
      return row?.address ?? "socket";
    } finally {
      await sql.end();
    }
  };
  // The folder for tests' files has a long path already.
  const parent = await mkdtemp("/tmp/ledger-");
  await chmod(parent, 0o755);
  dataDir = join(parent, "data");
  server = await startEmbedded({ dataDir, durability: "test", holder: "service" });
  expect(await placeOf()).toBe("socket");
  expect((await findRunningEmbedded(dataDir))?.appUrl).toBe(server.appUrl);
  await server.stop();
  await remove(dataDir);

  dataDir = join(await newDataDir(), "a-folder-with-a-long-name".repeat(3));
  server = await startEmbedded({ dataDir, durability: "test", holder: "service" });
  expect(await placeOf()).toBe("127.0.0.1");
});
