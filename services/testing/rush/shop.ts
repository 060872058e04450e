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

/** A process that kills itself at a point: the nth time it passes it, counted from its start or from SIGUSR2 on. */
export type Armed = {
  readonly point: string;
  readonly pass: number;
  readonly from: "start" | "signal";
};

export type ShopUrls = { readonly appUrl: string; readonly ownerUrl: string };

/** A place for one process; a killed one is started again on the same port. */
export type Seat = {
  readonly name: string;
  readonly url: string;
  readonly process: () => ServiceProcess;
  /** Starts it (again), normally or with a crash point, and waits until it is ready. */
  readonly start: (armed?: Armed) => Promise<void>;
};

export type Shop = {
  readonly apis: readonly Seat[];
  readonly worker: Seat;
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

function passOf({ pass, from }: Armed): string {
  return from === "signal" ? `signal:${pass}` : String(pass);
}

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
        arguments: armed === undefined ? [] : [`../../${file}`, armed.point, passOf(armed)],
        environment,
        port,
      });
      await untilReady(current);
    },
  };
}

/** Which processes are armed when the shop opens. */
export type ArmedSeats = { readonly worker: Armed; readonly apis: readonly [Armed, Armed] };

/** Starts two API processes and a worker on a migrated or empty database. */
export async function openShop(urls: ShopUrls, armed?: ArmedSeats): Promise<Shop> {
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
  await worker.start(armed?.worker);
  const apis = [
    await seat("api 1", "api.ts", environment, waitUntilReady),
    await seat("api 2", "api.ts", environment, waitUntilReady),
  ];
  await Promise.all(apis.map((api, index) => api.start(armed?.apis[index])));
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
