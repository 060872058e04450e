// Opens a store: database, schema, read tables, jobs, the log's writer, identity. Closing goes the other way.
import type { Logger } from "pino";
import type { PgBoss } from "pg-boss";
import type { Config } from "#config";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { openDatabase } from "#db/open.ts";
import type { Purge } from "#db/purge.ts";
import type { Standby } from "#db/standby.ts";
import type { StorageWatch } from "#db/storage-watch.ts";
import type { Site } from "#http/deps.ts";
import { openReading } from "#http/reading.ts";
import type { ReadParts } from "#http/reading.ts";
import { createRetailer, type Retailer } from "#http/retailer.ts";
import type { StoreFacts } from "#http/store-facts.ts";
import { createWorkThread } from "#http/work-thread.ts";
import type { WorkThread } from "#http/work-thread.ts";
import { createStoreFacts } from "#features/settings/current-settings.ts";
import { falseAdmins } from "#features/users/false-admins.ts";
import type { Identity } from "#identity/identity.ts";
import type { PasswordCost } from "#identity/passwords.ts";
import { closeBoss, openBoss } from "#jobs/boss.ts";
import type { Mailer } from "#mail/mailer.ts";
import { createWaker, ensureWakeUpQueue } from "#jobs/wake-up.ts";
import type { Waker } from "#jobs/wake-up.ts";
import type { HeadPublisher } from "#ledger/log/published-heads.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { openLedger } from "#ledger/log/writer.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { CLOSES_WITHIN_MS, closeWithin } from "./close-within.ts";
import { openBackgroundPools } from "./background-pools.ts";
import type { BackgroundPools } from "./background-pools.ts";
import type { Doing } from "./doing.ts";
import { events, projections, streams } from "../features.ts";
import { openIdentity, openMailer } from "./open-identity.ts";
import {
  publishStoreHeads,
  reportStoreProcess,
  siteOf,
  upgradeStore,
  watchStoreStandby,
  watchStoreStorage,
} from "./store-parts.ts";
import type { Tell, Upgraded } from "./store-parts.ts";
import { newTimeOrderedId } from "#ledger/log/time-ordered-id.ts";

export type StoreOptions = {
  readonly config: Config;
  readonly logger: Logger;
  /** Shown in pg_stat_activity: "start", "api", "worker" or a script's name. */
  readonly name: string;
  /** Whether this process updates the read tables itself or only wakes the processes that do. */
  readonly works: boolean;
  readonly clock?: () => Date;
  /** Is told how far an older store is upgraded, for a process whose log a person does not read. */
  readonly tell?: Tell;
  /** Ends an upgrade that may take long; the next start goes on with it. */
  readonly signal?: AbortSignal;
  /** By default the one that keeps passwords safe; a test about something else passes a cheap one. */
  readonly passwordCost?: PasswordCost;
  /** How long closing waits for commands that get no answer. */
  readonly closesWithinMs?: number;
};

/** A store that is open: what the API, the worker, scripts and tests share. */
export type Store = BackgroundPools & {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: () => Date;
  /** As the application's role, for requests: statements that take too long are canceled. */
  readonly sql: Sql;
  /** As the application's role, for work that may take long. */
  readonly workSql: Sql;
  /** The same for steps of the read tables: one connection, because each plans every statement for itself. */
  readonly stepSql: Sql;
  /** Of the primary, as the application's role. */
  readonly databaseUrl: string;
  /** A hot standby for reads; null if none is configured. */
  readonly standby: Standby | null;
  readonly reading: ReadParts;
  readonly boss: PgBoss;
  readonly waker: Waker;
  readonly ledger: LedgerWriter;
  readonly upgraded: Upgraded;
  /** Why the log's head cannot be published at the moment; null when it can. */
  readonly headsFailure: HeadPublisher["failure"];
  readonly publishHead: HeadPublisher["catchUp"];
  /** What this process reports on the operations screen: parts that work for a while add themselves. */
  readonly doing: Doing;
  readonly identity: Identity;
  readonly mailer: Mailer;
  /** The process begins to end: no letter holds it up for more than five seconds. */
  readonly endLetters: () => void;
  /** What the store is called, where it is, and its time zone. */
  readonly facts: StoreFacts;
  readonly retailer: Retailer;
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
  const pool = poolsIn(parts, name);
  const sql = pool(database.appUrl, 10, requestTimeoutMs);
  const workSql = pool(database.appUrl, 4);
  const stepSql = pool(database.appUrl, 1);
  const upgraded = await upgradeStore(database, workSql, logger, options);
  // Only once the tables exist: the standby has to reach this point before anything reads from it.
  const standby = watchStoreStandby(options, workSql, requestTimeoutMs);
  parts.defer(() => standby?.close());

  const boss = await openStoreBoss(options, database.appUrl);
  parts.defer(() => closeBoss(boss));
  await ensureWakeUpQueue(boss);
  const waker = createWaker(boss, { logger });
  parts.defer(waker.close);

  const heads = publishStoreHeads({ ...options, clock }, workSql);
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
  parts.defer(() => closeLedger(ledger, heads, options));
  const workThread = createWorkThread();
  parts.defer(workThread.close);
  await nameFalseAdmins(workSql, logger);
  const letters = new AbortController();
  const mailer = openMailer(config, clock, letters.signal);
  const identity = await openIdentity({ ...options, sql, clock, mailer, closing: parts });
  const facts = createStoreFacts({ sql, readEvent: createReadEvent(events) }, config.storeTimeZone);
  const background = { name, workSql, requestTimeoutMs };
  const { pools, gentle } = openBackgroundPools(parts, database, background);
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
    stepSql,
    databaseUrl: database.appUrl,
    standby,
    reading: openReading({ primary: sql, gentle, standby, projections, wakeUp: waker.wake }),
    boss,
    waker,
    ledger,
    upgraded,
    headsFailure: heads.failure,
    publishHead: heads.catchUp,
    doing,
    ...pools,
    facts,
    mailer,
    endLetters: () => letters.abort(),
    identity,
    retailer: createRetailer(config.retailer),
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

/** Opens pools that are closed with the other parts. */
function poolsIn(parts: AsyncDisposableStack, name: string) {
  return (url: string, maxConnections: number, statementTimeoutMs?: number): Sql => {
    const sql = connect(url, {
      applicationName: `ledger-${name}`,
      maxConnections,
      ...(statementTimeoutMs === undefined ? {} : { statementTimeoutMs }),
    });
    parts.defer(() => sql.end({ timeout: 5 }));
    return sql;
  };
}

/** Also the heads, which are read from the same log. The pool that the writer waits for ends next. */
function closeLedger(
  ledger: LedgerWriter,
  heads: HeadPublisher,
  { logger, closesWithinMs = CLOSES_WITHIN_MS }: StoreOptions,
): Promise<void> {
  const onLate = () =>
    logger.warn(
      { commands: ledger.unanswered() },
      "the database does not answer the ledger, which ends without waiting for it; whoever sends such a command again, under its key, learns whether it was recorded",
    );
  const close = async () => {
    await ledger.close();
    await heads.close();
  };
  return closeWithin(closesWithinMs, { name: "the ledger", close, onLate }, logger);
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
