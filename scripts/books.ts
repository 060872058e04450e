// Opens the books for an operator's script: the running service's database, a configured one, or a stopped one.
import { existsSync } from "node:fs";
import { readConfig } from "#config";
import type { Config } from "#config";
import type { Sql } from "#db/connect.ts";
import { connect } from "#db/connect.ts";
import { findRunningEmbedded } from "#db/embedded.ts";
import { DataFolderInUse, homeOf } from "#db/embedded/home.ts";
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

/** A store that serves is used beside it; who holds the folder without serving begins, ends, or is a script. */
function inUse(dataDir: string, cause: DataFolderInUse): Error {
  return new Error(
    `The store in ${dataDir} is in the hands of process ${cause.holder.pid}: another script, or a store that is just starting or ` +
      "ending. Call this again when the script is done, or while the store runs.",
    { cause },
  );
}

async function addressOf(config: Config, { mayBegin }: BooksWanted): Promise<Address> {
  if (config.database.kind === "embedded") {
    const running = await findRunningEmbedded(config.dataDir);
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
    note(
      `Nobody runs the store in ${config.dataDir}: its database is started for this script alone.`,
    );
  }
  const opened = await openDatabase(config, note).catch((error: unknown) => {
    throw error instanceof DataFolderInUse ? inUse(config.dataDir, error) : error;
  });
  const startedHere = config.database.kind === "embedded";
  return { appUrl: opened.appUrl, startedHere, stop: opened.close };
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
