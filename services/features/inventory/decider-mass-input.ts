// Decides a mass input: many scanned barcodes of one consignor become items and units, all or nothing.
import { accept, type Decider, reject, type Rejection, type States } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import { itemAdded } from "#features/inventory/decider.ts";
import {
  findFillTarget,
  streamsOfBarcode,
  unitsReceived,
} from "#features/inventory/decider-fill.ts";
import { barcodeStreamId, holderOf, itemStreamId } from "#features/inventory/streams.ts";
import { refuseOtherOwner, shipmentStream, shipmentStreamId } from "#features/shipments/streams.ts";
import { recipientStreams, refuseRecipient } from "#features/users/streams.ts";

export type DescribedItem = {
  readonly barcode1: string;
  readonly itemName: string;
  readonly listingTitle: string;
  readonly link: string;
  readonly imageUrl: string;
};

export type MassInput = {
  /** Null for the store's own items: used only for goods of an unknown sender. */
  readonly ownerUid: string | null;
  /** The shipment that all of it came out of; null without one. */
  readonly shipmentId: string | null;
  /** The name of new items that `described` does not have; existing ones keep theirs. */
  readonly itemName: string;
  /** What new items of these barcodes are. */
  readonly described?: readonly DescribedItem[];
  /** Where all items are now; empty keeps the location of existing ones. */
  readonly location: string;
  /** As scanned: a barcode counts as many units as it appears. */
  readonly barcodes: readonly string[];
  /** At least one id per different barcode; the nth id is for the nth different barcode. */
  readonly newItemIds: readonly string[];
  readonly happenedAt: string;
};

export type MassInputLine = {
  readonly id: string;
  readonly barcode1: string;
  readonly unitsAdded: number;
  readonly version: number;
  readonly created: boolean;
};

export type MassInputDone = {
  readonly unitsAdded: number;
  readonly itemsCreated: number;
  readonly items: readonly MassInputLine[];
};

/** Units by barcode, in the order in which the barcodes first appear. */
export function countBarcodes(barcodes: readonly string[]): Map<string, number> {
  const units = new Map<string, number>();
  for (const barcode of barcodes) {
    units.set(barcode, (units.get(barcode) ?? 0) + 1);
  }
  return units;
}

/**
 * Rejects 404 `consignor_not_found` and `shipment_not_found`, 409 `shipment_deleted`, `other_consignor` and
 * `no_item_name` (a new barcode without any name). Every barcode is accepted: existing items get units, the others are
 * added.
 */
export const massInput: Decider<MassInput, MassInputDone> = {
  type: "MassInput",
  streams: ({ ownerUid, barcodes, newItemIds, shipmentId }) => [
    ...[...countBarcodes(barcodes).keys()].map((barcode1) => barcodeStreamId(ownerUid, barcode1)),
    ...newItemIds.map(itemStreamId),
    ...recipientStreams(ownerUid),
    ...(shipmentId === null ? [] : [shipmentStreamId(shipmentId)]),
  ],
  more: ({ ownerUid, barcodes }, states) =>
    [...countBarcodes(barcodes).keys()].flatMap((barcode1) =>
      streamsOfBarcode(states, ownerUid, barcode1),
    ),
  decide: (command, states) => {
    const refusal = refuseRecipient(states, command.ownerUid) ?? refuseShipment(states, command);
    if (refusal !== null) {
      return refusal;
    }
    const nameless = namelessBarcode(command, states);
    if (nameless !== null) {
      return nameless;
    }
    const lines = [...countBarcodes(command.barcodes)].map(([barcode1, units], index) =>
      inputLine(command, states, { barcode1, units, newItemId: newItemIdAt(command, index) }),
    );
    const items = lines.map(({ line }) => line);
    return accept(
      lines.flatMap(({ events }) => events),
      {
        unitsAdded: command.barcodes.length,
        itemsCreated: items.filter(({ created }) => created).length,
        items,
      },
    );
  },
};

/** A new item needs a name: its own, or the common one. */
function namelessBarcode(command: MassInput, states: States): Rejection | null {
  if (command.itemName !== "") {
    return null;
  }
  const named = new Set((command.described ?? []).map(({ barcode1 }) => barcode1));
  const barcode1 = command.barcodes.find(
    (barcode) => !named.has(barcode) && holderOf(states, command.ownerUid, barcode) === null,
  );
  return barcode1 === undefined
    ? null
    : reject(409, "no_item_name", `Barcode ${barcode1} is new: enter an item name for it`, {
        barcode1,
      });
}

function refuseShipment(states: States, { shipmentId, ownerUid }: MassInput): Rejection | null {
  if (shipmentId === null) {
    return null;
  }
  return refuseOtherOwner(states.get(shipmentStream, shipmentStreamId(shipmentId)).state, ownerUid);
}

function newItemIdAt(command: MassInput, index: number): string {
  const id = command.newItemIds[index];
  if (id === undefined) {
    throw new RangeError(`A mass input of more barcodes than the ${index} ids it brought`);
  }
  return id;
}

const plain = { listingTitle: "", link: "", imageUrl: "" };

function inputLine(
  command: MassInput,
  states: Parameters<typeof findFillTarget>[0],
  counted: { readonly barcode1: string; readonly units: number; readonly newItemId: string },
): { readonly events: readonly NewEvent[]; readonly line: MassInputLine } {
  const { ownerUid, itemName, described = [], location, shipmentId, happenedAt } = command;
  const { barcode1, units } = counted;
  const target = findFillTarget(states, { ownerUid, barcode1, location, happenedAt });
  const id = target?.itemId ?? counted.newItemId;
  const received = {
    itemId: id,
    ownerUid,
    units,
    source: "mass-input",
    fromItemId: null,
    shipmentId,
    happenedAt,
  } as const;
  const details = {
    ...(described.find((one) => one.barcode1 === barcode1) ?? { itemName, ...plain }),
    barcode1,
    barcode2: "",
    location,
    asin: "",
  };
  const events =
    target === null
      ? [itemAdded({ ...received, details })]
      : [...target.moved, unitsReceived(received)];
  const version = (target?.version ?? 0) + events.length;
  return {
    events,
    line: { id, barcode1, unitsAdded: units, version, created: target === null },
  };
}
