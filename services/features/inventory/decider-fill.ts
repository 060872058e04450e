// Decides how items get more units: by allocation from a master item, by a copy, or by a receipt.
import { accept, type Decider, reject, type Rejection, type States } from "#ledger/decider.ts";
import { emit, type NewEvent } from "#ledger/event.ts";
import { moveUnits } from "#ledger/posting.ts";
import { findItem, itemAdded, type ItemChanged, itemEdited } from "#features/inventory/decider.ts";
import {
  type ItemDetails,
  UnitsAllocated,
  UnitsReceived,
  type UnitsSource,
} from "#features/inventory/events.ts";
import {
  barcodeStreamId,
  holderOf,
  itemStreamId,
  itemStream,
  type OwnerUid,
  takeUnits,
  itemHolding,
  RECEIVED,
} from "#features/inventory/streams.ts";
import { shipmentStreamId } from "#features/shipments/streams.ts";
import { recipientStreams, refuseRecipient } from "#features/users/streams.ts";

/** Which item was filled, and whether it is new. */
export type ItemFilled = ItemChanged & { readonly created: boolean };

export type AllocateUnits = {
  readonly masterItemId: string;
  readonly ownerUid: string;
  readonly units: number;
  /** Where the consignor's units are now; empty keeps the current location. */
  readonly location: string;
  /** The id of the new item if the consignor has none with this barcode yet. */
  readonly newItemId: string;
  readonly happenedAt: string;
};

export type CopyToConsignor = {
  readonly sourceOwnerUid: string;
  readonly sourceItemId: string;
  readonly ownerUid: string;
  readonly units: number;
  readonly location: string;
  readonly newItemId: string;
  readonly happenedAt: string;
};

export type ReceiveUnits = {
  readonly itemId: string;
  readonly ownerUid: OwnerUid;
  readonly units: number;
  readonly source: "manual" | "import";
  readonly happenedAt: string;
};

/** The streams of an owner's item with a barcode: the reservation, and once that is loaded, its item. */
export function streamsOfBarcode(states: States, ownerUid: OwnerUid, barcode1: string): string[] {
  const reservation = barcodeStreamId(ownerUid, barcode1);
  const holder = states.has(reservation) ? holderOf(states, ownerUid, barcode1) : null;
  return holder === null ? [reservation] : [reservation, itemStreamId(holder)];
}

/** An owner's item with a barcode, and the event that moves it if the location differs. */
export type FillTarget = {
  readonly itemId: string;
  readonly version: number;
  readonly quantity: number;
  readonly moved: readonly NewEvent[];
};

/** Null if the owner has no item with this barcode. An empty location keeps the item where it is. */
export function findFillTarget(
  states: States,
  wanted: {
    readonly ownerUid: OwnerUid;
    readonly barcode1: string;
    readonly location: string;
    readonly happenedAt: string;
  },
): FillTarget | null {
  const { ownerUid, barcode1, location, happenedAt } = wanted;
  const itemId = holderOf(states, ownerUid, barcode1);
  if (itemId === null) {
    return null;
  }
  const { version, state } = states.get(itemStream, itemStreamId(itemId));
  const before = state.details;
  const moved =
    location === "" || location === before.location
      ? []
      : [itemEdited({ itemId, ownerUid, before, after: { ...before, location }, happenedAt })];
  return { itemId, version, quantity: state.quantity, moved };
}

/** More units of an existing item: world:received → item. */
export function unitsReceived(received: {
  readonly itemId: string;
  readonly ownerUid: OwnerUid;
  readonly units: number;
  readonly source: UnitsSource;
  readonly fromItemId: string | null;
  /** The shipment that the units came out of. */
  readonly shipmentId?: string | null;
  readonly happenedAt: string;
}): NewEvent {
  const { itemId, ownerUid, units, source, fromItemId, happenedAt, shipmentId = null } = received;
  return emit(
    UnitsReceived,
    {
      itemId,
      ownerUid,
      units,
      source,
      fromItemId,
      ...(shipmentId === null ? {} : { shipmentId }),
    },
    {
      streams: [
        itemStreamId(itemId),
        ...(shipmentId === null ? [] : [shipmentStreamId(shipmentId)]),
      ],
      movements: moveUnits(RECEIVED, itemHolding.of(itemId), units),
      happenedAt,
    },
  );
}

/** The description of the consignor's new item, taken from the source. */
function detailsAt(source: ItemDetails, location: string): ItemDetails {
  return { ...source, location: location === "" ? source.location : location };
}

const sameConsignor: Rejection = reject(
  409,
  "same_consignor",
  "This item belongs to that consignor already",
);

/**
 * Rejects 404 `consignor_not_found`, `item_not_found`, 409 `item_archived` and 409 `not_enough_stock`. A consignor without an item
 * of this barcode gets one: it is added without units, and the allocation then moves them.
 */
