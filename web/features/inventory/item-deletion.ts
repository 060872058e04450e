// Deleting an item at once, with the way back in the toast: deleting archives it, and restoring brings back the units it had.
import type { InventoryItem } from "#features/inventory/contract.ts";
import { asApiError } from "#web/lib/api-error.ts";
import { refreshReads } from "#web/lib/live.ts";
import { randomId } from "#web/lib/random-id.ts";
import { showToast } from "#web/ui/toast.tsx";
import { deleteItem, restoreItem } from "./inventory-api.ts";

const inFlight = new Set<string>();

async function restore(item: InventoryItem): Promise<void> {
  try {
    showToast((await restoreItem(item, randomId())).message);
  } catch (error) {
    showToast(`Error restoring item: ${asApiError(error).message}`);
  }
  refreshReads();
}

/** Deletes an item, once however often it is asked while that is under way; answers whether it is gone. */
export async function deleteWithUndo(item: InventoryItem): Promise<boolean> {
  if (inFlight.has(item.id)) {
    return false;
  }
  inFlight.add(item.id);
  try {
    const { message } = await deleteItem(item, randomId());
    showToast(message, { undo: () => void restore(item) });
    return true;
  } catch (error) {
    showToast(`Error deleting item: ${asApiError(error).message}`);
    return false;
  } finally {
    inFlight.delete(item.id);
    refreshReads();
  }
}
