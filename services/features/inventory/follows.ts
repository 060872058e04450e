// What each event of an item may say by the state of its stream before it, whoever wrote it: part of `npm run verify`.
import type { Facts } from "#ledger/event.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";
import type { Subject } from "#ledger/verify/stream-rules.ts";
import { follows, saysOther } from "#ledger/verify/stream-rules.ts";
import {
  ItemAdded,
  ItemArchived,
  ItemCountAdjusted,
  ItemEdited,
  ItemPriced,
  ItemRestored,
  UnitsAllocated,
  UnitsReceived,
  UnitsRemoved,
} from "#features/inventory/events.ts";
import type { ItemState, OwnerUid } from "#features/inventory/streams.ts";
import { itemStream, itemStreamId, refuseUnits } from "#features/inventory/streams.ts";
import type { ShipmentState } from "#features/shipments/streams.ts";
import { refuseOtherOwner, shipmentStream, shipmentStreamId } from "#features/shipments/streams.ts";

const ofItem: Subject<{ readonly itemId: string }, ItemState> = {
  check: "units",
  definition: itemStream,
  streamOf: ({ itemId }) => itemStreamId(itemId),
};

const ofMasterItem: Subject<{ readonly masterItemId: string }, ItemState> = {
  ...ofItem,
  streamOf: ({ masterItemId }) => itemStreamId(masterItemId),
};

type FromShipment = { readonly ownerUid: OwnerUid; readonly shipmentId?: string | undefined };

/** Units that came out of a shipment are about it too. */
const ofShipment: Subject<FromShipment, ShipmentState> = {
  check: "units",
  definition: shipmentStream,
  streamOf: ({ shipmentId }) =>
    shipmentId === undefined ? undefined : shipmentStreamId(shipmentId),
};

const isNotFromThere = ({ ownerUid }: FromShipment, before: ShipmentState): string | null =>
  refuseOtherOwner(before, ownerUid)?.message ?? null;

type Named = { readonly ownerUid: OwnerUid };

/** The item is there, as its owner's. */
function isNotTheirs(item: ItemState, { ownerUid }: Named): string | null {
  return item.exists
    ? saysOther({ ownerUid }, { ownerUid: item.ownerUid })
    : "the item was never added";
}

/** The same of an item that is not deleted. */
function isNotOnHand(item: ItemState, named: Named): string | null {
  return isNotTheirs(item, named) ?? (item.archived ? "the item is deleted" : null);
}

const movedBy = ({ movements }: Facts): number =>
  movements.reduce((sum, { units }) => sum + units, 0);

export const itemFollows: readonly BookCheck[] = [
  follows(ItemAdded, ofItem, (_data, { exists }) => (exists ? "it was added before" : null)),
  follows(
    ItemEdited,
    ofItem,
    (data, item) =>
      isNotOnHand(item, data) ?? saysOther({ before: data.before }, { before: item.details }),
  ),
  follows(
    ItemPriced,
    ofItem,
    (data, item) =>
      isNotOnHand(item, data) ??
      saysOther({ beforeCents: data.beforeCents }, { beforeCents: item.tagPriceCents }),
  ),
  follows(
    ItemCountAdjusted,
    ofItem,
    (data, item) =>
      isNotOnHand(item, data) ??
      saysOther({ quantityBefore: data.quantityBefore }, { quantityBefore: item.quantity }),
  ),
  follows(ItemArchived, ofItem, (data, item, facts) => {
    const units = movedBy(facts);
    return isNotOnHand(item, data) ?? saysOther({ units }, { units: item.quantity });
  }),
  follows(ItemRestored, ofItem, (data, item, facts) => {
    const units = movedBy(facts);
    // A trade that brings units back to a deleted item restores it without those that deleting it took.
    const known = units === 0 ? 0 : item.removedUnits;
    return (
      isNotTheirs(item, data) ??
      (item.archived ? saysOther({ units }, { units: known }) : "the item is not deleted")
    );
  }),
  follows(UnitsRemoved, ofItem, (data, item) => refuseUnits(item, data)?.message ?? null),
  follows(UnitsReceived, ofItem, (data, item) => isNotOnHand(item, data)),
  follows(ItemAdded, ofShipment, isNotFromThere),
  follows(UnitsReceived, ofShipment, isNotFromThere),
  follows(UnitsAllocated, ofItem, (data, item) => isNotOnHand(item, data)),
  follows(
    UnitsAllocated,
    ofMasterItem,
    ({ units }, item) => refuseUnits(item, { ownerUid: null, units })?.message ?? null,
  ),
];
