// Parts of an open store that take more than a line to make: watchers, checks, and the state of the read tables.
import type { Logger } from "pino";
import type { Config } from "#config";
import type { Sql } from "#db/connect.ts";
import { migrationNames } from "#db/migration-names.ts";
import type { OpenedDatabase } from "#db/open.ts";
import { reportProcess } from "#db/processes.ts";
import type { StorageWatch } from "#db/storage-watch.ts";
import { watchStorage } from "#db/storage-watch.ts";
import { watchStandby } from "#db/standby.ts";
import type { Standby } from "#db/standby.ts";
import { readTablesCheck } from "#http/read-tables-check.ts";
import { workerCheck } from "#http/worker-check.ts";
import type { Site } from "#http/deps.ts";
import { databaseCheck, headsCheck, storageCheck } from "#http/readiness.ts";
import type { ReadinessCheck } from "#http/readiness.ts";
import type { StoreFacts } from "#http/store-facts.ts";
import { timeZoneCheck } from "#http/time-zone-check.ts";
import { standbyCheck } from "#http/standby-report.ts";
import type { HeadPublisher } from "#ledger/log/published-heads.ts";
import { publishHeads } from "#ledger/log/published-heads.ts";
import { describeBuildNews } from "#ledger/projection/build-news.ts";
import { describeNotShown, ensureProjections } from "#ledger/projection/ensure.ts";
import { createDoing } from "./doing.ts";
import type { Doing } from "./doing.ts";
import { events, projections } from "../features.ts";

type PartsOptions = {
  readonly config: Config;
  readonly logger: Logger;
  readonly name: string;
};

/** Watches the folders of an embedded database; the folders of an external one are unknown. */
export function watchStoreStorage(
  { config, logger }: PartsOptions,
  database: OpenedDatabase,
): StorageWatch {
  const { folders } = database;
  return watchStorage({
    folders:
      folders.length === 0 ? [] : [...folders, { name: "data folder", path: config.dataDir }],
    warningBytes: config.storageWarningBytes,
    logger,
  });
}

/** The public address of the app; if none is configured, the address this process listens on. */
export function siteOf({ publicUrl }: Config, listensAt: () => string): Site {
  return {
    origins: publicUrl === null ? "host" : [publicUrl],
    isSecure: publicUrl?.startsWith("https:") ?? false,
    url: () => publicUrl ?? listensAt(),
  };
}

/** Publishes the log's heads to this process's file, and logs when it cannot and when it can again. */
export function publishStoreHeads(
  { config, logger, name, clock }: PartsOptions & { readonly clock: () => Date },
  sql: Sql,
): HeadPublisher {
  return publishHeads({
    folder: config.heads.folder,
    name,
    sql,
    clock,
    onError: (error) =>
      logger.warn({ err: error }, "the log's head could not be published; it will be retried"),
    onRecovered: () => logger.info("the log's head can be published again"),
  });
}

/** Reports what this process does, for the operations screen: its parts say so through `doing`. */
export function reportStoreProcess(
  { logger, name }: PartsOptions,
  sql: Sql,
  heads: Pick<HeadPublisher, "written">,
): { readonly doing: Doing; readonly close: () => Promise<void> } {
  const doing = createDoing();
  const { close } = reportProcess({
    sql,
    name,
    report: () => ({ doing: doing.sentences(), published: heads.written() }),
    onError: (error) => logger.debug({ err: error }, "this process could not report what it does"),
  });
  return { doing, close };
}

/** What an older program had left and was upgraded now: the migrations applied, the read tables built again. */
export type Upgraded = {
  readonly migrations: readonly string[];
  readonly rebuilt: readonly string[];
};

/** Tells a person at a terminal how far an upgrade is, in the words of the log. */
export type Tell = (line: string) => void;

/** Logs which migrations were applied, and brings the read tables to this program's versions. */
export async function upgradeStore(
  { migrated }: Pick<OpenedDatabase, "migrated">,
  sql: Sql,
  logger: Logger,
  { tell = () => undefined, signal }: { readonly tell?: Tell; readonly signal?: AbortSignal } = {},
): Promise<Upgraded> {
  if (migrated.length > 0) {
    logger.info({ migrations: migrated }, "the schema was migrated");
    tell(`the schema was migrated (${migrationNames(migrated)})`);
  }
  return { migrations: migrated, rebuilt: await ensureReadTables(sql, logger, tell, signal) };
}

/**
 * Logs how far tables of another version are built again, and as errors which new ones are not shown. Throws if this
 * program cannot serve without them. Returns the names of those that were built again.
 */
async function ensureReadTables(
  sql: Sql,
  logger: Logger,
  tell: Tell,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const rebuilt: string[] = [];
  const say = (line: string, news: object = {}): void => {
    logger.info(news, line);
    tell(line);
  };
  const notShown = await ensureProjections({
    sql,
    projections,
    events,
    signal,
    onWaiting: () =>
      say("another process makes the read tables; this one serves nothing until that is done"),
    onNews: (news) => {
      const untilThen = news.kind === "begun" ? "; this process serves nothing until then" : "";
      say(`${describeBuildNews(news)}${untilThen}`, news);
      if (news.kind === "shown") {
        rebuilt.push(news.projection);
      }
    },
  });
  for (const entry of notShown) {
    logger.error(
      { projection: entry.projection, version: entry.version, held: entry.held },
      describeNotShown(entry),
    );
  }
  const fatal = notShown.filter((entry) => entry.cannotServe !== null);
  if (fatal.length > 0) {
    throw new Error(fatal.map(describeNotShown).join("\n"));
  }
  return rebuilt;
}

/** Everything that serving from this store depends on. */
export function readinessChecksOf(store: {
  readonly sql: Sql;
  readonly standby: Standby | null;
  readonly storage: StorageWatch;
  readonly headsFailure: HeadPublisher["failure"];
  readonly facts: Pick<StoreFacts, "timeZone">;
  readonly clock: () => Date;
}): readonly ReadinessCheck[] {
  return [
    databaseCheck(() => store.sql`select 1`),
    storageCheck(store.storage),
    readTablesCheck(store.sql, projections, events),
    workerCheck(store.sql),
    headsCheck(store.headsFailure),
    timeZoneCheck(store.sql, store.facts.timeZone, store.clock),
    ...(store.standby === null ? [] : [standbyCheck(store.standby)]),
  ];
}

/** Watches the configured standby, and logs when reads start or stop going there; null without a standby. */
export function watchStoreStandby(
  { config, logger, name }: PartsOptions,
  primary: Sql,
  statementTimeoutMs: number,
): Standby | null {
  const { database } = config;
  if (database.kind === "embedded" || database.readUrl === null) {
    return null;
  }
  return watchStandby({
    url: database.readUrl,
    primary,
    applicationName: `ledger-${name}-reads`,
    maxConnections: 10,
    statementTimeoutMs,
    maxLagMs: database.readMaxLagMs,
    onChange: (state, error) => {
      if (state.kind === "following") {
        logger.info("the standby keeps up: reads go there");
      } else {
        logger.warn({ ...state, err: error }, "reads go to the primary instead of the standby");
      }
    },
  });
}
