// Puts a process together from its parts, in the order they need each other; closing takes them apart in reverse.
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { PgBoss } from "pg-boss";
import type { Config } from "#config";
import { connect, kyselyOver } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { openDatabase } from "#db/open.ts";
import type { Purge } from "#db/purge.ts";
import { createApp } from "#http/app.ts";
import { checkpointsIn } from "#http/checkpoints.ts";
import type { ReadCheckpoints } from "#http/checkpoints.ts";
import type { RouteDeps } from "#http/deps.ts";
import { createFreshness } from "#http/freshness-wait.ts";
import { observeLedger } from "#http/ledger-metrics.ts";
import { createLive } from "#http/live.ts";
import { createMetrics } from "#http/metrics.ts";
import { startHttpServer } from "#http/server.ts";
import type { HttpServer } from "#http/server.ts";
import type { WebBuild } from "#http/web-build.ts";
import { createWorkThread } from "#http/work-thread.ts";
import type { WorkThread } from "#http/work-thread.ts";
import { adoptEverybody } from "#features/users/adoption.ts";
import type { Identity } from "#identity/identity.ts";
import { createReservationKeys } from "#identity/reservation-keys.ts";
import { closeBoss, openBoss } from "#jobs/boss.ts";
import { createWaker, ensureWakeUpQueue, onWake } from "#jobs/wake-up.ts";
import type { Waker } from "#jobs/wake-up.ts";
import { publishHeads } from "#ledger/log/published-heads.ts";
import { openLedger } from "#ledger/log/writer.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { createRunner } from "#ledger/projection/run.ts";
import type { ProjectionRunner } from "#ledger/projection/run.ts";
import { startErasing } from "./erasing.ts";
import type { ErasingDeps } from "./erasing.ts";
import { events, features, projections, streams } from "./features.ts";
import { stockImportRoutes } from "./import/routes.ts";
import { openIdentity } from "./open-identity.ts";
import { newTimeOrderedId } from "./time-ordered-id.ts";

export type StoreOptions = {
  readonly config: Config;
  readonly logger: Logger;
  /** Shown in pg_stat_activity: "start", "api", "worker" or a script's name. */
  readonly name: string;
  /** Whether this process moves the read tables, or only asks others to. */
  readonly works: boolean;
  readonly clock?: () => Date;
};

/** A store that is open: what API, worker, scripts and tests have in common. */
export type Store = {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: () => Date;
  /** As the application's role, for requests: statements that take too long are ended. */
  readonly sql: Sql;
  /** As the application's role, for work that takes its time. */
  readonly workSql: Sql;
  /** The same as `sql`, or a hot standby's. */
  readonly readSql: Sql;
  readonly boss: PgBoss;
  readonly waker: Waker;
  readonly ledger: LedgerWriter;
  readonly identity: Identity;
  readonly readCheckpoints: ReadCheckpoints;
  /** There is a thread only while somebody has work for it. */
  readonly workThread: WorkThread;
  /** Makes the database forget what was deleted; null where this process may not. */
  readonly purge: Purge | null;
  /** Where the API turned out to listen: letters lead there if no public address is configured. */
  readonly listensAt: (url: string) => void;
  /** Rejects when the database is lost for good; never resolves. */
  readonly lost: Promise<never>;
  readonly close: () => Promise<void>;
};

const requestTimeoutMs = 15_000;

/** Opens the store: database, schema, read tables, jobs, the log's writer, identity. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { config, logger, name, clock = () => new Date() } = options;
  await using parts = new AsyncDisposableStack();

  const database = await openDatabase(config, (line) => logger.warn(line));
  parts.defer(database.close);
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
  const readSql = database.readUrl === null ? sql : pool(database.readUrl, 10, requestTimeoutMs);
  await ensureProjections({ sql: workSql, projections });

  const boss = await openBoss({
    url: database.appUrl,
    applicationName: `ledger-${name}-jobs`,
    role: options.works ? "worker" : "sender",
    logger,
  });
  parts.defer(() => closeBoss(boss));
  await ensureWakeUpQueue(boss);
  const waker = createWaker(boss, { logger });
  parts.defer(waker.close);

  const heads = publishHeads(config.headsFile, (error) =>
    logger.error({ err: error }, "the log's head could not be published"),
  );
  parts.defer(heads.close);
  const ledger = openLedger({
    sql: pool(database.appUrl, 1),
    streams,
    events,
    newId: newTimeOrderedId,
    onAppended: (head) => {
      waker.wake();
      heads.publish(head);
    },
  });
  parts.defer(ledger.close);
  const workThread = createWorkThread();
  parts.defer(workThread.close);
  const keys = createReservationKeys(sql);
  await adoptEverybody({ sql: workSql, ledger, clock, keys });

  let address = `http://${config.host}:${config.port}`;
  const opened = parts.move();
  return {
    config,
    logger,
    clock,
    sql,
    workSql,
    readSql,
    boss,
    waker,
    ledger,
    identity: openIdentity({ config, sql, clock, listensAt: () => address }),
    readCheckpoints: readSql === sql ? checkpointsIn(sql) : checkpointsAcross(sql, readSql),
    workThread,
    purge: database.purge,
    listensAt: (url) => {
      address = url;
    },
    lost: database.lost,
    close: () => opened.disposeAsync(),
  };
}

/** What moves the read tables in this process. */
export type Worker = { readonly runner: ProjectionRunner; readonly close: () => Promise<void> };

