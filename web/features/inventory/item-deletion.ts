// Deletes an item at once, with Undo in the toast. Deleting archives the item; restoring brings back its units.
import type { InventoryItem } from "#features/inventory/contract.ts";
import { asApiError } from "#web/lib/api-error.ts";
import { randomId } from "#web/lib/random-id.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { showErrorToast, showToast } from "#web/ui/toast.ts";
import { changeEach } from "./bulk-run.ts";
import { deleteItem, restoreItem } from "./inventory-api.ts";

const inFlight = new Set<string>();

export async function restore(item: InventoryItem): Promise<void> {
  try {
    showToast((await restoreItem(item, randomId())).message);
  } catch (error) {
    showErrorToast(`Error restoring item: ${asApiError(error).message}`);
  }
}

/** Restores many items, each with its own event, and reports those that could not be restored. */
export async function restoreAll(items: readonly InventoryItem[]): Promise<void> {
  const { done, failures } = await changeEach(items, restoreItem, new Map(), {
    onEnded: () => undefined,
    signal: new AbortController().signal,
  });
  if (done.length > 0) {
    showToast(`${formatQuantity(done.length, "item")} restored`);
  }
  const [first, ...others] = failures;
  if (first !== undefined) {
    const more = others.length === 0 ? "" : ` and ${formatQuantity(others.length, "more item")}`;
    showErrorToast(`Error restoring ${first.item.itemName}${more}: ${first.message}`);
  }
}

/** Deletes an item without units, only once even if it is called again while that is under way. Returns whether it is deleted. */
export async function deleteWithUndo(item: InventoryItem): Promise<boolean> {
  if (inFlight.has(item.id)) {
    return false;
  }
  inFlight.add(item.id);
  try {
    const { message } = await deleteItem(item, undefined, randomId());
    showToast(message, { undo: () => void restore(item) });
    return true;
  } catch (error) {
    showErrorToast(`Error deleting item: ${asApiError(error).message}`);
    return false;
  } finally {
    inFlight.delete(item.id);
  }
}
