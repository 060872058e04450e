// Puts a process together from its parts in the order in which they depend on each other; closing goes the other way.
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { PgBoss } from "pg-boss";
import type { Config } from "#config";
import { readLastRuns } from "#db/backup/runs.ts";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { openDatabase } from "#db/open.ts";
import type { Purge } from "#db/purge.ts";
import type { Standby } from "#db/standby.ts";
import type { StorageWatch } from "#db/storage-watch.ts";
import { createApp } from "#http/app.ts";
import type { RouteDeps, Site } from "#http/deps.ts";
import { observeBackups } from "#http/backup-metrics.ts";
import { observeLedger } from "#http/ledger-metrics.ts";
import { createLive } from "#http/live.ts";
import { createMetrics } from "#http/metrics.ts";
import { openReading } from "#http/reading.ts";
import type { ReadParts } from "#http/reading.ts";
import { createOutages } from "#http/outages.ts";
import { createReadiness, processCheck } from "#http/readiness.ts";
import { observeStandby } from "#http/standby-report.ts";
import { observeStorage } from "#http/storage-metrics.ts";
import { observeTables } from "#http/table-metrics.ts";
import { observeWriter } from "#http/writer-metrics.ts";
import { startHttpServer } from "#http/server.ts";
import type { HttpServer } from "#http/server.ts";
import type { StoreFacts } from "#http/store-facts.ts";
import type { WebBuild } from "#http/web-build.ts";
import { createWorkThread } from "#http/work-thread.ts";
import type { WorkThread } from "#http/work-thread.ts";
import { createRehearsals } from "#features/rehearsal/rehearsals.ts";
import { createStoreFacts } from "#features/settings/current-settings.ts";
import { falseAdmins } from "#features/users/false-admins.ts";
import type { Identity } from "#identity/identity.ts";
import { closeBoss, openBoss } from "#jobs/boss.ts";
import type { Mailer } from "#mail/mailer.ts";
import { createWaker, ensureWakeUpQueue, onWake } from "#jobs/wake-up.ts";
import type { Waker } from "#jobs/wake-up.ts";
import type { HeadPublisher } from "#ledger/log/published-heads.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { openLedger } from "#ledger/log/writer.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { countHeldKeys } from "#ledger/projection/held.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { ProjectionRunner } from "#ledger/projection/run.ts";
import { startKeepingBackups } from "./keep-backups.ts";
import type { Doing } from "./doing.ts";
import { startErasing } from "./erasing.ts";
import type { ErasingDeps } from "./erasing.ts";
import { events, explanations, features, projections, streams } from "../features.ts";
import { startLabelCleaning } from "./label-cleaning.ts";
import { startOperating } from "./operating.ts";
import { startTradeDeadlines } from "./trade-deadlines.ts";
import { openIdentity, openMailer } from "./open-identity.ts";
import {
  ensureReadTables,
  publishStoreHeads,
  reportStoreProcess,
  readinessChecksOf,
  siteOf,
  watchStoreStandby,
  watchStoreStorage,
} from "./store-parts.ts";
import { observeProof } from "../proof/proof-metrics.ts";
import { startStoreHolds, startStoreProof } from "../proof/store-proof.ts";
import { newTimeOrderedId } from "#ledger/log/time-ordered-id.ts";

export type StoreOptions = {
  readonly config: Config;
  readonly logger: Logger;
  /** Shown in pg_stat_activity: "start", "api", "worker" or a script's name. */
  readonly name: string;
  /** Whether this process updates the read tables itself or only wakes the processes that do. */
  readonly works: boolean;
  readonly clock?: () => Date;
};

/** A store that is open: what the API, the worker, scripts and tests share. */
export type Store = {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: () => Date;
  /** As the application's role, for requests: statements that take too long are canceled. */
  readonly sql: Sql;
  /** As the application's role, for work that may take long. */
  readonly workSql: Sql;
  /** Of the primary, as the application's role. */
  readonly databaseUrl: string;
  /** A hot standby for reads; null if none is configured. */
  readonly standby: Standby | null;
  readonly reading: ReadParts;
  readonly boss: PgBoss;
  readonly waker: Waker;
  readonly ledger: LedgerWriter;
  /** Why the log's head cannot be published at the moment; null when it can. */
  readonly headsFailure: HeadPublisher["failure"];
  /** What this process reports on the operations screen: parts that work for a while add themselves. */
  readonly doing: Doing;
  /** For rebuilds, so that they take no connection from other work. Nothing is opened before the first. */
  readonly rebuildSql: Sql;
  readonly identity: Identity;
  readonly mailer: Mailer;
  /** What the store is called, where it is, and its time zone. */
  readonly facts: StoreFacts;
  readonly site: Site;
  /** The thread exists only while there is work for it. */
  readonly workThread: WorkThread;
  /** Makes the database forget deleted data; null if this process may not. */
  readonly purge: Purge | null;
  /** The database as the owner of the schema; null if this process does not have that address. */
  readonly ownerUrl: string | null;
  readonly storage: StorageWatch;
  /** The address the API listens on. Links in letters use it if no public address is configured. */
  readonly listensAt: (url: string) => void;
  /** Rejects when the database is gone for good; never resolves. */
  readonly lost: Promise<never>;
  readonly close: () => Promise<void>;
};

const requestTimeoutMs = 15_000;

