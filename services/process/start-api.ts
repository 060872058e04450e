// Starts the part of a process that serves the API and the web build.
import { randomUUID } from "node:crypto";
import { readLastRuns } from "#db/backup/runs.ts";
import { createApp } from "#http/app.ts";
import type { RouteDeps } from "#http/deps.ts";
import { observeBackups } from "#http/backup-metrics.ts";
import { observeLedger } from "#http/ledger-metrics.ts";
import { createLive } from "#http/live.ts";
import { createMetrics } from "#http/metrics.ts";
import { createOutages } from "#http/outages.ts";
import { createReadiness, processCheck } from "#http/readiness.ts";
import { observeStandby } from "#http/standby-report.ts";
import { observeStorage } from "#http/storage-metrics.ts";
import { observeTables } from "#http/table-metrics.ts";
import { observeWriter } from "#http/writer-metrics.ts";
import { startHttpServer } from "#http/server.ts";
import type { HttpServer } from "#http/server.ts";
import type { WebBuild } from "#http/web-build.ts";
import { createRehearsals } from "#features/rehearsal/rehearsals.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { countHeldKeys } from "#ledger/projection/held.ts";
import { events, explanations, features, streams } from "../features.ts";
import { readinessChecksOf } from "./store-parts.ts";
import { observeProof } from "../proof/proof-metrics.ts";
import { observeImages } from "./image-metrics.ts";
import { observeNotifications } from "../notify/notify-metrics.ts";
import type { Store } from "./open-store.ts";

/** The running API of this process. */
export type Api = {
  readonly server: HttpServer;
  readonly nudge: () => void;
  readonly close: () => Promise<void>;
};

/** Serves API and web build on the configured port. Rejects if the port is in use. */
export async function startApi(store: Store, webBuild: WebBuild): Promise<Api> {
  const { config, logger, clock, identity, reading, standby } = store;
  const metrics = createMetrics();
  const live = createLive({
    readCheckpoints: reading.readShownCheckpoints,
    clock,
    onError: (error) => logger.warn({ err: error }, "live streams could not be fed"),
  });
  observeLedger(metrics.registry, {
    readCheckpoints: reading.readCheckpoints,
    countHeld: () => countHeldKeys(store.sql),
    queueLength: store.ledger.queueLength,
    listenerCount: live.listenerCount,
  });
  observeProof(metrics.registry, store);
  observeNotifications(metrics.registry, store);
  observeImages(metrics.registry, store.sql);
  observeTables(metrics.registry, store.sql);
  observeWriter(metrics.registry, store.ledger);
  observeStorage(metrics.registry, store.storage);
  observeBackups(metrics.registry, { readLast: () => readLastRuns(store.sql), clock });
  if (standby !== null) {
    observeStandby(metrics.registry, standby, reading.counts);
  }
  let isClosing = false;
  const app = createApp(
    {
      ...routeDepsOf(store),
      identity,
      live,
      metrics,
      outages: createOutages(store.storage, logger),
      rehearsals: createRehearsals({
        sql: store.sql,
        streams,
        events,
        profiles: identity.profiles,
        explanations,
      }),
      webBuild,
      proxyCount: config.proxyCount,
      isProduction: config.isProduction,
      ...(config.metricsToken === null ? {} : { metricsToken: config.metricsToken }),
      readiness: createReadiness(
        [processCheck(() => isClosing), ...readinessChecksOf(store)],
        logger,
      ),
    },
    features.flatMap((feature) => feature.routes),
  );
  const server = await startHttpServer({
    app,
    host: config.host,
    port: config.port,
    closeStreams: live.close,
  });
  store.listensAt(server.url);
  store.doing.set("requests", () => {
    const count = live.listenerCount();
    return `Serves requests, ${count} live ${count === 1 ? "stream" : "streams"} open`;
  });
  return {
    server,
    nudge: live.nudge,
    close: () => {
      isClosing = true;
      return server.close();
    },
  };
}

/** What the routes and queries of features need from an open store; scripts may use it too. */
export function routeDepsOf(store: Store): RouteDeps {
  const { identity } = store;
  return {
    ledger: store.ledger,
    ...store.reading.deps,
    sql: store.sql,
    readEvent: createReadEvent(events),
    clock: store.clock,
    newId: randomUUID,
    identity,
    site: store.site,
    profiles: identity.profiles,
    payoutHandles: identity.payoutHandles,
    notes: identity.notes,
    labels: identity.labels,
    tradePapers: identity.tradePapers,
    store: store.facts,
    confirmPayoutsAboveCents: store.config.confirmPayoutsAboveCents,
    retailer: store.retailer,
    logger: store.logger,
    workThread: store.workThread,
    freshness: store.reading.freshness,
  };
}
