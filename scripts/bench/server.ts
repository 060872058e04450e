// The benchmark's own PostgreSQL, fsync on: every contender gets a database on it, and it is removed afterwards.
import { readFileSync, readdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "#db/connect.ts";
import { appRole, ownerRole, startEmbedded } from "#db/embedded.ts";
import { givingWay, vacuumsGivingWay } from "#db/give-way.ts";
import { migrate } from "#db/migrate.ts";
import { repeat } from "#jobs/repeat.ts";
import { PROOF_NAME } from "#process/background-pools.ts";

/** Addresses of one database, by role. */
export type BenchDatabase = {
  readonly name: string;
  readonly ownerUrl: string;
  readonly appUrl: string;
  readonly superuserUrl: string;
  /** A folder for the files of a process on this database; removed with the server. */
  readonly folder: string;
};

export type BenchServer = {
  /** A new database with the ledger's schema. */
  readonly ledgerDatabase: (name: string) => Promise<BenchDatabase>;
  /** A new empty database, for contenders with their own schema. */
  readonly emptyDatabase: (name: string) => Promise<BenchDatabase>;
  /** A copy of a database that nobody is connected to. */
  readonly copyOf: (database: BenchDatabase, name: string) => Promise<BenchDatabase>;
  readonly dropDatabase: (name: string) => Promise<void>;
  /** CPU time of all its processes so far, in milliseconds; 0 if the system does not report it. */
  readonly cpuMs: () => number;
  /** A folder that is removed with the server. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
};

/** Connections of the measured stores that give way: of a store in this process, and of the service. */
const BACKGROUND = [
  ...["bench", "start"].flatMap((name) => [`ledger-${name}-rebuild`, `ledger-${name}-gentle`]),
  PROOF_NAME,
];
const SLOWED_EVERY_MS = 300;

const parent = join(import.meta.dirname, "..", "..", ".data", "bench");

/** Starts a server in a folder of its own below `.data/bench`. `stop` removes the folder. */
export async function startBenchServer(): Promise<BenchServer> {
  await mkdir(parent, { recursive: true });
  const dataDir = await mkdtemp(join(parent, "run-"));
  // mkdtemp makes private folders. As root, PostgreSQL runs under another account, which needs access.
  await chmod(dataDir, 0o711);
  const server = await startEmbedded({ dataDir, durability: "durable", holder: "service" });
  const admin = connect(server.superuserUrl, { applicationName: "bench-admin", maxConnections: 1 });
  // The service only does this with its own server. To it, this one runs elsewhere.
  const givingWays = BACKGROUND.map((name) => givingWay(admin, name));
  const slowVacuums = vacuumsGivingWay(server.pid);
  const slowing = repeat(SLOWED_EVERY_MS, async () => {
    slowVacuums();
    await Promise.all(givingWays.map((giveWay) => giveWay()));
  });
  const create = async (name: string, options = ""): Promise<BenchDatabase> => {
    await admin.unsafe(`create database ${name} owner ${ownerRole} ${options}`);
    return {
      name,
      ownerUrl: withDatabase(server.ownerUrl, name),
      appUrl: withDatabase(server.appUrl, name),
      superuserUrl: withDatabase(server.superuserUrl, name),
      folder: join(dataDir, name),
    };
  };
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await slowing.close();
    await admin.end({ timeout: 5 });
    await server.stop();
    // With retries: a store that is broken off may write to its folder meanwhile.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  };
  return {
    ledgerDatabase: async (name) => {
      const database = await create(name);
      await migrate({ ownerUrl: database.ownerUrl, appRole });
      return database;
    },
    emptyDatabase: (name) => create(name),
    copyOf: (database, name) => create(name, `template ${database.name} strategy file_copy`),
    dropDatabase: async (name) => {
      await admin.unsafe(`drop database if exists ${name} with (force)`);
    },
    cpuMs: () => cpuOfChildrenMs(server.pid()),
    folder: dataDir,
    stop: () => (stopping ??= stop()),
  };
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

// Linux reports ticks of 10 ms.
const tickMs = 10;

/** CPU time of a process and all its children, including ended ones, in milliseconds. */
function cpuOfChildrenMs(pid: number): number {
  let ticks = 0;
  for (const name of listProcesses()) {
    try {
      const text = readFileSync(`/proc/${name}/stat`, "utf8");
      // After the name in parentheses: state, parent, …, user and system time, and the same of ended children.
      const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
      if (name === String(pid) || fields[1] === String(pid)) {
        ticks += Number(fields[11]) + Number(fields[12]);
      }
      if (name === String(pid)) {
        ticks += Number(fields[13]) + Number(fields[14]);
      }
    } catch {
      // It ended between the listing and the look.
    }
  }
  return ticks * tickMs;
}

function listProcesses(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  } catch {
    return [];
  }
}

/** CPU of a process so far, in milliseconds; 0 if the system does not report it. */
export function cpuMsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // User and system time in ticks of 10 ms.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

/** CPU time of this process so far, in milliseconds. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
