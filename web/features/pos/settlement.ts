// Settles a line that was taken but not booked: as another item, as counted after all, out of a trade, or with the money back.
import { itemResponse } from "#features/inventory/contract.ts";
import {
  itemChangedResponse,
  type EditItemRequest,
} from "#features/inventory/contract-commands.ts";
import { ApiError } from "#web/lib/api-error.ts";
import { read, send } from "#web/lib/http.ts";
import { heldUnits } from "#web/shared/item/held-units.tsx";
import { cancelAcceptance } from "#web/shared/trade/trade-api.ts";
import type { CartItem } from "./cart.ts";
import { asAnotherItem, asRefunded, asSentAgain, shareOfTarget } from "./delivery.ts";
import { cancellationKey, type Cancellation } from "./held-by-trades.ts";
import { sendNow } from "./outbox.ts";
import { keptSale, replaceLine } from "./pos-store.ts";
import type { QueuedLine, RefusedLine } from "./taken-sale.ts";
import { termsValue } from "./till-terms.ts";

/** Throws ApiError if the line was settled elsewhere in the meantime. */
async function settle(line: RefusedLine, next: QueuedLine): Promise<void> {
  if (!(await replaceLine(line, next))) {
    throw new ApiError(409, "settled_elsewhere", "This line was settled in another tab");
  }
  void sendNow();
}

export async function settleAsAnotherItem(line: RefusedLine, item: CartItem): Promise<void> {
  const terms = termsValue.read();
  const sale = await keptSale(line.saleId);
  const slider = sale?.consignorShare ?? terms.defaultConsignorPercentage;
  await settle(line, asAnotherItem(line, item, shareOfTarget(line, item, terms, slider)));
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
  const missing = line.line.units - item.quantity;
  if (missing > 0 && heldUnits(item) >= missing) {
    throw new ApiError(409, "units_held", "These units are held, so they cannot be counted in");
  }
  if (missing > 0) {
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
  await settle(line, asSentAgain(line));
}

/**
 * Takes the units out of the trades that hold them, then sells the item again. A repeated try, also one of another tab,
 * sends the same keys, so it cancels nothing twice. Throws ApiError.
 */
export async function settleOutOfTrades(
  line: RefusedLine,
  cancellations: readonly Cancellation[],
): Promise<void> {
  for (const { acceptance, units } of cancellations) {
    const { tradeId, offerId } = acceptance;
    const part = {
      units,
      itemId: line.target.id,
      as: "restock",
      reason: "Sold in the store",
    } as const;
    await cancelAcceptance({ tradeId, offerId, ...part }, cancellationKey(line, offerId, units));
  }
  await settle(line, asSentAgain(line));
}
