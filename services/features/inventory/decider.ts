// Decides adding and editing an item: takes commands with ids and time, returns events or a rejection.
import { accept, type Decider, type Rejection, reject, type States } from "#ledger/decider.ts";
import { emit, type NewEvent } from "#ledger/event.ts";
import { moveUnits } from "#ledger/posting.ts";
import {
  ItemAdded,
  ItemCountAdjusted,
  type ItemDetails,
  ItemEdited,
  ItemPriced,
  type PriceChange,
} from "#features/inventory/events.ts";
import {
  barcodeStreamId,
  holderOf,
  itemArchived,
  itemNotFound,
  type ItemState,
  itemStreamId,
  itemStream,
  type OwnerUid,
  takeUnits,
  itemHolding,
  RECEIVED,
  ADJUSTED,
} from "#features/inventory/streams.ts";
import { shipmentStreamId } from "#features/shipments/streams.ts";
import { recipientStreams, refuseRecipient } from "#features/users/streams.ts";

/** The answer to a change of one item: its version and units afterwards. */
export type ItemChanged = {
  readonly id: string;
  readonly version: number;
  readonly quantity: number;
};

export type AddItem = {
  readonly itemId: string;
  readonly ownerUid: OwnerUid;
  readonly details: ItemDetails;
  readonly quantity: number;
  /** Null or left out: the item has none. */
  readonly tagPriceCents?: number | null;
  readonly source: "manual" | "import";
  readonly happenedAt: string;
};

export type EditItem = {
  readonly itemId: string;
  readonly ownerUid: OwnerUid;
  /** Only the fields to change; omitted ones keep their value. */
  readonly changes: Partial<ItemDetails>;
  /** Null takes the tag price off; left out, it stays. */
  readonly tagPriceCents?: number | null;
  /** The counted units; null keeps the quantity. */
  readonly quantity: number | null;
  /** Why the count differs; null for the default. */
  readonly reason: string | null;
  /** The version the form was loaded with; null edits any version. */
  readonly expectedVersion: number | null;
  readonly happenedAt: string;
};

export const defaultAdjustmentReason = "Manual edit";

export function duplicateBarcode(itemId: string, barcode1: string): Rejection {
  return reject(409, "duplicate_barcode", `Barcode ${barcode1} belongs to another item already`, {
    id: itemId,
    barcode1,
  });
}

/** The owner's active item, or why a command cannot change it. */
export function findItem(
  states: States,
  itemId: string,
  ownerUid: OwnerUid,
):
  | { readonly kind: "found"; readonly version: number; readonly state: ItemState }
  | { readonly kind: "refused"; readonly rejection: Rejection } {
  const { version, state } = states.get(itemStream, itemStreamId(itemId));
  if (!state.exists || state.ownerUid !== ownerUid) {
    return { kind: "refused", rejection: itemNotFound };
  }
  if (state.archived) {
    return { kind: "refused", rejection: itemArchived };
  }
  return { kind: "found", version, state };
}

/** The event of a new item with its reservation and its first units. */
export function itemAdded(added: {
  readonly itemId: string;
  readonly ownerUid: OwnerUid;
  readonly details: ItemDetails;
  readonly units: number;
  readonly source: "manual" | "mass-input" | "copy" | "import" | "allocation";
  readonly fromItemId: string | null;
  /** The shipment that the units came out of. */
  readonly shipmentId?: string | null;
  readonly tagPriceCents?: number | null;
  readonly happenedAt: string;
}): NewEvent {
  const { itemId, ownerUid, details, source, fromItemId } = added;
  const { shipmentId = null, tagPriceCents = null } = added;
  return emit(
    ItemAdded,
    {
      itemId,
      ownerUid,
      after: details,
      source,
      fromItemId,
      ...(shipmentId === null ? {} : { shipmentId }),
      ...(tagPriceCents === null ? {} : { tagPriceCents }),
    },
    {
      streams: [
        itemStreamId(itemId),
        barcodeStreamId(ownerUid, details.barcode1),
        ...(shipmentId === null ? [] : [shipmentStreamId(shipmentId)]),
      ],
      movements: moveUnits(RECEIVED, itemHolding.of(itemId), added.units),
      happenedAt: added.happenedAt,
    },
  );
}

/** The event of a changed description; a changed barcode frees the old one and takes the new one. */
export function itemEdited(edited: {
  readonly itemId: string;
  readonly ownerUid: OwnerUid;
  readonly before: ItemDetails;
  readonly after: ItemDetails;
  readonly happenedAt: string;
}): NewEvent {
  const { itemId, ownerUid, before, after } = edited;
  const reservations =
    before.barcode1 === after.barcode1
      ? []
      : [barcodeStreamId(ownerUid, before.barcode1), barcodeStreamId(ownerUid, after.barcode1)];
  return emit(
    ItemEdited,
    { itemId, ownerUid, before, after },
    { streams: [itemStreamId(itemId), ...reservations], happenedAt: edited.happenedAt },
  );
}

/** The event of a changed tag price. */
export function itemPriced(priced: {
  readonly itemId: string;
  /** The item before. */
  readonly state: ItemState;
  readonly afterCents: number | null;
  readonly change: PriceChange;
  readonly happenedAt: string;
}): NewEvent {
  const { itemId, state, afterCents, change, happenedAt } = priced;
  const { ownerUid, tagPriceCents: beforeCents } = state;
  return emit(
    ItemPriced,
    { itemId, ownerUid, beforeCents, afterCents, change },
    { streams: [itemStreamId(itemId)], happenedAt },
  );
}

