// A ledger of jars on a database of its own, for tests of the log, the projections and the proofs.
import { createHash, randomUUID } from "node:crypto";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import type { ExecutionContext } from "#ledger/log/ledger.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { openLedger } from "#ledger/log/writer.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import { jarEvents, jarStreams } from "#testing/jar/jar.ts";

export type JarShop = {
  readonly database: TestDatabase;
  readonly ledger: LedgerWriter;
  /** One more writer on the same log, as another process would have. */
  readonly openWriter: () => LedgerWriter;
  /** One more pool as the application's role. */
  readonly openPool: () => Sql;
  /** Closes what was opened on the database, but keeps the database. */
  readonly release: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The context of a command with this `key`; a different `request` makes it a different request. */
export function under(key: string, request = key): ExecutionContext {
  return {
    actor: "system:test",
    scope: "store",
    key,
    requestHash: createHash("sha256").update(request).digest("hex"),
  };
}

export async function openJarShop(): Promise<JarShop> {
  return jarShopOn(await testDatabase());
}

/** On a given database, which is closed with the shop. */
export function jarShopOn(database: TestDatabase): JarShop {
  const writers: LedgerWriter[] = [];
  const pools: Sql[] = [];
  const openPool = (maxConnections = 4): Sql => {
    const sql = connect(database.appUrl, { applicationName: "jar-shop", maxConnections });
    pools.push(sql);
    return sql;
  };
  const openWriter = (): LedgerWriter => {
    const writer = openLedger({
      sql: openPool(1),
      streams: jarStreams,
      events: jarEvents,
      newId: randomUUID,
    });
    writers.push(writer);
    return writer;
  };
  const release = async (): Promise<void> => {
    await Promise.all(writers.map((writer) => writer.close()));
    await Promise.all(pools.map((pool) => pool.end({ timeout: 5 })));
  };
  return {
    database,
    ledger: openWriter(),
    openWriter,
    openPool,
    release,
    close: async () => {
      await release();
      await database.close();
    },
  };
}