/** Starts to move the read tables: at once, at every wake-up, and once a second by itself. */
export async function startWorker(store: Store, onReached?: () => void): Promise<Worker> {
  const { logger } = store;
  const runner = createRunner({
    sql: store.workSql,
    projections,
    onQuarantine: (projection, keys, atPosition) =>
      logger.error({ projection, keys, atPosition }, "row keys were set aside; somebody must look"),
    ...(onReached === undefined ? {} : { onReached }),
  });
  const listener = await onWake(store.boss, runner.catchUp, { logger });
  const keepSilent = store.waker.tellHere(listener.nudge);
  const erasing = store.purge === null ? null : startErasing(erasingDepsOf(store, store.purge));
  return {
    runner,
    close: async () => {
      await erasing?.close();
      keepSilent();
      await listener.stop();
    },
  };
}

/** What it takes to finish erasures. */
export function erasingDepsOf(store: Store, purge: Purge): ErasingDeps {
  const { workSql: sql, clock, logger } = store;
  const { mail } = store.config;
  return { sql, clock, logger, purge, outbox: mail.kind === "outbox" ? mail.folder : null };
}

/** The API of this process, listening. */
export type Api = {
  readonly server: HttpServer;
  readonly nudge: () => void;
  readonly close: () => Promise<void>;
};

/** Serves API and web build on the configured port. Rejects when it is taken. */
export async function startApi(store: Store, webBuild: WebBuild): Promise<Api> {
  const { config, logger, clock, readCheckpoints, identity } = store;
  const metrics = createMetrics();
  const live = createLive({
    readCheckpoints,
    clock,
    onError: (error) => logger.warn({ err: error }, "live streams could not be fed"),
  });
  observeLedger(metrics.registry, {
    readCheckpoints,
    queueLength: store.ledger.queueLength,
    listenerCount: live.listenerCount,
  });
  let isClosing = false;
  const app = createApp(
    {
      ...routeDepsOf(store),
      identity,
      live,
      metrics,
      webBuild,
      proxyCount: config.proxyCount,
      ...(config.metricsToken === null ? {} : { metricsToken: config.metricsToken }),
      checkReady: async () => {
        if (isClosing) {
          throw new Error("This process is on its way out");
        }
        await store.sql`select 1`;
      },
    },
    [...features.flatMap((feature) => feature.routes), stockImportRoutes],
  );
  const server = await startHttpServer({
    app,
    host: config.host,
    port: config.port,
    closeStreams: live.close,
  });
  store.listensAt(server.url);
  return {
    server,
    nudge: live.nudge,
    close: () => {
      isClosing = true;
      return server.close();
    },
  };
}

/** What features' routes and their queries need of an open store; scripts may use it too. */
export function routeDepsOf(store: Store): RouteDeps {
  const { identity } = store;
  return {
    ledger: store.ledger,
    db: kyselyOver(store.readSql),
    sql: store.sql,
    clock: store.clock,
    newId: randomUUID,
    profiles: identity.profiles,
    payoutHandles: identity.payoutHandles,
    notes: identity.notes,
    storeTimeZone: store.config.storeTimeZone,
    logger: store.logger,
    workThread: store.workThread,
    freshness: createFreshness({
      readCheckpoints: store.readCheckpoints,
      wakeUp: store.waker.wake,
    }),
  };
}

/** A standby may be behind the head that a caller has just seen, so the head is the primary's. */
function checkpointsAcross(primary: Sql, standby: Sql): ReadCheckpoints {
  const ofPrimary = checkpointsIn(primary);
  const ofStandby = checkpointsIn(standby);
  return async () => {
    const [{ head }, { positions }] = await Promise.all([ofPrimary(), ofStandby()]);
    return { head, positions };
  };
}
