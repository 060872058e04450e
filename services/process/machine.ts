// Everything on one machine: database, worker and API in this process. `npm start` and `npm run demo` share it.
import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "#config";
import { readWebBuild } from "#http/web-build.ts";
import { openStore } from "./open-store.ts";
import { startApi } from "./start-api.ts";
import { startWorker } from "./start-worker.ts";
import type { Store, StoreOptions } from "./open-store.ts";
import type { Api } from "./start-api.ts";
import type { Running } from "./run-process.ts";

/** Where `npm run build` puts the screens. */
export const webBuildFolder = join(import.meta.dirname, "..", "..", "dist", "web");

/** A running machine and its address. */
export type Machine = Running & { readonly store: Store; readonly url: string };

export type MachineOptions = Pick<StoreOptions, "tell" | "signal"> & {
  /** Fills or changes the store before anybody works on it: a worker would meet the deadlines of half a past. */
  readonly prepare?: (store: Store) => Promise<void>;
};

/** Opens the store and serves it. Closing stops requests first and the database last. */
export async function startMachine(
  config: Config,
  logger: Logger,
  { prepare, ...options }: MachineOptions = {},
): Promise<Machine> {
  await using parts = new AsyncDisposableStack();
  const store = await openStore({ config, logger, name: "start", works: true, ...options });
  parts.defer(store.close);
  await prepare?.(store);
  let api: Api | undefined;
  const worker = await startWorker(store, () => api?.nudge());
  parts.defer(worker.close);
  api = await startApi(store, await readWebBuild(webBuildFolder));
  parts.defer(api.close);
  const { server } = api;
  const started = parts.move();
  return {
    store,
    url: config.publicUrl ?? server.url,
    lost: store.lost,
    close: () => started.disposeAsync(),
  };
}
