// The highest price that was paid for a unit of an item before, so that a form can ask about one far above it.
import { sql } from "kysely";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import { salesTable } from "#features/sales/projection.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import { statement, type ValueOf } from "#http/statement.ts";
import { toDollars } from "#ledger/money.ts";

/** A barcode may have been sold a hundred thousand times: this many of its sales are enough to know its price. */
const MOST_SALES = 500;

const readHighest = statement(
  (_reads, value: ValueOf<{ readonly itemId: string }>) => sql<{ readonly cents: number | null }>`
    select max(s.price_cents / s.units) as cents from (
      select s.price_cents, s.units from ${nameOfTable(salesTable)} s
      where s.barcode1 = (
        select i.barcode1 from ${nameOfTable(inventoryItemsTable)} i where i.id = ${value("itemId")}::uuid)
      limit ${sql.lit(MOST_SALES)}) s`,
);

/** In dollars; null if nothing with the item's barcode was sold for a price. */
export async function highestUnitPrice(reads: Reads, itemId: string): Promise<number | null> {
  const [row] = await readHighest(reads, { itemId });
  return row?.cents == null ? null : toDollars(row.cents);
}
