// A rush on a small disk that is filled repeatedly: the service must answer 503, wait, and recover by itself.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, open, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { findRunningEmbedded } from "#db/embedded.ts";
import type { RushVerdict } from "#testing/rush/books.ts";
import { judgeBooks } from "#testing/rush/books.ts";
import type { RushAnswer } from "#testing/rush/judge.ts";
import { rushDuring } from "#testing/rush/rush-during.ts";
import type { ServiceProcess } from "#testing/service/service-process.ts";
import { startService, waitUntilReady } from "#testing/service/service-process.ts";
import { TEST_SECRET_KEY } from "#testing/service/test-secrets.ts";

export type FullDiskOptions = {
  readonly megabytes: number;
  readonly callers: number;
  readonly seed: number;
  /** For each time the disk is full: how long it stays full, and whether PostgreSQL is killed then. */
  readonly rounds: readonly { readonly seconds: number; readonly kill: boolean }[];
  readonly onStep?: (sentence: string) => void;
  /** When aborted, ends the service, unmounts the disk, and throws the signal's reason. */
  readonly signal?: AbortSignal;
};

export type FullDiskResult = {
  readonly rounds: readonly FullDiskRound[];
  readonly accepted: number;
  readonly verdict: RushVerdict;
  readonly exitCode: number | null;
  /** What the service wrote, newest last. */
  readonly output: string;
};

export type FullDiskRound = {
  /** How many answers came with which status and code while the disk was full. */
  readonly answers: ReadonlyMap<string, number>;
  /** The last response of /readyz. */
  readonly readyz: string;
  /** From the freed disk to the first accepted command. */
  readonly backAfterMs: number;
};

const PATIENCE_MS = 120_000;

/** Mounts a small disk, which only root may do, and runs one whole service on it. */
export async function rushOnFullDisk(options: FullDiskOptions): Promise<FullDiskResult> {
  await using parts = new AsyncDisposableStack();
  const disk = await mountDisk(options.megabytes);
  parts.defer(() => unmountDisk(disk));
  const dataDir = path.join(disk, "data");
  await mkdir(dataDir, { mode: 0o711 });
  const service = await startService({
    entry: "start.ts",
    environment: {
      DATA_DIR: dataDir,
      STORAGE_WARNING_MB: "100",
      SECRET_KEY: TEST_SECRET_KEY,
    },
  });
  parts.defer(() => endAll(service, dataDir));
  const { promise: broken, reject: breakOff } = Promise.withResolvers<never>();
  options.signal?.throwIfAborted();
  options.signal?.addEventListener("abort", () => breakOff(options.signal?.reason));
  // Awaited here, so that the service ends before its disk goes.
  return await Promise.race([rushOn(service, dataDir, options), broken]);
}

async function rushOn(
  service: ServiceProcess,
  dataDir: string,
  options: FullDiskOptions,
): Promise<FullDiskResult> {
  await using parts = new AsyncDisposableStack();
  await waitUntilReady(service);
  const database = await findRunningEmbedded(dataDir);
  if (database === null) {
    throw new Error("The service runs no database of its own");
  }
  const sql = connect(database.appUrl, { applicationName: "judge", maxConnections: 4 });
  parts.defer(() => sql.end({ timeout: 5 }));
  const { rounds, answers } = await rushThroughRounds(options, service, sql, dataDir);
  await untilCaughtUp(sql);
  const verdict = await judgeBooks(sql, answers);
  await service.kill("SIGTERM");
  return {
    rounds,
    accepted: answers.filter((answer) => answer.code === null).length,
    verdict,
    exitCode: await service.exited,
    output: service.output(),
  };
}

/** The judge would feed the read tables itself, so the service has to do it first. */
async function untilCaughtUp(sql: Sql): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const behind = await sql`
      select name from read.projections
      where state = 'live' and position < (select coalesce(max(position), 0) from log.events)`;
    if (behind.length === 0) {
      return;
    }
    if (performance.now() > deadline) {
      throw new Error("The read tables did not catch up by themselves");
    }
    await delay(100);
  }
}

