// How long an item has been in stock without an intake or a sale, in words.
import type { InventoryItem } from "#features/inventory/contract.ts";
import { formatQuantity } from "#web/lib/formats.ts";

const dayMs = 86_400_000;

/** "95 days" */
export function daysUnsoldText(
  { unsoldSince }: Pick<InventoryItem, "unsoldSince">,
  now = Date.now(),
): string {
  const days = Math.max(0, Math.floor((now - Date.parse(unsoldSince)) / dayMs));
  return formatQuantity(days, "day");
}
