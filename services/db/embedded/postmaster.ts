// Runs PostgreSQL's own programs: makes a cluster, starts its postmaster, waits until it answers, and stops it.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { chown, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hasNoRoom, inMegabytes, readFreeSpace } from "#db/free-space.ts";
import type { WatchedFolder } from "#db/free-space.ts";
import { isAlive } from "#db/embedded/home.ts";
import type { ServerAccount } from "#db/embedded/server-account.ts";
import { isRecovering, startPatience, USUAL_WAIT } from "#db/embedded/recovery.ts";
import type { StartWait } from "#db/embedded/recovery.ts";
import type { Software } from "#db/embedded/software.ts";

/** The settings needed to run the server of one folder. */
export type Cluster = {
  readonly home: string;
  readonly software: Software;
  readonly account: ServerAccount | null;
  /** Server settings, as `name=value`. */
  readonly settings: readonly string[];
};

/** A running postmaster. */
export type Postmaster = {
  readonly pid: number;
  readonly port: number;
  /** Resolves when the process is gone, whether it was stopped or not. */
  readonly exited: Promise<void>;
};

/** PostgreSQL did not start because its disk is full; it will start once there is space again. */
export class NoRoomToStart extends Error {
  override readonly name = "NoRoomToStart";

  constructor(home: string, freeBytes?: number) {
    const left = freeBytes === undefined ? "" : ` (${inMegabytes(freeBytes)} free)`;
    super(`PostgreSQL cannot start: there is no space left on the disk of ${home}${left}.`);
  }
}

const NO_SOCKET = "unix_socket_directories=";
const pollMs = 20;

export function dataFolderOf(home: string): string {
  return join(home, "data");
}

/** The folders the server writes to: its tables, and its write-ahead log, which may be on a separate disk. */
export function databaseFolders(home: string): readonly WatchedFolder[] {
  const data = dataFolderOf(home);
  return [
    { name: "database", path: data },
    { name: "write-ahead log", path: join(data, "pg_wal") },
  ];
}

