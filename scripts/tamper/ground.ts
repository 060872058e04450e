// Makes a small real store, and copies of it in which one change is made and the proof is run.
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { parseConfig, secretKeyFileOf } from "#config";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import type { HeadsPlace } from "#ledger/log/head-files.ts";
import type { VerifyReport } from "#ledger/verify/verify.ts";
import { openStore } from "#process/open-store.ts";
import { readSecretKeys } from "#process/secret-keys.ts";
import { startApi } from "#process/start-api.ts";
import { startWorker } from "#process/start-worker.ts";
import { noWebBuild } from "#http/web-build.ts";
import { proveStore } from "../../services/proof/prove-store.ts";
import type { Change, Facts } from "./change.ts";
import { readFacts } from "./facts.ts";
import { fillStore } from "./fill.ts";
import type { Finding, Verdict } from "./judge.ts";
import { findingsOf, judge } from "./judge.ts";

/** A server with a filled store in it. */
export type Ground = {
  /** A superuser, in any database. */
  readonly superuserUrl: string;
  readonly appUrl: string;
  /** The database that holds the store; nobody may be connected to it. */
  readonly database: string;
  /** The store's data folder. */
  readonly dataDir: string;
};

/** Opens a store as `npm start` does, fills it, and closes it again. `environment` is its configuration. */
export async function makeStore(environment: Readonly<Record<string, string>>): Promise<void> {
  const config = parseConfig({ ...environment, PORT: "0" });
  const logger = pino({ level: "silent" });
  await using parts = new AsyncDisposableStack();
  const store = await openStore({ config, logger, name: "start", works: true });
  parts.defer(store.close);
  const worker = await startWorker(store);
  parts.defer(worker.close);
  const api = await startApi(store, noWebBuild);
  parts.defer(api.close);
  await fillStore(store, api.server.url);
  await worker.runner.catchUp();
}

/** The same address in another database. */
export function inDatabase(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

async function withSql<Result>(
  url: string,
  body: (sql: Sql) => Promise<Result>,
  maxConnections = 1,
): Promise<Result> {
  const sql = connect(url, { applicationName: "tamper", maxConnections });
  try {
    return await body(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

export function placeIn(dataDir: string): HeadsPlace {
  return { folder: path.join(dataDir, "heads"), formerFile: path.join(dataDir, "heads.log") };
}

let copies = 0;

/** Runs `body` on a copy of the store, which is dropped afterwards. */
async function withCopy<Result>(
  ground: Ground,
  body: (appUrl: string, superuserUrl: string, dataDir: string) => Promise<Result>,
): Promise<Result> {
  copies += 1;
  const name = `tamper_${process.pid}_${copies}`;
  const dataDir = await mkdtemp(path.join(tmpdir(), "tamper-copy-"));
  const asSuperuser = (statement: string) =>
    withSql(ground.superuserUrl, (sql) => sql.unsafe(statement));
  await asSuperuser(
    `create database ${name} template ${ground.database} strategy file_copy owner ledger_owner`,
  );
  try {
    await cp(placeIn(ground.dataDir).folder, placeIn(dataDir).folder, { recursive: true });
    return await body(
      inDatabase(ground.appUrl, name),
      inDatabase(ground.superuserUrl, name),
      dataDir,
    );
  } finally {
    await asSuperuser(`drop database ${name} with (force)`);
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Makes the change in a copy, proves the copy, and returns whether the proof has found it. */
export function tryChange(ground: Ground, facts: Facts, change: Change): Promise<Verdict> {
  return withCopy(ground, async (appUrl, superuserUrl, dataDir) => {
    await withSql(superuserUrl, (sql) =>
      change.tamper({ sql, appUrl, heads: placeIn(dataDir) }, facts),
    );
    return judge(change.shown(facts), await proofOf(ground, appUrl, dataDir));
  });
}

/** What the proof finds in an unchanged copy. */
export function tryUntouched(ground: Ground): Promise<readonly Finding[]> {
  return withCopy(ground, async (appUrl, _superuserUrl, dataDir) => {
    const report = await proofOf(ground, appUrl, dataDir);
    if (report instanceof Error) {
      throw report;
    }
    return findingsOf(report);
  });
}

/** The report, or the error that stopped the proof, which does not count as a finding. */
async function proofOf(
  ground: Ground,
  appUrl: string,
  dataDir: string,
): Promise<VerifyReport | Error> {
  const heads = { place: placeIn(dataDir), copies: [], asked: [] };
  // The file is in the folder of the store that was copied.
  const file = secretKeyFileOf(ground.dataDir);
  const secretKeys = await readSecretKeys({ given: null, previous: null, file });
  try {
    return await withSql(appUrl, (sql) => proveStore(sql, heads, { secretKeys }), 6);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The facts of this store that changes use. */
export function factsOf(ground: Ground): Promise<Facts> {
  return withSql(inDatabase(ground.superuserUrl, ground.database), readFacts);
}
