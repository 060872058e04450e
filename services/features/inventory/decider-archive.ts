// Decides how units leave without a sale: some of them, or all by deleting the item, which can be restored.
import { accept, type Decider, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { moveUnits } from "#ledger/posting.ts";
import { duplicateBarcode, findItem, type ItemChanged } from "#features/inventory/decider.ts";
import {
  ItemArchived,
  ItemRestored,
  type RemovalReason,
  UnitsRemoved,
} from "#features/inventory/events.ts";
import {
  barcodeStreamId,
  holderOf,
  itemNotFound,
  itemStreamId,
  itemStream,
  type OwnerUid,
  takeUnits,
  itemHolding,
  REMOVED,
} from "#features/inventory/streams.ts";
import { recipientStreams, refuseRecipient } from "#features/users/streams.ts";

export type RestoreItem = {
  readonly itemId: string;
  readonly ownerUid: OwnerUid;
  readonly happenedAt: string;
};

export type ArchiveItem = RestoreItem & {
  /** Why its units leave; left out where nobody said. */
  readonly reason?: RemovalReason;
};

export type RemoveUnits = {
  readonly itemId: string;
  readonly units: number;
  readonly reason: RemovalReason;
  readonly happenedAt: string;
};

/** Rejects 404 `item_not_found`; 409 `item_archived`, `not_enough_stock`. The barcode is free afterwards. */
export const archiveItem: Decider<ArchiveItem, ItemChanged> = {
  type: "ArchiveItem",
  streams: ({ itemId }) => [itemStreamId(itemId)],
  more: ({ itemId, ownerUid }, states) => {
    const found = findItem(states, itemId, ownerUid);
    return found.kind === "found" ? [barcodeStreamId(ownerUid, found.state.details.barcode1)] : [];
  },
  decide: ({ itemId, ownerUid, reason, happenedAt }, states) => {
    const found = findItem(states, itemId, ownerUid);
    if (found.kind === "refused") {
      return found.rejection;
    }
    const { version, state } = found;
    const { quantity: units } = state;
    const taken = takeUnits(states, { itemId, ownerUid, units, to: REMOVED });
    if (taken.kind === "rejected") {
      return taken;
    }
    const event = emit(
      ItemArchived,
      {
        itemId,
        ownerUid,
        after: state.details,
        // A reason is about units, and there are none to give one for.
        ...(reason === undefined || units === 0 ? {} : { reason }),
      },
      {
        streams: [itemStreamId(itemId), barcodeStreamId(ownerUid, state.details.barcode1)],
        movements: taken.movements,
        happenedAt,
      },
    );
    return accept([event], { id: itemId, version: version + 1, quantity: 0 });
  },
};

/** The item stays, also without units. Rejects 404 `item_not_found`; 409 `item_archived`, `not_enough_stock`. */
export const removeUnits: Decider<RemoveUnits, ItemChanged> = {
  type: "RemoveUnits",
  streams: ({ itemId }) => [itemStreamId(itemId)],
  decide: ({ itemId, units, reason, happenedAt }, states) => {
    const { ownerUid } = states.get(itemStream, itemStreamId(itemId)).state;
    const taken = takeUnits(states, { itemId, ownerUid, units, to: REMOVED });
    if (taken.kind === "rejected") {
      return taken;
    }
    const event = emit(
      UnitsRemoved,
      { itemId, ownerUid, units, reason },
      { streams: [itemStreamId(itemId)], movements: taken.movements, happenedAt },
    );
    const quantity = taken.item.quantity - units;
    return accept([event], { id: itemId, version: taken.version + 1, quantity });
  },
};

/** Rejects 404 `consignor_not_found`, `item_not_found`, 409 `item_not_archived`, and 409 `duplicate_barcode` if another item has it now. */
export const restoreItem: Decider<RestoreItem, ItemChanged> = {
  type: "RestoreItem",
  streams: ({ itemId, ownerUid }) => [itemStreamId(itemId), ...recipientStreams(ownerUid)],
  more: ({ itemId, ownerUid }, states) => {
    const { state } = states.get(itemStream, itemStreamId(itemId));
    return state.archived ? [barcodeStreamId(ownerUid, state.details.barcode1)] : [];
  },
  decide: ({ itemId, ownerUid, happenedAt }, states) => {
    const refusal = refuseRecipient(states, ownerUid);
    if (refusal !== null) {
      return refusal;
    }
    const { version, state } = states.get(itemStream, itemStreamId(itemId));
    if (!state.exists || state.ownerUid !== ownerUid) {
      return itemNotFound;
    }
    if (!state.archived) {
      return reject(409, "item_not_archived", "This item is in the inventory already");
    }
    const holder = holderOf(states, ownerUid, state.details.barcode1);
    if (holder !== null) {
      return duplicateBarcode(holder, state.details.barcode1);
    }
    const event = emit(
      ItemRestored,
      {
        itemId,
        ownerUid,
        after: state.details,
        ...(state.removedFor === null ? {} : { reason: state.removedFor }),
      },
      {
        streams: [itemStreamId(itemId), barcodeStreamId(ownerUid, state.details.barcode1)],
        movements: moveUnits(REMOVED, itemHolding.of(itemId), state.removedUnits),
        happenedAt,
      },
    );
    const quantity = state.quantity + state.removedUnits;
    return accept([event], { id: itemId, version: version + 1, quantity });
  },
};
