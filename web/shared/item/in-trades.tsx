// How many units of an item trades hold, below its stock. Nothing if there are none.
import type { InventoryItem } from "#features/inventory/contract.ts";
import { formatCount } from "#web/lib/formats.ts";

/** "1 in a trade", "3 in trades" */
function inTradesText({ unitsInTrades }: Pick<InventoryItem, "unitsInTrades">): string {
  return `${formatCount(unitsInTrades)} in ${unitsInTrades === 1 ? "a trade" : "trades"}`;
}

export function InTrades({ item }: { readonly item: Pick<InventoryItem, "unitsInTrades"> }) {
  return item.unitsInTrades === 0 ? null : (
    <span className="block text-12 font-normal whitespace-nowrap text-muted">
      {inTradesText(item)}
    </span>
  );
}
