// After a rebuild, the pages of the items have room: their next sales write into no index.
import { hash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { connect } from "#db/connect.ts";
import { addItem } from "#features/inventory/decider.ts";
import { inventoryProjection } from "#features/inventory/projection.ts";
import { recordSale } from "#features/sales/decider-record.ts";
import type { Decider } from "#ledger/decider.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { rebuildProjection } from "#ledger/projection/rebuild.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import { events, streams } from "../../features.ts";

const happenedAt = "2026-06-01T12:00:00.000Z";
const details = {
  listingTitle: "Brass desk lamp, tested, from a home without smoke",
  barcode2: "",
  location: "R1-01",
  link: "",
  imageUrl: "",
  asin: "",
};

test("the first sales after a rebuild, of every tenth item, write into none of the list's indexes", async () => {
  await using parts = new AsyncDisposableStack();
  const database = await testDatabase();
  parts.defer(database.close);
  // One connection, because it reports what it did to PostgreSQL's statistics only when asked.
  const sql = connect(database.appUrl, { applicationName: "roomy-pages", maxConnections: 1 });
  parts.defer(() => sql.end());
  const writerSql = connect(database.appUrl, { applicationName: "writer", maxConnections: 1 });
  parts.defer(() => writerSql.end());
  const ledger = openLedger({ sql: writerSql, streams, events, newId: randomUUID });
  parts.defer(ledger.close);
  const execute = async <Command>(decider: Decider<Command, unknown>, command: Command) => {
    const key = randomUUID();
    const context = { actor: "system:test", scope: "store", key, requestHash: hash("sha256", key) };
    expect((await ledger.execute(decider, command, context)).kind).toBe("accepted");
  };
  const projections = [inventoryProjection];
  await ensureProjections({ sql: database.sql, projections, events });
  const itemIds = Array.from({ length: 200 }, () => randomUUID());
  await Promise.all(
    itemIds.map((itemId, index) => {
      const named = { ...details, itemName: `Desk lamp ${index}`, barcode1: `LAMP-${index}` };
      const [ownerUid, source] = ["lamp-owner", "manual"] as const;
      return execute(addItem, {
        itemId,
        ownerUid,
        details: named,
        quantity: 3,
        source,
        happenedAt,
      });
    }),
  );
  const { generation } = await rebuildProjection(database.sql, inventoryProjection, { events });
  // In the order of the pages, which follows from the random ids: a page may not have room for many sales at once.
  const stored = await sql.unsafe<{ id: string }[]>(
    `select id from read.inventory_items_g${generation} order by ctid`,
  );
  const sold = stored.map(({ id }) => id).filter((_id, index) => index % 10 === 0);
  await Promise.all(
    sold.map((itemId) =>
      execute(recordSale, {
        saleId: randomUUID(),
        itemId,
        consignorId: "lamp-owner",
        barcode1: null,
        units: 1,
        priceCents: 4_000,
        shippingCents: 0,
        salesTaxCents: 0,
        taxRateBasisPoints: null,
        consignorPercentage: 50,
        channel: "online",
        happenedAt,
      }),
    ),
  );
  await createRunner({ sql, projections, events, which: "without previous" }).catchUp();
  await sql`select pg_stat_force_next_flush()`;
  const counted = await sql<{ updated: number; withoutIndexes: number }[]>`
    select n_tup_upd as updated, n_tup_hot_upd as "withoutIndexes" from pg_stat_user_tables
    where schemaname = 'read' and relname = ${`inventory_items_g${generation}`}`;
  expect([...counted]).toEqual([{ updated: 20, withoutIndexes: 20 }]);
});
