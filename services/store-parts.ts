// Parts of an open store that take more than a line to make: watchers, checks, and where the read tables stand.
import type { Logger } from "pino";
import type { Config } from "#config";
import type { Sql } from "#db/connect.ts";
import type { OpenedDatabase } from "#db/open.ts";
import type { StorageWatch } from "#db/storage-watch.ts";
import { watchStorage } from "#db/storage-watch.ts";
import { checkpointsIn } from "#http/checkpoints.ts";
import type { ReadCheckpoints } from "#http/checkpoints.ts";
import { readTablesCheck } from "#http/read-tables-check.ts";
import type { Site } from "#http/deps.ts";
import { databaseCheck, headsCheck, storageCheck } from "#http/readiness.ts";
import type { ReadinessCheck } from "#http/readiness.ts";
import type { HeadPublisher } from "#ledger/log/published-heads.ts";
import { publishHeads } from "#ledger/log/published-heads.ts";
import { describeNotShown, ensureProjections } from "#ledger/projection/ensure.ts";
import { events, projections } from "./features.ts";

type PartsOptions = {
  readonly config: Config;
  readonly logger: Logger;
  readonly name: string;
};

/** Watches the folders of an embedded database; of an external one nothing is known. */
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

/** How people reach the app; where no public address is configured, where this process listens. */
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
      logger.warn({ err: error }, "the log's head could not be published; it is tried again"),
    onRecovered: () => logger.info("the log's head is published again"),
  });
}

/** Says loudly which new tables are not shown. Throws where this program cannot serve without them. */
export async function ensureReadTables(sql: Sql, logger: Logger): Promise<void> {
  const notShown = await ensureProjections({ sql, projections, events });
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
}

/** What serving from this store depends on. */
export function readinessChecksOf(store: {
  readonly sql: Sql;
  readonly storage: StorageWatch;
  readonly headsFailure: HeadPublisher["failure"];
}): readonly ReadinessCheck[] {
  return [
    databaseCheck(() => store.sql`select 1`),
    storageCheck(store.storage),
    readTablesCheck(store.sql, events),
    headsCheck(store.headsFailure),
  ];
}

/** A standby may be behind the head that a caller has just seen, so the head is the primary's. */
export function checkpointsAcross(primary: Sql, standby: Sql): ReadCheckpoints {
  const ofPrimary = checkpointsIn(primary);
  const ofStandby = checkpointsIn(standby);
  return async () => {
    const [{ head }, { positions, held }] = await Promise.all([ofPrimary(), ofStandby()]);
    return { head, positions, held };
  };
}
