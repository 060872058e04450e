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
import { openDatabase } from "#db/open.ts";
import type { HeadsPlace } from "#ledger/log/head-files.ts";

export type Books = {
  /** As the application's role. */
  readonly sql: Sql;
  readonly appUrl: string;
  /** Where heads of the chain are published. */
  readonly heads: HeadsPlace;
  /** True when this script started the database itself, because nobody else runs it. */
  readonly startedHere: boolean;
};

export type BooksWanted = {
  /** The script's name, as pg_stat_activity shows it. */
  readonly name: string;
  /** Whether a data folder without a store in it gets an empty one; else that is an error. */
  readonly mayBegin: boolean;
};

type Address = Pick<Books, "appUrl" | "startedHere"> & { readonly stop: () => Promise<void> };

function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** A running store keeps the schema it was started with: a newer program must not change it below its feet. */
async function refuseOlderSchema(appUrl: string): Promise<void> {
  const sql = connect(appUrl, { applicationName: "ledger-schema-check", maxConnections: 1 });
  try {
    const pending = await pendingMigrations(sql);
    if (pending.length > 0) {
      throw new Error(
        `The running store is older than this program (it lacks ${pending.join(", ")}): stop it and start it again`,
      );
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** What a script ends with when a service took its store over: nothing is wrong, and a second call goes through. */
export const STORE_TAKEN_OVER = 75;

/** A service that starts has the store from this script, which ends at once. Returns how to stay from then on. */
function giveWay(): () => void {
  const leave = () => {
    note(
      "A service starts on this store, so this script has given it up before it was done. Call it again: it then " +
        "runs beside the service.",
    );
    // The database that was started for the script is told to end by the exit.
    process.exit(STORE_TAKEN_OVER);
  };
  process.on(giveWaySignal, leave);
  return () => {
    process.on(giveWaySignal, () => undefined);
    process.off(giveWaySignal, leave);
  };
}

/** Who holds the folder, once that is a service which can be used or nobody: another script is waited for. */
async function settledHolder(dataDir: string): Promise<Holder | null> {
  const deadline = performance.now() + SERVICE_STARTS_WITHIN_MS;
  for (let said = false; ;) {
    const holder = await findHolder(dataDir);
    if (holder === null || (holder.kind === "service" && holder.port !== null)) {
      return holder;
    }
    if (holder.kind === "service" && performance.now() > deadline) {
      throw new Error(
        `The store in ${dataDir} is in the hands of process ${holder.pid}, which is just starting or ending. ` +
          "Call this again when it is done.",
      );
    }
    if (holder.kind === "script" && !said) {
      said = true;
      note(`Another script (process ${holder.pid}) works on the store; waiting for it to end.`);
    }
    await delay(LOOK_AGAIN_MS);
  }
}

const SERVICE_STARTS_WITHIN_MS = 30_000;
const LOOK_AGAIN_MS = 100;

/** The running service's database, or one that is started here. */
async function embeddedAddress(config: Config, mayBegin: boolean): Promise<Address> {
  for (;;) {
    const holder = await settledHolder(config.dataDir);
    const running = holder === null ? null : await findRunningEmbedded(config.dataDir);
    if (running !== null) {
      await refuseOlderSchema(running.appUrl);
      return { appUrl: running.appUrl, startedHere: false, stop: () => Promise.resolve() };
    }
    if (!mayBegin && !existsSync(homeOf(config.dataDir))) {
      throw new Error(
        `There is no store in ${config.dataDir}. DATA_DIR names the folder of another one, DATABASE_URL a database; ` +
          "`npm run demo` or `npm start` makes a new one.",
      );
    }
    const stay = giveWay();
    try {
      note(
        `Nobody runs the store in ${config.dataDir}: its database is started for this script alone.`,
      );
      const opened = await openDatabase(config, "script", note);
      return {
        appUrl: opened.appUrl,
        startedHere: true,
        stop: () => {
          stay();
          return opened.close();
        },
      };
    } catch (error) {
      stay();
      // Somebody else was faster: look again who it is.
      if (!(error instanceof DataFolderInUse)) {
        throw error;
      }
    }
  }
}

async function addressOf(config: Config, { mayBegin }: BooksWanted): Promise<Address> {
  if (config.database.kind === "embedded") {
    return embeddedAddress(config, mayBegin);
  }
  const opened = await openDatabase(config, "script", note);
  return { appUrl: opened.appUrl, startedHere: false, stop: opened.close };
}

/** Runs `body` on the books and closes them again, whatever comes of it. Throws where there are none. */
export async function withBooks<Result>(
  wanted: BooksWanted,
  body: (books: Books) => Promise<Result>,
): Promise<Result> {
  const config = readConfig();
  const { appUrl, startedHere, stop } = await addressOf(config, wanted);
  const sql = connect(appUrl, { applicationName: `script-${wanted.name}`, maxConnections: 6 });
  try {
    return await body({ sql, appUrl, heads: config.heads, startedHere });
  } finally {
    await sql.end({ timeout: 5 });
    await stop();
  }
}
