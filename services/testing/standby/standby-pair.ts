// A primary and a hot standby that streams from it, both real, for tests of where reads go.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import { appRole, startEmbedded } from "#db/embedded.ts";
import type { EmbeddedPostgres } from "#db/embedded.ts";
import { dataFolderOf, startPostmaster, stopProcess } from "#db/embedded/postmaster.ts";
import type { Cluster, Postmaster } from "#db/embedded/postmaster.ts";
import { serverAccountFor } from "#db/embedded/server-account.ts";
import { findSoftware } from "#db/embedded/software.ts";
import { migrate } from "#db/migrate.ts";
import { makeRunFolder, removeRun } from "#testing/global-setup.ts";
import type { TestDatabase } from "#testing/test-database.ts";

export type StandbyPair = {
  /** On the primary. Closing it closes its pools; the pair removes the rest. */
  readonly database: TestDatabase;
  /** The standby's address for the application's role. */
  readonly standbyUrl: string;
  /** An empty database of this name on both: the addresses for owner, application and reads. */
  readonly newDatabase: (
    name: string,
  ) => Promise<{ readonly ownerUrl: string; readonly appUrl: string; readonly readUrl: string }>;
  /** As superusers, for counters and for what operators do. */
  readonly primary: Sql;
  readonly standby: Sql;
  /** Ends the standby at once, as a crash does. */
  readonly killStandby: () => Promise<void>;
  /** Starts it again at its address. */
  readonly startStandby: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Connections of the primary's pool: few enough to ask each of them for its counters. */
export const POOL_SIZE = 4;

const replicationSettings = [
  "wal_level=replica",
  "max_wal_senders=4",
  "synchronous_commit=on",
  // What is committed without waiting would reach the standby only after this.
  "wal_writer_delay=10s",
  "autovacuum=off",
];

export async function openStandbyPair(): Promise<StandbyPair> {
  await using parts = new AsyncDisposableStack();
  const runFolder = async (suffix: string): Promise<string> => {
    const folder = await makeRunFolder(suffix);
    parts.defer(() => removeRun(folder));
    return folder;
  };
  const server = await startEmbedded({
    dataDir: await runFolder("-primary"),
    durability: "test",
    holder: "service",
    settings: replicationSettings,
  });
  parts.defer(server.stop);
  await migrate({ ownerUrl: server.ownerUrl, appRole });
  const open = (url: string, maxConnections: number): Sql => {
    const sql = connect(url, { applicationName: "test-standby-pair", maxConnections });
    parts.defer(() => sql.end({ timeout: 5 }));
    return sql;
  };
  const home = join(await runFolder("-standby"), "postgres");
  const primary = open(server.superuserLedgerUrl, 1);
  const cluster = await copyServer(server, primary, home);
  let postmaster: Postmaster = await startPostmaster(cluster);
  parts.defer(() => stopProcess(postmaster.pid));
  const at = (url: string): string => {
    const address = new URL(url);
    address.port = String(postmaster.port);
    return address.href;
  };
  const { ownerUrl, appUrl } = server;
  const database: TestDatabase = {
    ownerUrl,
    appUrl,
    sql: open(appUrl, POOL_SIZE),
    ownerSql: open(ownerUrl, 2),
    close: () => Promise.resolve(),
  };
  const standby = open(at(server.superuserLedgerUrl), 1);
  const opened = parts.move();
  return {
    database,
    standbyUrl: at(appUrl),
    newDatabase: async (name) => {
      await primary.unsafe(`create database ${name} template template0 owner ledger_owner`);
      const named = (url: string) => new URL(`/${name}`, url).href;
      return { ownerUrl: named(ownerUrl), appUrl: named(appUrl), readUrl: at(named(appUrl)) };
    },
    primary,
    standby,
    killStandby: async () => {
      process.kill(postmaster.pid, "SIGQUIT");
      await postmaster.exited;
    },
    startStandby: async () => {
      postmaster = await startPostmaster(cluster, postmaster.port);
    },
    close: () => opened.disposeAsync(),
  };
}

/** Copies the running server's files as its manual says, and makes of them a standby that follows it. */
async function copyServer(server: EmbeddedPostgres, sql: Sql, home: string): Promise<Cluster> {
  const from = server.folders[0]?.path ?? "";
  const data = dataFolderOf(home);
  const account = serverAccountFor(from);
  await mkdir(home, { mode: 0o711 });
  await sql`select pg_backup_start('standby', true)`;
  const copy = spawn("cp", ["-a", from, data], { stdio: "ignore" });
  const [code] = await once(copy, "close");
  const [stopped] = await sql<{ labelfile: string }[]>`
    select labelfile from pg_backup_stop(wait_for_archive => false)`;
  if (code !== 0 || stopped === undefined) {
    throw new Error(`The files of ${from} could not be copied`);
  }
  await Promise.all([
    rm(join(data, "postmaster.pid")),
    rm(join(data, "postmaster.opts")),
    ...["backup_label", "standby.signal"].map(async (name) => {
      const file = join(data, name);
      await writeFile(file, name === "backup_label" ? stopped.labelfile : "");
      if (account !== null) {
        await chown(file, account.uid, account.gid);
      }
    }),
  ]);
  const { hostname, port, username, password } = new URL(server.superuserUrl);
  return {
    home,
    account,
    software: await findSoftware(home, account),
    settings: [
      "max_connections=200",
      "fsync=off",
      "unix_socket_directories=",
      "timezone=UTC",
      "hot_standby=on",
      "wal_receiver_status_interval=1s",
      // After a kill the new server asks for the log again this soon.
      "wal_retrieve_retry_interval=100ms",
      `primary_conninfo=host=${hostname} port=${port} user=${username} password=${password}`,
    ],
  };
}
