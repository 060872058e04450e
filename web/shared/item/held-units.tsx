// The units of an item that are still there and not for sale: how many, and what for. They are not in its stock.
import type { InventoryItem } from "#features/inventory/contract.ts";

type Held = Pick<InventoryItem, "unitsInTrades">;

/** All units that are held, whatever for. */
export function heldUnits({ unitsInTrades }: Held): number {
  return unitsInTrades;
}

/** "2 held for trades", below an item's stock. Nothing if there are none. */
export function HeldUnits({ item }: { readonly item: Held }) {
  return item.unitsInTrades === 0 ? null : (
    <span className="block text-12 text-muted">{`${item.unitsInTrades} held for trades`}</span>
  );
}
