// Runs once before all tests: makes a folder for their files, one PostgreSQL, and a migrated template for test databases.
import { chmod, mkdir, readdir, readlink, realpath, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { connect } from "#db/connect.ts";
import { appRole, startEmbedded } from "#db/embedded.ts";
import type { EmbeddedPostgres } from "#db/embedded.ts";
import { isAlive, startTimeOf } from "#db/embedded/home.ts";
import { stopLeftBehind } from "#db/embedded/postmaster.ts";
import { migrate } from "#db/migrate.ts";
import { compiledModules } from "#testing/service/service-process.ts";

/** Addresses of the test server; `testDatabase()` in test-database.ts makes databases on it. */
export type TestServer = {
  readonly superuserUrl: string;
  readonly ownerUrl: string;
  readonly appUrl: string;
};

declare module "vitest" {
  // Vitest needs an interface here: it is extended by declaration merging.
  interface ProvidedContext {
    testServer: TestServer;
  }
}

/** In memory, if there is room: test databases are copied and synced often, and none is kept. */
const MEMORY = "/dev/shm";
const BYTES_NEEDED = 4_000_000_000;

async function findRunsFolder(): Promise<string> {
  const found = await statfs(MEMORY).catch(() => undefined);
  const hasRoom = found !== undefined && found.bavail * found.bsize >= BYTES_NEEDED;
  // Process ids mean something within one namespace only: a run in another container must not take this one for killed.
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  const owner = `${process.getuid?.() ?? "user"}-${/\d+/u.exec(namespace)?.[0] ?? "0"}`;
  // A short name: the path of a socket below it may have at most about a hundred letters.
  return join(hasRoom ? MEMORY : tmpdir(), `ledger-tests-${owner}`);
}

/** A new folder for a server of this process; if this run is killed, the next one removes it. */
export async function makeRunFolder(suffix = ""): Promise<string> {
  const runsFolder = await findRunsFolder();
  const folder = join(runsFolder, `${process.pid}-${startTimeOf(process.pid)}${suffix}`);
  await mkdir(folder, { recursive: true });
  // The server's account needs access, whatever the umask.
  await Promise.all([chmod(runsFolder, 0o711), chmod(folder, 0o711)]);
  return folder;
}

/** Starts the server and returns how to stop it. A failure stops what was started before. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweepKilledRuns(await findRunsFolder());
  const dataDir = await makeRunFolder();
  const temporary = join(dataDir, "tmp");
  await mkdir(temporary);
  await chmod(temporary, 0o711);
  // The tests run in processes that start after this and make their folders there, so leftovers of a killed run are removed.
  process.env["TMPDIR"] = temporary;
  await keepCompiledModules();
  let server: EmbeddedPostgres | undefined;
  const stop = async () => {
    await server?.stop();
    await removeRun(dataDir);
  };
  try {
    server = await startEmbedded({ dataDir, durability: "test", holder: "service" });
    await migrate({ ownerUrl: server.ownerUrl, appRole });
    await sealTemplate(server.superuserUrl);
    const { superuserUrl, ownerUrl, appUrl } = server;
    project.provide("testServer", { superuserUrl, ownerUrl, appUrl });
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

/** Bounds the folder below: a few dozen runs. */
const MOST_ENTRIES = 20_000;

/** The tests' processes load the compiled modules of earlier runs: 28 files took 24.3 s of CPU instead of 26.8 s. */
async function keepCompiledModules(): Promise<void> {
  const folder = `${compiledModules}-of-tests`;
  // Vitest loads each test file under a new address, which adds entries in each run that no later run uses.
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  if (entries.length > MOST_ENTRIES) {
    await rm(folder, { recursive: true, force: true });
  }
  process.env["NODE_COMPILE_CACHE"] = folder;
}

/** Makes the application's database the template; nobody may connect to it anymore. */
async function sealTemplate(superuserUrl: string): Promise<void> {
  const sql = connect(superuserUrl, { applicationName: "test-setup", maxConnections: 1 });
  try {
    await sql`alter database ledger with is_template true allow_connections false`;
  } finally {
    await sql.end();
  }
}

/** Removes the server and the folder of a killed run; a live one, even somebody else's, is left alone. */
async function sweepKilledRuns(runsFolder: string): Promise<void> {
  const names = await readdir(runsFolder).catch(() => []);
  for (const name of names) {
    const [pid, startTime] = name.split("-");
    const running = isAlive(Number(pid)) && startTimeOf(Number(pid)) === startTime;
    if (!running) {
      await removeRun(join(runsFolder, name));
    }
  }
}

/** Removes a run's folder, and the server's if it had to be elsewhere. */
export async function removeRun(dataDir: string): Promise<void> {
  const home = await realpath(join(dataDir, "postgres")).catch(() => null);
  if (home !== null) {
    await stopLeftBehind(home);
    await rm(home, { recursive: true, force: true });
  }
  await rm(dataDir, { recursive: true, force: true });
}
