// The streams that keep stock consistent: an item with its units, and which item has a barcode of an owner.
import type { AnyEvent } from "#ledger/event.ts";
import { is } from "#ledger/event.ts";
import { reject } from "#ledger/decider.ts";
import type { Rejection, States, StreamDefinition } from "#ledger/decider.ts";
import { defineName } from "#ledger/names.ts";
import type { Movement } from "#ledger/posting.ts";
import { moveUnits, netUnitsOf } from "#ledger/posting.ts";
import {
  ItemAdded,
  ItemArchived,
  type ItemDetails,
  ItemEdited,
  ItemPriced,
  ItemRestored,
  type RemovalReason,
} from "#features/inventory/events.ts";

/** The uid of the consignor who owns an item; null means the store's own master inventory. */
export type OwnerUid = string | null;

/** An item as commands see it. `quantity` counts the units on hand. */
export type ItemState = {
  readonly exists: boolean;
  readonly archived: boolean;
  readonly ownerUid: OwnerUid;
  readonly details: ItemDetails;
  readonly quantity: number;
  /** The tag price of one unit; null without one. */
  readonly tagPriceCents: number | null;
  /** The units that archiving removed, so that restoring brings the same number back. */
  readonly removedUnits: number;
  /** Why archiving removed them; null where nobody said. */
  readonly removedFor: RemovalReason | null;
};

const noDetails: ItemDetails = {
  itemName: "",
  listingTitle: "",
  barcode1: "",
  barcode2: "",
  location: "",
  link: "",
  imageUrl: "",
  asin: "",
};

export const itemStreamName = defineName("item_stream", "item-");

/** The stream of an item, by its UUID. */
export function itemStreamId(itemId: string): string {
  return itemStreamName.of(itemId);
}

/** Where an item's units on hand are. */
export const itemHolding = defineName("item_holding", "item:");

export const inventoryNames = [itemStreamName, itemHolding] as const;

/** Where received, found or restored units come from, and where units go that leave without a sale. */
export const RECEIVED = "world:received";
export const ADJUSTED = "world:adjusted";
export const REMOVED = "world:removed";

/** `item-<uuid>`. Units change only by the movements of the events that extend it, whichever feature they are from. */
export const itemStream: StreamDefinition<ItemState> = {
  category: "item",
  stateVersion: 2,
  initial: {
    exists: false,
    archived: false,
    ownerUid: null,
    details: noDetails,
    quantity: 0,
    tagPriceCents: null,
    removedUnits: 0,
    removedFor: null,
  },
  evolve: (before, event, streamId) => {
    const units = netUnitsOf(event.movements, itemHolding.of(itemStreamName.idOf(streamId)));
    return evolveDetails({ ...before, quantity: before.quantity + units }, event, units);
  },
};

function evolveDetails(state: ItemState, event: AnyEvent, units: number): ItemState {
  if (is(ItemAdded, event)) {
    const { ownerUid, after, tagPriceCents = null } = event.data;
    return { ...state, exists: true, ownerUid, details: after, tagPriceCents };
  }
  if (is(ItemEdited, event)) {
    return { ...state, details: event.data.after };
  }
  if (is(ItemPriced, event)) {
    return { ...state, tagPriceCents: event.data.afterCents };
  }
  if (is(ItemArchived, event)) {
    const removedFor = event.data.reason ?? null;
    return { ...state, archived: true, removedUnits: -units, removedFor };
  }
  if (is(ItemRestored, event)) {
    return { ...state, archived: false, removedUnits: 0, removedFor: null };
  }
  return state;
}

export const itemNotFound: Rejection = reject(404, "item_not_found", "Item not found");
export const itemArchived: Rejection = reject(409, "item_archived", "This item was deleted");

/** Units to take from an item, and the holding they go to. */
export type UnitsWanted = {
  readonly itemId: string;
  /** The owner that the item must have. */
  readonly ownerUid: OwnerUid;
  /** At least 0. */
  readonly units: number;
  readonly to: string;
};

/** The item before, its stream's version, and the movement for the event. */
export type UnitsTaken = {
  readonly kind: "taken";
  readonly version: number;
  readonly item: ItemState;
  readonly movements: readonly Movement[];
};

/**
 * The only way for units to leave an item: sales, corrections that sell more, allocations, deletions and lower
 * counts all call this, and `take-units.test.ts` fails for a decider that does not. Rejects 404 `item_not_found`,
 * 409 `item_archived` and `not_enough_stock`.
 */
export function takeUnits(states: States, wanted: UnitsWanted): UnitsTaken | Rejection {
  const { itemId, units, to } = wanted;
  const { version, state } = states.get(itemStream, itemStreamId(itemId));
  return (
    refuseUnits(state, wanted) ?? {
      kind: "taken",
      version,
      item: state,
      movements: moveUnits(itemHolding.of(itemId), to, units),
    }
  );
}

/** Why these units may not leave an item in this state; null if they may. */
export function refuseUnits(
  item: ItemState,
  { ownerUid, units }: Pick<UnitsWanted, "ownerUid" | "units">,
): Rejection | null {
  if (!item.exists || item.ownerUid !== ownerUid) {
    return itemNotFound;
  }
  if (item.archived) {
    return itemArchived;
  }
  const free = freeUnits(item);
  return units > free
    ? reject(409, "not_enough_stock", `Only ${free} available in inventory`, { available: free })
    : null;
}

/** How many units may leave an item. */
export function freeUnits(item: ItemState): number {
  return item.quantity;
}

/** Which item of an owner has a barcode; null if the barcode is free. */
export type BarcodeState = { readonly itemId: string | null };

/** The reservation of a barcode, unique within one owner. Barcodes are case sensitive. */
export function barcodeStreamId(ownerUid: OwnerUid, barcode1: string): string {
  return `barcode-${ownerUid ?? "master"}-${barcode1}`;
}

/** `barcode-<uid or master>-<barcode1>`. Only the events that take or free the barcode extend it. */
export const barcodeStream: StreamDefinition<BarcodeState> = {
  category: "barcode",
  stateVersion: 1,
  initial: { itemId: null },
  evolve: (state, event, streamId) => {
    if (is(ItemAdded, event) || is(ItemRestored, event)) {
      return { itemId: event.data.itemId };
    }
    if (is(ItemArchived, event)) {
      return { itemId: null };
    }
    if (is(ItemEdited, event)) {
      const { ownerUid, itemId, after } = event.data;
      return { itemId: barcodeStreamId(ownerUid, after.barcode1) === streamId ? itemId : null };
    }
    return state;
  },
  // The owner is enough: the barcode of an item that is archived or restored is in the item's own stream.
  isAmong: (names, streamId) =>
    streamId.startsWith(barcodeStreamId(null, "")) ||
    [...names].some((name) => streamId.startsWith(barcodeStreamId(name, ""))),
};

/** Which item of an owner has a barcode, or null. */
export function holderOf(states: States, ownerUid: OwnerUid, barcode1: string): string | null {
  return states.get(barcodeStream, barcodeStreamId(ownerUid, barcode1)).state.itemId;
}
