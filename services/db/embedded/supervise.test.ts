// A PostgreSQL that dies or is told to end is started again, on a full disk when there is space, and stops on request.
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connect } from "#db/connect.ts";
import { isAlive, makeHome } from "#db/embedded/home.ts";
import { dataFolderOf, initialise, startPostmaster, stopProcess } from "#db/embedded/postmaster.ts";
import type { Cluster } from "#db/embedded/postmaster.ts";
import { serverAccountFor } from "#db/embedded/server-account.ts";
import { findSoftware } from "#db/embedded/software.ts";
import { supervise } from "#db/embedded/supervise.ts";
import type { Supervisor } from "#db/embedded/supervise.ts";

// Each test initializes its own server, which waits for the disk.
vi.setConfig({ testTimeout: 240_000 });

let parent: string;
let isFull: string;
let cluster: Cluster;
let supervisor: Supervisor;
let port: number;
let reports: string[];
let reported: PromiseWithResolvers<void>;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "ledger-supervise-"));
  await chmod(parent, 0o755);
  isFull = join(parent, "is-full");
  reports = [];
  reported = Promise.withResolvers();
  const account = serverAccountFor(dataFolderOf(parent));
  const home = await makeHome(parent, account, () => undefined);
  const { initdb, postgres } = await findSoftware(home, account);
  const standIn = join(parent, "postgres-on-a-disk");
  // Ends like PostgreSQL on a full disk, as long as a file says that the disk is full.
  await writeFile(
    standIn,
    `#!/bin/sh
if [ -e '${isFull}' ]; then
  echo 'FATAL:  could not create lock file "postmaster.pid": No space left on device' >&2
  exit 1
fi
exec '${postgres}' "$@"
`,
  );
  await chmod(standIn, 0o755);
  cluster = { home, software: { initdb, postgres: standIn }, account, settings: ["fsync=off"] };
  await initialise(cluster, "some-password");
  const first = await startPostmaster(cluster);
  ({ port } = first);
  supervisor = supervise(cluster, first, (line) => {
    reports.push(line);
    if (reports.length === 2) {
      reported.resolve();
    }
  });
});

afterEach(async () => {
  await supervisor.stop();
  await rm(parent, { recursive: true, force: true });
});

async function dieOnFullDisk(): Promise<void> {
  await writeFile(isFull, "");
  process.kill(supervisor.pid(), "SIGKILL");
  await reported.promise;
}

async function answers(): Promise<boolean> {
  const sql = connect(`postgres://postgres:some-password@127.0.0.1:${port}/postgres`, {
    applicationName: "test",
    maxConnections: 1,
  });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end();
  }
}

test("a PostgreSQL that cannot start on a full disk is retried until there is space, and each change is logged once", async () => {
  const first = supervisor.pid();
  await dieOnFullDisk();
  expect(reports).toEqual([
    `PostgreSQL (process ${first}) ended unexpectedly; starting it again`,
    expect.stringContaining("there is no space left on the disk"),
  ]);
  await rm(isFull);
  // It answers a moment before the supervisor has seen that it does.
  await expect.poll(() => supervisor.pid()).not.toBe(first);
  expect(await answers()).toBe(true);
  expect(reports.slice(2)).toEqual([
    `There is space again: PostgreSQL runs as process ${supervisor.pid()}`,
  ]);
});

test("a PostgreSQL that was told to end by somebody else does not wait for its connections, and is started again", async () => {
  const staying = connect(`postgres://postgres:some-password@127.0.0.1:${port}/postgres`, {
    applicationName: "staying",
    maxConnections: 1,
  });
  await staying`select 1`;
  const first = supervisor.pid();
  process.kill(first, "SIGTERM");
  await reported.promise;
  expect(reports).toEqual([
    `PostgreSQL (process ${first}) was told to end and waits for its connections; ending them`,
    `PostgreSQL (process ${first}) ended unexpectedly; starting it again`,
  ]);
  // It answers a moment before the supervisor has seen that it does.
  await expect.poll(() => supervisor.pid()).not.toBe(first);
  expect(await answers()).toBe(true);
  await staying.end({ timeout: 1 });
});

test("a PostgreSQL that recovers for longer than a start may take is waited for, and ends at once on request", async () => {
  await supervisor.stop();
  const hold = join(parent, "hold-recovery");
  await writeFile(hold, "");
  // Recovery asks for archived files first, and gets no answer before the file is gone.
  const restore = `restore_command=while [ -e '${hold}' ]; do sleep 0.05; done; false`;
  const recovering = { ...cluster, settings: [...cluster.settings, restore] };
  const signalFile = join(dataFolderOf(cluster.home), "recovery.signal");
  await writeFile(signalFile, "");
  await chmod(signalFile, 0o666);
  const start = (signal: AbortSignal | null) => {
    const said: string[] = [];
    const thrice = Promise.withResolvers<void>();
    const report = (line: string) => {
      said.push(line);
      if (said.length === 3) {
        thrice.resolve();
      }
    };
    const started = startPostmaster(recovering, { patienceMs: 3_000, signal, report });
    return { started, said, longer: Promise.race([thrice.promise, started]) };
  };
  const asked = new AbortController();
  const first = start(asked.signal);
  await first.longer;
  asked.abort(new Error("the process ends"));
  await expect(first.started).rejects.toThrow("the process ends");
  const second = start(null);
  await second.longer;
  expect(second.said[0]).toMatch(/^PostgreSQL \(process \d+\) recovers after a crash, for 2 s/);
  await rm(hold);
  const { pid } = await second.started;
  expect(isAlive(pid)).toBe(true);
  await stopProcess(pid);
});

test("while it waits for space, the server does not count as lost, and the wait ends at once on request", async () => {
  await dieOnFullDisk();
  let isLost = false;
  supervisor.lost.catch(() => {
    isLost = true;
  });
  const last = supervisor.pid();
  await supervisor.stop();
  expect(isLost).toBe(false);
  expect(isAlive(last)).toBe(false);
  expect(existsSync(isFull)).toBe(true);
  expect(reports).toHaveLength(2);
});
