// Backends of background work give way; others keep their priority.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { getPriority } from "node:os";
import { expect, test } from "vitest";
import { connect } from "#db/connect.ts";
import { givingWay, vacuumsGivingWay } from "#db/give-way.ts";
import { testDatabase } from "#testing/database/test-database.ts";

test("backends of background work give way, and others do not", async () => {
  await using parts = new AsyncDisposableStack();
  const database = await testDatabase();
  parts.defer(database.close);
  const pidOf = async (applicationName: string) => {
    const sql = connect(database.appUrl, { applicationName, maxConnections: 1 });
    parts.defer(() => sql.end({ timeout: 5 }));
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    return { sql, pid: row?.pid ?? 0 };
  };
  const shop = await pidOf("give-way-shop");
  const slow = await pidOf("give-way-slow");
  const before = getPriority(shop.pid);
  await givingWay(shop.sql, "give-way-slow")();
  expect(getPriority(slow.pid)).toBe(19);
  expect(getPriority(shop.pid)).toBe(before);
});

test.runIf(existsSync("/proc/self/autogroup"))(
  "where the system shares the processor between sessions first, the backend's session gives way",
  async () => {
    await using parts = new AsyncDisposableStack();
    const database = await testDatabase();
    parts.defer(database.close);
    const sql = connect(database.appUrl, {
      applicationName: "give-way-session",
      maxConnections: 1,
    });
    parts.defer(() => sql.end({ timeout: 5 }));
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const own = await readFile("/proc/self/autogroup", "utf8");
    await givingWay(sql, "give-way-session")();
    expect(await readFile(`/proc/${row?.pid ?? 0}/autogroup`, "utf8")).toMatch(/ nice 19$/mu);
    expect(await readFile("/proc/self/autogroup", "utf8")).toBe(own);
  },
);

test.runIf(existsSync("/proc/self/task"))(
  "vacuums that the server starts by itself give way, and nothing else of it",
  async () => {
    await using parts = new AsyncDisposableStack();
    // Stands for a server with one vacuum and one backend: when PostgreSQL vacuums is its own decision.
    const child = (title: string) =>
      `require("node:child_process").spawn("sleep", ["60"], { argv0: ${JSON.stringify(title)} }).pid`;
    const server = spawn(
      process.execPath,
      [
        "-e",
        `console.log(${child("postgres: autovacuum worker ledger")}, ${child("postgres: ledger_app ledger")}); setInterval(() => {}, 1000)`,
      ],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    parts.defer(() => void server.kill("SIGKILL"));
    const [line]: unknown[] = await once(server.stdout, "data");
    const [vacuum = 0, backend = 0] = String(line).trim().split(" ").map(Number);
    parts.defer(() => [vacuum, backend].forEach((pid) => process.kill(pid, "SIGKILL")));
    const before = getPriority(backend);
    vacuumsGivingWay(() => server.pid ?? 0)();
    expect(getPriority(vacuum)).toBe(19);
    expect(getPriority(backend)).toBe(before);
    expect(() => vacuumsGivingWay(() => 2 ** 22 + 1)()).not.toThrow();
  },
);

const hasChrt = spawnSync("chrt", ["--version"]).status === 0;

test.runIf(hasChrt && existsSync("/proc/self/stat"))(
  "a core that only does background work counts as free",
  async () => {
    await using parts = new AsyncDisposableStack();
    const database = await testDatabase();
    parts.defer(database.close);
    const sql = connect(database.appUrl, { applicationName: "give-way-idle", maxConnections: 1 });
    parts.defer(() => sql.end({ timeout: 5 }));
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const policyOf = async (pid: number) => {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8");
      return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[38];
    };
    const giveWay = givingWay(sql, "give-way-idle");
    await giveWay();
    // SCHED_IDLE, and what every other process has.
    await expect.poll(() => policyOf(row?.pid ?? 0)).toBe("5");
    expect(await policyOf(process.pid)).toBe("0");
  },
);

test("a statement of background work uses one core, and sorts in little memory", async () => {
  await using parts = new AsyncDisposableStack();
  const database = await testDatabase();
  parts.defer(database.close);
  const sql = connect(database.appUrl, { applicationName: "one-core", isInBackground: true });
  parts.defer(() => sql.end({ timeout: 5 }));
  const settings = await sql`
    select current_setting('max_parallel_workers_per_gather') as reads,
      current_setting('max_parallel_maintenance_workers') as indexes,
      current_setting('maintenance_work_mem') as memory`;
  expect(settings).toEqual([{ reads: "0", indexes: "0", memory: "8MB" }]);
});

test("where the database cannot be asked, the work goes on as it was", async () => {
  const sql = connect("postgres://nobody@127.0.0.1:1/none", {
    applicationName: "give-way",
    maxConnections: 1,
  });
  await expect(givingWay(sql, "anything")()).resolves.toBeUndefined();
  await sql.end({ timeout: 1 });
});