/** Opens the store: database, schema, read tables, jobs, the log's writer, identity. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { config, logger, name, clock = () => new Date() } = options;
  await using parts = new AsyncDisposableStack();

  const database = await openDatabase(config, "service", (line) => logger.warn(line));
  parts.defer(database.close);
  const storage = watchStoreStorage(options, database);
  parts.defer(storage.close);
  const pool = (url: string, maxConnections: number, statementTimeoutMs?: number): Sql => {
    const sql = connect(url, {
      applicationName: `ledger-${name}`,
      maxConnections,
      ...(statementTimeoutMs === undefined ? {} : { statementTimeoutMs }),
    });
    parts.defer(() => sql.end({ timeout: 5 }));
    return sql;
  };
  const sql = pool(database.appUrl, 10, requestTimeoutMs);
  const workSql = pool(database.appUrl, 4);
  await ensureReadTables(workSql, logger);
  // Only once the tables exist: the standby has to reach this point before anything reads from it.
  const standby = watchStoreStandby(options, workSql, requestTimeoutMs);
  parts.defer(() => standby?.close());

  const boss = await openStoreBoss(options, database.appUrl);
  parts.defer(() => closeBoss(boss));
  await ensureWakeUpQueue(boss);
  const waker = createWaker(boss, { logger });
  parts.defer(waker.close);

  const heads = publishStoreHeads({ ...options, clock }, workSql);
  parts.defer(heads.close);
  const ledger = openLedger({
    sql: pool(database.appUrl, 1),
    streams,
    events,
    newId: newTimeOrderedId,
    onAppended: (head) => {
      storage.noteWritten();
      waker.wake();
      heads.publish(head);
    },
  });
  parts.defer(ledger.close);
  const workThread = createWorkThread();
  parts.defer(workThread.close);
  await nameFalseAdmins(workSql, logger);
  const mailer = openMailer(config, clock);
  const facts = createStoreFacts({ sql, readEvent: createReadEvent(events) }, config.storeTimeZone);
  const rebuildSql = pool(database.appUrl, 4);
  const { doing, close: endReports } = reportStoreProcess(options, workSql, heads);
  parts.defer(endReports);
  let address = `http://${config.host}:${config.port}`;
  const opened = parts.move();
  return {
    config,
    logger,
    clock,
    sql,
    workSql,
    databaseUrl: database.appUrl,
    standby,
    reading: openReading({ primary: sql, standby, projections, wakeUp: waker.wake }),
    boss,
    waker,
    ledger,
    headsFailure: heads.failure,
    doing,
    rebuildSql,
    facts,
    mailer,
    identity: openIdentity({ config, sql, clock, mailer, logger, closing: opened }),
    site: siteOf(config, () => address),
    workThread,
    purge: database.purge,
    ownerUrl: database.ownerUrl,
    storage,
    listensAt: (url) => {
      address = url;
    },
    lost: database.lost,
    close: () => opened.disposeAsync(),
  };
}

function openStoreBoss({ name, works, logger }: StoreOptions, url: string): Promise<PgBoss> {
  const applicationName = `ledger-${name}-jobs`;
  return openBoss({ url, applicationName, role: works ? "worker" : "sender", logger });
}

async function nameFalseAdmins(sql: Sql, logger: Logger): Promise<void> {
  for (const sentence of await falseAdmins(sql)) {
    logger.error(sentence);
  }
}

/** The part of this process that updates the read tables. */
export type Worker = { readonly runner: ProjectionRunner; readonly close: () => Promise<void> };

/** Starts updating the read tables: now, at every wake-up, and once a second anyway. */
export async function startWorker(store: Store, onReached?: () => void): Promise<Worker> {
  const { logger } = store;
  const holds = await startStoreHolds(store);
  const runner = createRunner({
    sql: store.workSql,
    projections,
    events,
    commit: store.standby === null ? "off" : "local",
    previousEveryMs: 1_000,
    onHeld: (news) => {
      logger.error(
        news,
        `rows of ${news.projection} are held back; fix the step, then \`npm run rebuild -- ${news.projection} --quarantined\``,
      );
      holds.look();
    },
    ...(onReached === undefined ? {} : { onReached }),
  });
  const listener = await onWake(store.boss, runner.catchUp, { logger });
  const stopCalling = store.waker.callHere(listener.nudge);
  const erasing = store.purge === null ? null : startErasing(erasingDepsOf(store, store.purge));
  const { clock, identity } = store;
  const cleaning = startLabelCleaning({ labels: identity.labels, clock, logger });
  const operating = startOperating({
    sql: store.workSql,
    rebuildSql: store.rebuildSql,
    projections,
    events,
    doing: store.doing,
    logger,
  });
  const deadlines = await startTradeDeadlines({
    boss: store.boss,
    sql: store.workSql,
    ledger: store.ledger,
    readEvent: createReadEvent(events),
    clock,
    mailer: store.mailer,
    appUrl: store.site.url,
    logger,
  });
  const backups = await startKeepingBackups(store);
  const proof = await startStoreProof(store);
  return {
    runner,
    close: async () => {
      await proof.close();
      await backups.close();
      await operating.close();
      await erasing?.close();
      await cleaning.close();
      await deadlines.close();
      stopCalling();
      await listener.stop();
      await holds.close();
    },
  };
}

/** The dependencies of finishing erasures. */
export function erasingDepsOf(store: Store, purge: Purge): ErasingDeps {
  const { workSql: sql, clock, logger } = store;
  const { mail } = store.config;
  return { sql, clock, logger, purge, outbox: mail.kind === "outbox" ? mail.folder : null };
}

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
  store.doing.set("requests", () => `Serves requests, ${live.listenerCount()} live streams open`);
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
    logger: store.logger,
    workThread: store.workThread,
    freshness: store.reading.freshness,
  };
}
