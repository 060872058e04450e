// Settles a line that was taken but not booked: as another item, as counted after all, or with the money back.
import { itemResponse } from "#features/inventory/contract.ts";
import {
  itemChangedResponse,
  type EditItemRequest,
} from "#features/inventory/contract-commands.ts";
import { ApiError } from "#web/lib/api-error.ts";
import { read, send } from "#web/lib/http.ts";
import type { CartItem } from "./cart.ts";
import { asAnotherItem, asCounted, asRefunded } from "./delivery.ts";
import { sendNow } from "./outbox.ts";
import { replaceLine } from "./pos-store.ts";
import type { QueuedLine, RefusedLine } from "./taken-sale.ts";

/** Throws ApiError if the line was settled elsewhere in the meantime. */
async function settle(line: RefusedLine, next: QueuedLine): Promise<void> {
  if (!(await replaceLine(line, next))) {
    throw new ApiError(409, "settled_elsewhere", "This line was settled in another tab");
  }
  void sendNow();
}

export function settleAsAnotherItem(line: RefusedLine, item: CartItem): Promise<void> {
  return settle(line, asAnotherItem(line, item));
}

export function settleAsRefunded(line: RefusedLine, now: Date): Promise<void> {
  return settle(line, asRefunded(line, now.toISOString()));
}

/**
 * Counts the missing units into the inventory, then sells the item again. A repeated try finds them already counted.
 * Throws ApiError.
 */
export async function settleAsCounted(line: RefusedLine, key: string): Promise<void> {
  const { item } = (await read(`/inventory/items/${line.target.id}`, itemResponse)).value;
  if (item.quantity < line.line.units) {
    const body: EditItemRequest = {
      itemName: item.itemName,
      barcode1: item.barcode1,
      quantity: line.line.units,
      expectedVersion: item.version,
      reason: "Counted at the point of sale",
    };
    const path =
      item.consignorID === null
        ? `/inventory/master/${item.id}`
        : `/inventory/consignor/${encodeURIComponent(item.consignorID)}/${item.id}`;
    await send({ method: "PUT", path, body, answer: itemChangedResponse, key });
  }
  await settle(line, asCounted(line));
}
