// The service as several processes on one database, for rushes and kills: two APIs, one worker.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ServiceProcess } from "#testing/service/service-process.ts";
import {
  freePort,
  startService,
  waitForLine,
  waitUntilReady,
} from "#testing/service/service-process.ts";
import { TEST_SECRET_KEY } from "#testing/service/test-secrets.ts";

export type ShopUrls = { readonly appUrl: string; readonly ownerUrl: string };

/** A place for one process; a killed one is started again on the same port. */
export type Seat = {
  readonly name: string;
  readonly url: string;
  readonly process: () => ServiceProcess;
  /** Starts it (again), normally or with a crash point, and waits until it is ready. */
  readonly start: (armed?: { point: string; pass: number }) => Promise<void>;
};

export type Shop = {
  readonly apis: readonly Seat[];
  readonly worker: Seat;
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

async function seat(
  name: string,
  file: string,
  environment: Readonly<Record<string, string>>,
  untilReady: (process: ServiceProcess) => Promise<void>,
): Promise<Seat> {
  const port = await freePort();
  let current: ServiceProcess | undefined;
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    process: () => {
      if (current === undefined) {
        throw new Error(`${name} was never started`);
      }
      return current;
    },
    async start(armed) {
      current = await startService({
        entry: armed === undefined ? file : "testing/rush/crash-entry.ts",
        arguments: armed === undefined ? [] : [`../../${file}`, armed.point, String(armed.pass)],
        environment,
        port,
      });
      await untilReady(current);
    },
  };
}

/** Starts two API processes and a worker on a migrated or empty database. */
export async function openShop(urls: ShopUrls): Promise<Shop> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "rush-"));
  const environment = {
    DATABASE_URL: urls.appUrl,
    DATABASE_OWNER_URL: urls.ownerUrl,
    DATA_DIR: dataDir,
    SECRET_KEY: TEST_SECRET_KEY,
  };
  const worker = await seat(
    "worker",
    "worker.ts",
    { ...environment, LOG_LEVEL: "info" },
    // A worker serves no requests; it logs when it works.
    (process) => waitForLine(process, '"working"'),
  );
  await worker.start();
  const apis = [
    await seat("api 1", "api.ts", environment, waitUntilReady),
    await seat("api 2", "api.ts", environment, waitUntilReady),
  ];
  await Promise.all(apis.map((api) => api.start()));
  return {
    apis,
    worker,
    environment,
    async close() {
      for (const { process } of [...apis, worker]) {
        if (!process().hasEnded()) {
          await process().kill("SIGTERM");
        }
      }
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
