// The units of an item that are still there and not for sale: how many, and what for. They are not in its stock.
import type { InventoryItem } from "#features/inventory/contract.ts";
import { formatCount } from "#web/lib/formats.ts";

type Held = Pick<InventoryItem, "unitsInTrades">;

/** All units that are held, whatever for. */
export function heldUnits({ unitsInTrades }: Held): number {
  return unitsInTrades;
}

/** For somebody who counts a shelf: the units lie there, but are not in the stock. */
export function countingNote({ unitsInTrades }: Held): string {
  return `${formatCount(unitsInTrades)} more held for trades: leave them out of the count`;
}

/** "2 held for trades", below an item's stock. Nothing if there are none. */
export function HeldUnits({ item }: { readonly item: Held }) {
  return item.unitsInTrades === 0 ? null : (
    <span className="block text-12 text-muted">{`${item.unitsInTrades} held for trades`}</span>
  );
}
