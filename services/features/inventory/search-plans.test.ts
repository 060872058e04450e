// How searches read the table of items: what an index has, they do not look up in the table.
import { expect, test } from "vitest";
import { connect } from "#db/connect.ts";
import { readsOver } from "#http/reads.ts";
import { ensureProjections } from "#ledger/projection/ensure.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import { inventoryProjection } from "#features/inventory/projection.ts";
import { searchItems } from "#features/inventory/search.ts";

test("the items of a location come from its index alone, and only those of the page from the table", async () => {
  await using parts = new AsyncDisposableStack();
  const database = await testDatabase();
  parts.defer(database.close);
  const projections = [inventoryProjection];
  await ensureProjections({ sql: database.sql, projections, events: new Map() });
  await database.sql`
    insert into read.inventory_items (id, owner_uid, item_name, listing_title, barcode1, barcode2, location, link,
      image_url, asin, quantity, version, archived, added_position, updated_position, added_at, unsold_since)
    select gen_random_uuid(), 'somebody', 'Desk lamp ' || n, '', n::text, '', 'R' || n % 50, '', '', '', 1, 1, false,
      n, n, now(), now()
    from generate_series(1, 5000) n`;
  const sent: { readonly text: string; readonly parameters: unknown[] }[] = [];
  const watched = connect(database.appUrl, { applicationName: "watched", maxConnections: 1 });
  parts.defer(() => watched.end());
  watched.options.debug = (_connection, text, parameters) => sent.push({ text, parameters });
  const nothingElse = { searchTerm: "", ownerUids: null, filter: "all", preset: null } as const;
  const found = await searchItems(
    readsOver(watched).searches,
    { ...nothingElse, location: "R7", unsoldSince: null },
    { sort: undefined, order: "desc" },
    { offset: 0, limit: 10 },
  );
  expect(found).toHaveLength(10);
  const page = sent.find(({ text }) => text.startsWith('with "matching"'));
  const rows = await database.sql.begin(async (transaction) => {
    // Tables as young as this one are not worth it.
    await transaction`set local enable_bitmapscan = off`;
    return transaction.unsafe<{ "QUERY PLAN": string }[]>(
      `explain (costs off) ${page?.text ?? ""}`,
      (page?.parameters ?? []) as string[],
    );
  });
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toMatch(/CTE matching\n\s+->\s+Index Only Scan/u);
});
