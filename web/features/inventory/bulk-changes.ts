// What can be done to many items at once, as calls on one of them: the same calls as the item's own forms make.
import { itemChangedCurrent, type InventoryItem } from "#features/inventory/contract.ts";
import { ApiError } from "#web/lib/api-error.ts";
import { randomId } from "#web/lib/random-id.ts";
import { allocate, deleteItem, editItem } from "./inventory-api.ts";
import type { ItemChange } from "./bulk-run.ts";

const mostTries = 4;

type Edited = Pick<InventoryItem, "itemName" | "barcode1" | "quantity" | "version">;

/** Sets the location and nothing else: where somebody changed the item meanwhile, what they changed stays. */
export function locationChange(location: string): ItemChange {
  return async (item, firstKey) => {
    let now: Edited = item;
    let key = firstKey;
    for (let tries = 1; ; tries += 1) {
      const { itemName, barcode1, quantity, version } = now;
      const body = { itemName, barcode1, quantity, location, expectedVersion: version };
      try {
        return await editItem(item, body, key);
      } catch (error) {
        const current = currentIn(error);
        if (current === undefined || tries === mostTries) {
          throw error;
        }
        now = current;
        // The refusal stands under its key for ever.
        key = randomId();
      }
    }
  };
}

function currentIn(error: unknown): Edited | undefined {
  const isChanged = error instanceof ApiError && error.code === "item_changed";
  const current = itemChangedCurrent.safeParse(isChanged ? error.current : undefined);
  return current.success ? current.data : undefined;
}

/** How many units of each item a consignor gets: all that were there when it was chosen, or a number. */
export type UnitsOfEach =
  | { readonly kind: "all" }
  | { readonly kind: "some"; readonly units: number };

/** An empty location leaves each consignor's item where the store's was. */
export function allocationChange(
  consignorID: string,
  unitsOfEach: UnitsOfEach,
  location: string,
): ItemChange {
  return (item, key) =>
    allocate(
      {
        masterItemID: item.id,
        consignorID,
        quantity: unitsOfEach.kind === "all" ? item.quantity : unitsOfEach.units,
        location: location === "" ? item.location : location,
      },
      key,
    );
}

export const deletion: ItemChange = deleteItem;
