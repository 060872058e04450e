// Opens the books for an operator's script: the running service's database, a configured one, or a stopped one.
import path from "node:path";
import { readConfig } from "#config";
import type { Config } from "#config";
import type { Sql } from "#db/connect.ts";
import { connect } from "#db/connect.ts";
import { appRole, findRunningEmbedded, startEmbedded } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";

export type Books = {
  readonly config: Config;
  /** As the application's role. */
  readonly sql: Sql;
  readonly appUrl: string;
  /** The file that heads of the chain are published to. */
  readonly headsFile: string;
  /** True when this script started the database itself, because nobody else runs it. */
  readonly startedHere: boolean;
};

/** Where a process with this configuration publishes the heads of the chain. */
export function headsFileOf(config: Config): string {
  return path.join(config.dataDir, "heads.log");
}

async function addressOf(
  config: Config,
): Promise<{ appUrl: string; startedHere: boolean; stop: () => Promise<void> }> {
  const nothing = () => Promise.resolve();
  if (config.database.kind === "external") {
    return { appUrl: config.database.appUrl, startedHere: false, stop: nothing };
  }
  const running = await findRunningEmbedded(config.dataDir);
  if (running !== null) {
    return { appUrl: running.appUrl, startedHere: false, stop: nothing };
  }
  const started = await startEmbedded({ dataDir: config.dataDir, durability: "durable" });
  await migrate({ ownerUrl: started.ownerUrl, appRole });
  return { appUrl: started.appUrl, startedHere: true, stop: started.stop };
}

/** Runs `body` on the books and closes them again, whatever comes of it. */
export async function withBooks<Result>(
  name: string,
  body: (books: Books) => Promise<Result>,
): Promise<Result> {
  const config = readConfig();
  const { appUrl, startedHere, stop } = await addressOf(config);
  const sql = connect(appUrl, { applicationName: `script-${name}`, maxConnections: 4 });
  try {
    return await body({ config, sql, appUrl, headsFile: headsFileOf(config), startedHere });
  } finally {
    await sql.end({ timeout: 5 });
    await stop();
  }
}
