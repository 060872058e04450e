// How many units of an item trades hold, below its stock. Nothing if there are none.
import type { InventoryItem } from "#features/inventory/contract.ts";

export function InTrades({ item }: { readonly item: Pick<InventoryItem, "unitsInTrades"> }) {
  return item.unitsInTrades === 0 ? null : (
    <span className="block text-12 text-muted">{`${item.unitsInTrades} held for trades`}</span>
  );
}
