// The writer while the disk is full or the database is away: commands fail soon and completely, and recover without help.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "#db/connect.ts";
import { openLedger } from "#ledger/log/writer.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { freePort } from "#testing/service/service-process.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { under } from "#testing/jar/jar-shop.ts";
import { fillJar, jarEvents, jarStreams } from "#testing/jar/jar.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database.close());

async function withWriter(
  url: string,
  reconnectTimeoutMs: number,
  body: (ledger: LedgerWriter) => Promise<void>,
): Promise<void> {
  const sql = connect(url, { applicationName: "writer", maxConnections: 1 });
  const ledger = openLedger({
    sql,
    streams: jarStreams,
    events: jarEvents,
    newId: randomUUID,
    reconnectTimeoutMs,
  });
  try {
    await body(ledger);
  } finally {
    await ledger.close();
    await sql.end({ timeout: 5 });
  }
}

it("fails a whole batch at the first try when the disk is full, and accepts the same keys later", async () => {
  const { ownerSql } = database;
  await ownerSql`create sequence log.tries`;
  await ownerSql`
    create function log.refuse_room() returns trigger language plpgsql as $$
    begin
      perform nextval('log.tries');
      raise exception 'could not extend file: No space left on device' using errcode = '53100';
    end $$`;
  await ownerSql`
    create trigger no_room before insert on log.events execute function log.refuse_room()`;
  const fillAll = (ledger: LedgerWriter) =>
    Array.from({ length: 40 }, (_, index) =>
      ledger.execute(fillJar, { jar: `t${index}`, cents: 5 }, under(`full-${index}`)),
    );
  await withWriter(database.appUrl, 5_000, async (ledger) => {
    const refused = await Promise.allSettled(fillAll(ledger));
    expect(refused.every(({ status }) => status === "rejected")).toBe(true);
    const [tries] = await ownerSql<{ last_value: number }[]>`select last_value from log.tries`;
    // All arrived while the first was running as its own batch.
    expect(tries?.last_value).toBeLessThanOrEqual(2);
    await ownerSql`drop trigger no_room on log.events`;
    const accepted = await Promise.all(fillAll(ledger));
    expect(accepted.every((outcome) => outcome.kind === "accepted" && !outcome.repeated)).toBe(
      true,
    );
  });
});

it("waits once for a database that is away, and not again for each waiting command", async () => {
  const away = new URL(database.appUrl);
  // By TCP, as most databases are reached.
  away.hostname = "127.0.0.1";
  away.port = String(await freePort());
  await withWriter(away.href, 4_000, async (ledger) => {
    const wait = async (key: string): Promise<number> => {
      const startedAt = performance.now();
      const command = ledger.execute(fillJar, { jar: "a", cents: 5 }, under(key));
      await expect(command).rejects.toMatchObject({ code: "ECONNREFUSED" });
      return performance.now() - startedAt;
    };
    expect(await wait("away-1")).toBeGreaterThanOrEqual(4_000);
    expect(await wait("away-2")).toBeLessThan(4_000);
  });
});
