// Opens the books for an operator's script: the running service's database, a configured one, or a stopped one.
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { readConfig } from "#config";
import type { Config } from "#config";
import type { Sql } from "#db/connect.ts";
import { connect } from "#db/connect.ts";
import { findHolder, findRunningEmbedded } from "#db/embedded.ts";
import { DataFolderInUse, homeOf } from "#db/embedded/home.ts";
import type { Holder } from "#db/embedded/home.ts";
import { giveWaySignal } from "#db/embedded/take-over.ts";
import { pendingMigrations } from "#db/migrate.ts";
import { migrationNames } from "#db/migration-names.ts";
import { openDatabase } from "#db/open.ts";
import type { HeadsPlace } from "#ledger/log/head-files.ts";
import type { BuildNews } from "#ledger/projection/build-news.ts";
import { describeBuildNews } from "#ledger/projection/build-news.ts";

export type Books = {
  /** As the application's role. */
  readonly sql: Sql;
  readonly appUrl: string;
  /** As the owner of the schema; null if its address is not configured. */
  readonly ownerUrl: string | null;
  /** Where heads of the chain are published. */
  readonly heads: HeadsPlace;
  /** True when this script started the database itself, because nothing else runs it. */
  readonly startedHere: boolean;
};

export type BooksWanted = {
  /** The script's name, as pg_stat_activity shows it. */
  readonly name: string;
  /** Whether a data folder without a store gets an empty one; otherwise that is an error. */
  readonly mayBegin: boolean;
  /**
   * What is done with a stopped store of an older program: it is migrated (the default), refused, or read as it is.
   * Scripts that only read never migrate.
   */
  readonly ofOlder?: "migrate" | "refuse" | "read";
};

type Address = Pick<Books, "appUrl" | "ownerUrl" | "startedHere"> & {
  readonly stop: () => Promise<void>;
};

function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Tells how far tables of another version are built again before a script can go on. */
export function noteBuild(news: BuildNews): void {
  note(describeBuildNews(news));
}

/** What is said of a store that this program would have to migrate first. */
export function describeOlderStore(pending: readonly string[]): string {
  return (
    `This store is older: start the service to upgrade it (it lacks ${migrationNames(pending)}), ` +
    "or run this with the older program."
  );
}

/** A newer program must not change the schema under a running store. */
async function refuseOlderSchema(appUrl: string): Promise<void> {
  const sql = connect(appUrl, { applicationName: "ledger-schema-check", maxConnections: 1 });
  try {
    const pending = await pendingMigrations(sql);
    if (pending.length > 0) {
      throw new Error(
        `The running store is older than this program (it lacks ${migrationNames(pending)}): stop it and start it again`,
      );
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The exit code of a script whose store a service took over: nothing is wrong, and a second run will work. */
export const STORE_TAKEN_OVER = 75;

/** Ends this script at once when a service wants the store. Returns a function that turns this off. */
function giveWay(): () => void {
  const leave = () => {
    note(
      "A service is starting on this store, so this script stopped before it was done. Run it again: it will then " +
        "work while the service runs.",
    );
    // Exiting also stops the database that was started for this script.
    process.exit(STORE_TAKEN_OVER);
  };
  process.on(giveWaySignal, leave);
  return () => {
    process.on(giveWaySignal, () => undefined);
    process.off(giveWaySignal, leave);
  };
}

/** The service that holds the folder, once it is ready, or null. Waits while another script holds it. */
async function settledHolder(dataDir: string): Promise<Holder | null> {
  const deadline = performance.now() + SERVICE_STARTS_WITHIN_MS;
  for (let said = false; ;) {
    const holder = await findHolder(dataDir);
    if (holder === null || (holder.kind === "service" && holder.port !== null)) {
      return holder;
    }
    if (holder.kind === "service" && performance.now() > deadline) {
      throw new Error(
        `Process ${holder.pid} holds the store in ${dataDir} and is just starting or ending. ` +
          "Run this again when it is done.",
      );
    }
    if (holder.kind === "script" && !said) {
      said = true;
      note(`Another script (process ${holder.pid}) is using the store; waiting for it to end.`);
    }
    await delay(LOOK_AGAIN_MS);
  }
}

const SERVICE_STARTS_WITHIN_MS = 30_000;
const LOOK_AGAIN_MS = 100;

/** The running service's database, or one that is started here. */
async function embeddedAddress(
  config: Config,
  { mayBegin, ofOlder = "migrate" }: BooksWanted,
): Promise<Address> {
  for (;;) {
    const holder = await settledHolder(config.dataDir);
    const running = holder === null ? null : await findRunningEmbedded(config.dataDir);
    if (running !== null) {
      if (ofOlder !== "read") {
        await refuseOlderSchema(running.appUrl);
      }
      return { ...running, startedHere: false, stop: () => Promise.resolve() };
    }
    if (!mayBegin && !existsSync(homeOf(config.dataDir))) {
      throw new Error(
        `There is no store in ${config.dataDir}. Set DATA_DIR to the folder of another one, or DATABASE_URL to a ` +
          "database; `npm run demo` or `npm start` makes a new one.",
      );
    }
    const stay = giveWay();
    try {
      note(
        `The store in ${config.dataDir} is not running: starting its database for this script only.`,
      );
      const opened = await openDatabase(config, "script", note, ofOlder !== "migrate");
      return {
        appUrl: opened.appUrl,
        ownerUrl: opened.ownerUrl,
        startedHere: true,
        stop: () => {
          stay();
          return opened.close();
        },
      };
    } catch (error) {
      stay();
      // Another process was faster: find out which.
      if (!(error instanceof DataFolderInUse)) {
        throw error;
      }
    }
  }
}

async function addressOf(config: Config, wanted: BooksWanted): Promise<Address> {
  if (config.database.kind === "embedded") {
    return embeddedAddress(config, wanted);
  }
  const opened = await openDatabase(
    config,
    "script",
    note,
    (wanted.ofOlder ?? "migrate") !== "migrate",
  );
  const { appUrl, ownerUrl } = opened;
  return { appUrl, ownerUrl, startedHere: false, stop: opened.close };
}

/** Runs `body` on the books and closes them again in any case. Throws if there are none. */
export async function withBooks<Result>(
  wanted: BooksWanted,
  body: (books: Books) => Promise<Result>,
): Promise<Result> {
  const config = readConfig();
  const { appUrl, ownerUrl, startedHere, stop } = await addressOf(config, wanted);
  const sql = connect(appUrl, { applicationName: `script-${wanted.name}`, maxConnections: 6 });
  try {
    const pending = wanted.ofOlder === "refuse" ? await pendingMigrations(sql) : [];
    if (pending.length > 0) {
      throw new Error(describeOlderStore(pending));
    }
    return await body({ sql, appUrl, ownerUrl, heads: config.heads, startedHere });
  } finally {
    await sql.end({ timeout: 5 });
    await stop();
  }
}
