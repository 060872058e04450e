// The actions on many items at once, each as calls on single items: the same calls that the item's own forms make.
import { type InventoryItem } from "#features/inventory/contract.ts";
import { itemChangedCurrent, type RemovalReason } from "#features/inventory/contract-commands.ts";
import { ApiError } from "#web/lib/api-error.ts";
import { randomId } from "#web/lib/random-id.ts";
import { allocate, deleteItem, editItem } from "./inventory-api.ts";
import type { ItemChange } from "./bulk-run.ts";

const mostTries = 4;

type Edited = Pick<InventoryItem, "itemName" | "barcode1" | "quantity" | "version">;

/** Sets the location and nothing else, so that other people's changes to the item are kept. */
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
        // The refusal is stored under its key for good.
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

/** How many units of each item a consignor gets: all that there were when it was selected, or a number. */
export type UnitsOfEach =
  | { readonly kind: "all" }
  | { readonly kind: "some"; readonly units: number };

/** With an empty location, each consignor's item keeps the location of the store's. */
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

/** The reason is about units, so items without any have none. */
export function deletion(reason: RemovalReason | undefined): ItemChange {
  return (item, key) => deleteItem(item, item.quantity === 0 ? undefined : reason, key);
}