async function rushThroughRounds(
  options: FullDiskOptions,
  service: ServiceProcess,
  sql: Sql,
  dataDir: string,
): Promise<{ rounds: FullDiskRound[]; answers: RushAnswer[] }> {
  let hear: (answer: RushAnswer) => void = () => undefined;
  const play = async (): Promise<FullDiskRound[]> => {
    const played: FullDiskRound[] = [];
    for (const round of options.rounds) {
      await delay(2_000);
      const playing = playRound(round, service, dataDir, options.onStep);
      ({ hear } = playing);
      played.push(await playing.end);
    }
    return played;
  };
  const rush = {
    urls: [service.url],
    callers: options.callers,
    seed: options.seed,
    retryForMs: PATIENCE_MS + 1_000 * Math.max(...options.rounds.map(({ seconds }) => seconds)),
    onAnswer: (answer: RushAnswer) => hear(answer),
  };
  const { happened, answers } = await rushDuring(sql, rush, play);
  return { rounds: happened, answers };
}

function playRound(
  { seconds, kill }: FullDiskOptions["rounds"][number],
  service: ServiceProcess,
  dataDir: string,
  onStep: (sentence: string) => void = () => undefined,
): { hear: (answer: RushAnswer) => void; end: Promise<FullDiskRound> } {
  const answers = new Map<string, number>();
  let freedAt: number | undefined;
  const back = Promise.withResolvers<number>();
  const run = async (): Promise<FullDiskRound> => {
    const filler = path.join(dataDir, "filler");
    const file = await open(filler, "w");
    try {
      await fill(file);
      onStep("the disk is full");
      if (kill) {
        const running = await postmasterOf(dataDir);
        process.kill(running, "SIGKILL");
        onStep(`PostgreSQL (process ${running}) was killed`);
      }
      const until = performance.now() + seconds * 1_000;
      while (performance.now() < until) {
        await delay(200);
        // Also fills space that PostgreSQL has freed since.
        await fill(file);
      }
    } finally {
      await file.close();
    }
    const readyz = await (await fetch(`${service.url}/readyz`)).text();
    await rm(filler);
    freedAt = performance.now();
    onStep(`there is room again; before that, /readyz said ${readyz}`);
    const late = AbortSignal.timeout(PATIENCE_MS);
    late.addEventListener("abort", () => back.reject(new Error("It did not recover by itself")));
    return { answers, readyz, backAfterMs: await back.promise };
  };
  return {
    hear: (answer) => {
      if (freedAt === undefined) {
        const way = answer.status < 500 ? "answered" : `${answer.status} ${answer.code ?? ""}`;
        answers.set(way, (answers.get(way) ?? 0) + 1);
      } else if (answer.status === 200) {
        back.resolve(performance.now() - freedAt);
      }
    },
    end: run(),
  };
}

/** Writes until the disk is full. */
async function fill(file: FileHandle): Promise<void> {
  for (let bytes = 2 ** 20; bytes >= 2 ** 12;) {
    try {
      await file.appendFile(Buffer.alloc(bytes));
    } catch {
      bytes /= 2;
    }
  }
}

/** Also its PostgreSQL, which outlives a killed service. After an orderly end nothing is left to kill. */
async function endAll(service: ServiceProcess, dataDir: string): Promise<void> {
  await service.kill("SIGKILL");
  if (existsSync(postmasterFile(dataDir))) {
    process.kill(await postmasterOf(dataDir), "SIGQUIT");
  }
}

const postmasterFile = (dataDir: string) =>
  path.join(dataDir, "postgres", "data", "postmaster.pid");

async function postmasterOf(dataDir: string): Promise<number> {
  const file = await open(postmasterFile(dataDir));
  try {
    return Number((await file.readFile("utf8")).split("\n")[0]);
  } finally {
    await file.close();
  }
}

async function mountDisk(megabytes: number): Promise<string> {
  const disk = await mkdtemp(path.join(tmpdir(), "full-disk-"));
  await chmod(disk, 0o711);
  const run = spawnSync("mount", [
    "-t",
    "tmpfs",
    "-o",
    `size=${megabytes}m,mode=711`,
    "tmpfs",
    disk,
  ]);
  if (run.status !== 0) {
    await rm(disk, { recursive: true });
    throw new Error(
      `A small disk could not be mounted (this needs root): ${run.stderr.toString().trim()}`,
    );
  }
  return disk;
}

async function unmountDisk(disk: string): Promise<void> {
  spawnSync("umount", ["--lazy", disk]);
  await rm(disk, { recursive: true, force: true });
}
