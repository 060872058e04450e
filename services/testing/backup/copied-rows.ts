// Commands to write between two back-ups, and everything that a back-up copies, to compare two stores.
import { readTables, tablesToCopy } from "#db/backup/tables.ts";
import type { Sql } from "#db/connect.ts";
import { addItem } from "#features/inventory/decider.ts";
import type { Store } from "#process/open-store.ts";

let items = 0;

/** One accepted command with an event and one that is refused: both leave an answer. */
export async function addLamp(store: Pick<Store, "ledger">): Promise<void> {
  items += 1;
  const itemId = `00000000-0000-4000-8000-${String(items).padStart(12, "0")}`;
  for (const key of [`add-${items}`, `again-${items}`]) {
    await store.ledger.execute(
      addItem,
      {
        itemId,
        ownerUid: null,
        details: {
          itemName: "Desk lamp\twith a tab\nand a line break",
          listingTitle: "",
          barcode1: `B-${items}`,
          barcode2: "",
          location: "",
          link: "",
          imageUrl: "",
          asin: "",
        },
        quantity: 3,
        source: "manual",
        happenedAt: "2026-11-21T10:00:00.000Z",
      },
      { actor: "system:test", scope: "store", key, requestHash: "00" },
    );
  }
}

/** Every row of every table that a back-up copies. */
export async function contentsOf(sql: Sql): Promise<Map<string, string>> {
  const { log, others } = tablesToCopy(await readTables(sql), 0);
  const found = new Map<string, string>();
  for (const { schema, table, name } of [...log, ...others]) {
    const rows = await sql.unsafe<{ row: string }[]>(
      `select t::text as row from ${schema}.${table} t order by 1`,
    );
    found.set(name, rows.map(({ row }) => row).join("\n"));
  }
  return found;
}