export function sameDetails(a: ItemDetails, b: ItemDetails): boolean {
  return (
    a.itemName === b.itemName &&
    a.listingTitle === b.listingTitle &&
    a.barcode1 === b.barcode1 &&
    a.barcode2 === b.barcode2 &&
    a.location === b.location &&
    a.link === b.link &&
    a.imageUrl === b.imageUrl &&
    a.asin === b.asin
  );
}

/** Rejects 404 `consignor_not_found`, 409 `duplicate_barcode` and 409 `item_exists` (an id that was used before). */
export const addItem: Decider<AddItem, ItemChanged> = {
  type: "AddItem",
  streams: ({ itemId, ownerUid, details }) => [
    itemStreamId(itemId),
    barcodeStreamId(ownerUid, details.barcode1),
    ...recipientStreams(ownerUid),
  ],
  decide: (command, states) => {
    const { itemId, ownerUid, details, quantity } = command;
    const refusal = refuseRecipient(states, ownerUid);
    if (refusal !== null) {
      return refusal;
    }
    if (states.get(itemStream, itemStreamId(itemId)).version > 0) {
      return reject(409, "item_exists", "This item was added already");
    }
    const holder = holderOf(states, ownerUid, details.barcode1);
    if (holder !== null) {
      return duplicateBarcode(holder, details.barcode1);
    }
    const event = itemAdded({ ...command, units: quantity, fromItemId: null });
    return accept([event], { id: itemId, version: 1, quantity });
  },
};

/**
 * Rejects 404 `consignor_not_found`, `item_not_found`, 409 `item_archived`, `item_changed` (with the item as it is now),
 * `not_enough_stock` (a lower count of units that may not leave) and `duplicate_barcode`. Appends an event only for what differs.
 */
export const editItem: Decider<EditItem, ItemChanged> = {
  type: "EditItem",
  streams: ({ itemId, ownerUid }) => [itemStreamId(itemId), ...recipientStreams(ownerUid)],
  more: ({ itemId, ownerUid, changes }, states) => {
    const found = findItem(states, itemId, ownerUid);
    const barcode1 = changes.barcode1;
    if (
      found.kind === "refused" ||
      barcode1 === undefined ||
      barcode1 === found.state.details.barcode1
    ) {
      return [];
    }
    return [
      barcodeStreamId(ownerUid, found.state.details.barcode1),
      barcodeStreamId(ownerUid, barcode1),
    ];
  },
  decide: (command, states) => {
    const { itemId, ownerUid, expectedVersion, happenedAt } = command;
    const refusal = refuseRecipient(states, ownerUid);
    if (refusal !== null) {
      return refusal;
    }
    const found = findItem(states, itemId, ownerUid);
    if (found.kind === "refused") {
      return found.rejection;
    }
    const { version, state } = found;
    if (expectedVersion !== null && expectedVersion !== version) {
      return reject(409, "item_changed", "This item changed since you opened it", {
        id: itemId,
        version,
        quantity: state.quantity,
        tagPriceCents: state.tagPriceCents,
        ...state.details,
      });
    }
    const before = state.details;
    const after = { ...before, ...command.changes };
    if (after.barcode1 !== before.barcode1) {
      const holder = holderOf(states, ownerUid, after.barcode1);
      if (holder !== null) {
        return duplicateBarcode(holder, after.barcode1);
      }
    }
    const quantity = command.quantity ?? state.quantity;
    const events: NewEvent[] = sameDetails(before, after)
      ? []
      : [itemEdited({ itemId, ownerUid, before, after, happenedAt })];
    const { tagPriceCents = state.tagPriceCents } = command;
    if (tagPriceCents !== state.tagPriceCents) {
      const change = { kind: "set" } as const;
      events.push(itemPriced({ itemId, state, afterCents: tagPriceCents, change, happenedAt }));
    }
    if (quantity !== state.quantity) {
      const adjusted = countAdjusted(command, states, { before: state.quantity, after: quantity });
      if ("kind" in adjusted) {
        return adjusted;
      }
      events.push(adjusted);
    }
    return accept(events, { id: itemId, version: version + events.length, quantity });
  },
};

/** A higher count puts units in; a lower one takes them out. */
function countAdjusted(
  command: EditItem,
  states: States,
  { before: quantityBefore, after: quantityAfter }: Record<"before" | "after", number>,
): NewEvent | Rejection {
  const { itemId, ownerUid, happenedAt } = command;
  const reason = command.reason ?? defaultAdjustmentReason;
  const more = quantityAfter - quantityBefore;
  const taken =
    more < 0 ? takeUnits(states, { itemId, ownerUid, units: -more, to: ADJUSTED }) : null;
  if (taken?.kind === "rejected") {
    return taken;
  }
  return emit(
    ItemCountAdjusted,
    { itemId, ownerUid, quantityBefore, quantityAfter, reason },
    {
      streams: [itemStreamId(itemId)],
      movements: taken?.movements ?? moveUnits(ADJUSTED, itemHolding.of(itemId), more),
      happenedAt,
    },
  );
}