/** Makes the cluster if it does not exist. An interrupted attempt leaves only a draft, which is made again. */
export async function initialise(cluster: Cluster, superuserPassword: string): Promise<void> {
  const data = dataFolderOf(cluster.home);
  if (existsSync(join(data, "PG_VERSION"))) {
    return;
  }
  const draft = join(cluster.home, "data-draft");
  const passwordFile = join(cluster.home, "initdb-password");
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, superuserPassword, { mode: 0o600 });
  if (cluster.account !== null) {
    await chown(draft, cluster.account.uid, cluster.account.gid);
    await chown(passwordFile, cluster.account.uid, cluster.account.gid);
  }
  const child = spawn(
    cluster.software.initdb,
    [
      `--pgdata=${draft}`,
      "--username=postgres",
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--no-instructions",
    ],
    { ...environment(cluster), stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  try {
    const [code] = await once(child, "close");
    if (code !== 0) {
      throw new Error(`initdb failed in ${draft}:\n${output.trim()}`);
    }
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(draft, data);
}

/**
 * Starts the postmaster on a free port of 127.0.0.1, or on `port`, and waits until it takes connections, without limit
 * while it recovers after a crash. Throws `NoRoomToStart` at once if the disk is full.
 */
export async function startPostmaster(
  cluster: Cluster,
  options: Partial<StartWait> = {},
): Promise<Postmaster> {
  const wait = { ...USUAL_WAIT, ...options };
  const { port, signal } = wait;
  const patience = startPatience(wait);
  let withSocket = true;
  for (;;) {
    signal?.throwIfAborted();
    const chosen = port ?? (await freePort());
    const settings = [...cluster.settings, ...(withSocket ? [] : [NO_SOCKET])];
    const attempt = await tryStart({ ...cluster, settings }, chosen, {
      isOver: () => patience.isOver() || signal?.aborted === true,
      starting: patience.starting,
    }).catch((error: unknown) => {
      // Not even the server's log could be opened.
      throw explainNoRoom(error, cluster.home);
    });
    if (typeof attempt !== "string") {
      return attempt;
    }
    signal?.throwIfAborted();
    await refuseFullDisk(cluster.home, attempt);
    if (withSocket && attempt.includes("could not create any Unix-domain sockets")) {
      // Some file systems have none: then there is TCP.
      withSocket = false;
      continue;
    }
    if (attempt.includes(lockedByAnother)) {
      // This process holds the folder, so the server was left behind by a process that was killed during its start.
      await stopLeftBehind(cluster.home);
    }
    // After a kill -9 of the postmaster its children take a moment to notice; a free port may be taken by now. A
    // server that ran before gets the whole time, whatever the problem is.
    const passing =
      port !== null ||
      attempt.includes("pre-existing shared memory block") ||
      attempt.includes("could not bind") ||
      attempt.includes(lockedByAnother);
    if (!passing || patience.isOver()) {
      throw new Error(`PostgreSQL did not start in ${cluster.home}:\n${attempt}`);
    }
    await delay(200);
  }
}

/** The message of a server that finds another one in its folder. */
const lockedByAnother = 'lock file "postmaster.pid"';

/** A server on a full disk often cannot even log why it ended, so the disk itself is checked. */
async function refuseFullDisk(home: string, said: string): Promise<void> {
  const full = (await readFreeSpace(databaseFolders(home))).find(hasNoRoom);
  if (full !== undefined || isNoRoomText(said)) {
    throw new NoRoomToStart(home, full?.freeBytes);
  }
}

/** The error itself, unless a full disk caused it. */
export function explainNoRoom(error: unknown, home: string): unknown {
  return error instanceof Error && isNoRoomText(error.message) ? new NoRoomToStart(home) : error;
}

function isNoRoomText(text: string): boolean {
  return /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/u.test(text);
}

async function tryStart(
  cluster: Cluster,
  port: number,
  patience: ReturnType<typeof startPatience>,
): Promise<Postmaster | string> {
  const logFile = join(cluster.home, "server.log");
  const logSize = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  const startsAt = logSize > 5_000_000 ? 0 : logSize;
  const log = openSync(logFile, startsAt === 0 ? "w" : "a", 0o600);
  const settings = ["listen_addresses=127.0.0.1", `port=${port}`, ...cluster.settings];
  // Detached, because Ctrl-C in a terminal reaches the whole process group and would stop PostgreSQL before this
  // process has finished its requests.
  const child = spawn(
    cluster.software.postgres,
    ["-D", dataFolderOf(cluster.home), ...settings.flatMap((setting) => ["-c", setting])],
    { ...environment(cluster), detached: true, stdio: ["ignore", log, log] },
  );
  closeSync(log);
  child.unref();
  const exited = new Promise<void>((resolve, reject) => {
    child.once("exit", () => resolve());
    child.once("error", reject);
  });
  const pid = child.pid;
  if (pid === undefined) {
    return exited.then(
      () => "it could not be started",
      (error: unknown) => `it could not be started: ${String(error)}`,
    );
  }
  while (child.exitCode === null && child.signalCode === null && !patience.isOver()) {
    const lock = readLock(cluster.home);
    if (lock?.pid === pid && lock.status === "ready") {
      return { pid, port, exited };
    }
    if (lock?.pid === pid && lock.status === "starting") {
      patience.starting(pid);
    }
    await delay(pollMs);
  }
  await stopProcess(pid);
  return readFileSync(logFile).subarray(startsAt).toString().trim() || "it ended without a message";
}

/** Stops a postmaster that a killed process left behind in this folder, if there is one. */
export async function stopLeftBehind(home: string): Promise<boolean> {
  const lock = readLock(home);
  if (lock === null || !isAlive(lock.pid) || !servesFolder(lock.pid, home)) {
    return false;
  }
  await stopProcess(lock.pid);
  return true;
}

/** Ends a postmaster: fast shutdown, then immediate, then kill. Resolves when it is gone. */
export async function stopProcess(pid: number): Promise<void> {
  // PostgreSQL 18 never ends if it is told to shut down fast while it recovers from the crash of one of its processes.
  // Nothing is lost by an immediate shutdown then: the next start recovers from the same log.
  const escalation: readonly (readonly [NodeJS.Signals, number])[] = [
    ["SIGINT", 30_000],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 5_000],
  ];
  for (const [signal, patienceMs] of escalation.slice(isRecovering(pid) ? 1 : 0)) {
    if (!isAlive(pid)) {
      return;
    }
    process.kill(pid, signal);
    const deadline = performance.now() + patienceMs;
    while (isAlive(pid) && performance.now() < deadline) {
      await delay(pollMs);
    }
  }
}

/** The postmaster's own lock file: process id, port and status. */
function readLock(home: string): { pid: number; status: string } | null {
  let lines: string[];
  try {
    lines = readFileSync(join(dataFolderOf(home), "postmaster.pid"), "utf8").split("\n");
  } catch {
    // No lock file: no postmaster.
    return null;
  }
  const pid = Number(lines[0]);
  return Number.isInteger(pid) && pid > 0 ? { pid, status: (lines[7] ?? "").trim() } : null;
}

/**
 * Whether this postmaster was told to end and waits until everybody has left: it takes no new connections. Its children
 * have not ended yet.
 */
export function isEnding(home: string, pid: number): boolean {
  const lock = readLock(home);
  return lock?.pid === pid && lock.status === "stopping" && isAlive(pid);
}

/** Process ids are reused: only a process that works in this data folder is the postmaster. */
function servesFolder(pid: number, home: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === dataFolderOf(home);
  } catch {
    // No /proc: ask ps for the command line, which names the data folder.
    const ps = spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
    return ps.status === 0 && ps.stdout.includes(dataFolderOf(home));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") {
    throw new Error("No free port on 127.0.0.1");
  }
  return address.port;
}

/** English messages and UTC regardless of the machine's settings, and nothing from this process's environment. */
function environment(cluster: Cluster) {
  return {
    cwd: cluster.home,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
    ...(cluster.account === null ? {} : { uid: cluster.account.uid, gid: cluster.account.gid }),
  };
}