export const allocateUnits: Decider<AllocateUnits, ItemFilled> = {
  type: "AllocateUnits",
  streams: ({ masterItemId, newItemId, ownerUid }) => [
    itemStreamId(masterItemId),
    itemStreamId(newItemId),
    ...recipientStreams(ownerUid),
  ],
  more: ({ masterItemId, ownerUid }, states) => {
    const found = findItem(states, masterItemId, null);
    return found.kind === "found"
      ? streamsOfBarcode(states, ownerUid, found.state.details.barcode1)
      : [];
  },
  decide: (command, states) => {
    const { masterItemId, ownerUid, units, location, newItemId, happenedAt } = command;
    const refusal = refuseRecipient(states, ownerUid);
    if (refusal !== null) {
      return refusal;
    }
    const found = findItem(states, masterItemId, null);
    if (found.kind === "refused") {
      return found.rejection;
    }
    const { details } = found.state;
    const target = findFillTarget(states, { ...command, barcode1: details.barcode1 });
    const itemId = target?.itemId ?? newItemId;
    const to = itemHolding.of(itemId);
    const taken = takeUnits(states, { itemId: masterItemId, ownerUid: null, units, to });
    if (taken.kind === "rejected") {
      return taken;
    }
    const added = itemAdded({
      itemId,
      ownerUid,
      details: detailsAt(details, location),
      tagPriceCents: found.state.tagPriceCents,
      units: 0,
      source: "allocation",
      fromItemId: masterItemId,
      happenedAt,
    });
    const allocated = emit(
      UnitsAllocated,
      { masterItemId, itemId, ownerUid, units },
      {
        streams: [itemStreamId(masterItemId), itemStreamId(itemId)],
        movements: taken.movements,
        happenedAt,
      },
    );
    const events = [...(target === null ? [added] : target.moved), allocated];
    return accept(events, filled(itemId, target, events.length, units));
  },
};

/**
 * Rejects 404 `consignor_not_found`, `item_not_found`, 409 `item_archived` and 409 `same_consignor`. The copied units are new ones:
 * the source keeps its own.
 */
export const copyToConsignor: Decider<CopyToConsignor, ItemFilled> = {
  type: "CopyToConsignor",
  streams: ({ sourceItemId, newItemId, ownerUid }) => [
    itemStreamId(sourceItemId),
    itemStreamId(newItemId),
    ...recipientStreams(ownerUid),
  ],
  more: ({ sourceItemId, sourceOwnerUid, ownerUid }, states) => {
    const found = findItem(states, sourceItemId, sourceOwnerUid);
    return found.kind === "found"
      ? streamsOfBarcode(states, ownerUid, found.state.details.barcode1)
      : [];
  },
  decide: (command, states) => {
    const { sourceItemId, sourceOwnerUid, ownerUid, units, newItemId, happenedAt } = command;
    const refusal = refuseRecipient(states, ownerUid);
    if (refusal !== null) {
      return refusal;
    }
    const found = findItem(states, sourceItemId, sourceOwnerUid);
    if (found.kind === "refused") {
      return found.rejection;
    }
    if (sourceOwnerUid === ownerUid) {
      return sameConsignor;
    }
    const { details } = found.state;
    const target = findFillTarget(states, { ...command, barcode1: details.barcode1 });
    const itemId = target?.itemId ?? newItemId;
    const copied = {
      itemId,
      ownerUid,
      units,
      source: "copy",
      fromItemId: sourceItemId,
      happenedAt,
    } as const;
    const events =
      target === null
        ? [
            itemAdded({
              ...copied,
              details: detailsAt(details, command.location),
              tagPriceCents: found.state.tagPriceCents,
            }),
          ]
        : [...target.moved, unitsReceived(copied)];
    return accept(events, filled(itemId, target, events.length, units));
  },
};

/** Rejects 404 `consignor_not_found`, `item_not_found` and 409 `item_archived`. */
export const receiveUnits: Decider<ReceiveUnits, ItemChanged> = {
  type: "ReceiveUnits",
  streams: ({ itemId, ownerUid }) => [itemStreamId(itemId), ...recipientStreams(ownerUid)],
  decide: (command, states) => {
    const { itemId, ownerUid, units } = command;
    const refusal = refuseRecipient(states, ownerUid);
    if (refusal !== null) {
      return refusal;
    }
    const found = findItem(states, itemId, ownerUid);
    if (found.kind === "refused") {
      return found.rejection;
    }
    const { version, state } = found;
    const event = unitsReceived({ ...command, fromItemId: null });
    return accept([event], { id: itemId, version: version + 1, quantity: state.quantity + units });
  },
};

function filled(
  itemId: string,
  target: FillTarget | null,
  events: number,
  units: number,
): ItemFilled {
  return {
    id: itemId,
    version: (target?.version ?? 0) + events,
    quantity: (target?.quantity ?? 0) + units,
    created: target === null,
  };
}
