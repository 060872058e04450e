// How the inventory's events read to people, as lines of an item's history.
import type { FeatureExplanations, ItemWords } from "#features/histories.ts";
import { titleOnly } from "#features/histories.ts";
import type {
  inventoryEvents,
  ItemDetails,
  PriceChange,
  RemovalReason,
} from "#features/inventory/events.ts";
import { shortShipmentId } from "#features/shipments/streams.ts";
import { unitsText } from "#ledger/explain.ts";
import { formatCents } from "#ledger/money.ts";

const sources = {
  manual: [],
  "mass-input": ["By mass input"],
  copy: ["Copied from another consignor's item"],
  import: ["By an import"],
  allocation: ["To receive units from the store"],
} as const satisfies Record<string, ItemWords["notes"]>;

const fieldNames: Readonly<Record<keyof ItemDetails, string>> = {
  itemName: "Item name",
  listingTitle: "Listing title",
  barcode1: "Barcode 1",
  barcode2: "Barcode 2",
  location: "Location",
  link: "Link",
  imageUrl: "Image address",
  asin: "ASIN",
};

function quoted(value: string): string {
  return value === "" ? "empty" : `“${value}”`;
}

function editNotes(before: ItemDetails, after: ItemDetails): string[] {
  return (Object.keys(fieldNames) as (keyof ItemDetails)[])
    .filter((field) => before[field] !== after[field])
    .map((field) =>
      field === "imageUrl"
        ? pictureNote(before[field], after[field])
        : `${fieldNames[field]}: ${quoted(before[field])} to ${quoted(after[field])}`,
    );
}

/** Its address says nothing to a person. */
function pictureNote(before: string, after: string): string {
  if (after === "") {
    return "Picture removed";
  }
  return before === "" ? "Picture added" : "Picture changed";
}

/** " from shipment 3F2A91BC" */
function fromShipment(shipmentId: string | undefined): string {
  return shipmentId === undefined ? "" : ` from shipment ${shortShipmentId(shipmentId)}`;
}

/** " (returned to consignor)" */
function whyRemoved(reason: RemovalReason | undefined): string {
  return reason === undefined ? "" : ` (${reason.replaceAll("_", " ")})`;
}

/** "Marked down 25%: $20.00 to $15.00" */
function pricedTitle(change: PriceChange, before: number | null, after: number | null): string {
  if (after === null) {
    return `Tag price of ${formatCents(before ?? 0)} taken off`;
  }
  if (before === null) {
    return `Tag price set to ${formatCents(after)}`;
  }
  const prices = `${formatCents(before)} to ${formatCents(after)}`;
  if (change.kind === "set") {
    return `Tag price changed: ${prices}`;
  }
  const off = change.kind === "percent-off" ? `${change.percent}%` : formatCents(change.cents);
  return `Marked down by ${off}: ${prices}`;
}

export const inventoryExplanations: FeatureExplanations<typeof inventoryEvents> = {
  ItemAdded: {
    consignor: null,
    item: {
      kind: "in",
      read: ({ source, shipmentId, tagPriceCents }) => ({
        ...titleOnly,
        title: `Added${fromShipment(shipmentId)}`,
        notes: [
          ...sources[source],
          ...(tagPriceCents === undefined ? [] : [`Tag price: ${formatCents(tagPriceCents)}`]),
        ],
      }),
    },
    user: null,
  },
  ItemEdited: {
    consignor: null,
    item: {
      kind: "edited",
      read: ({ before, after }) => ({
        ...titleOnly,
        title: "Edited",
        notes: editNotes(before, after),
      }),
    },
    user: null,
  },
  ItemCountAdjusted: {
    consignor: null,
    item: {
      kind: "counted",
      read: ({ quantityBefore, quantityAfter, reason }) => ({
        ...titleOnly,
        title: `Counted ${quantityAfter}, was ${quantityBefore}`,
        notes: reason === "" ? [] : [reason],
      }),
    },
    user: null,
  },
  ItemPriced: {
    consignor: null,
    item: {
      kind: "edited",
      read: ({ change, beforeCents, afterCents }) => ({
        ...titleOnly,
        title: pricedTitle(change, beforeCents, afterCents),
      }),
    },
    user: null,
  },
  ItemArchived: {
    consignor: null,
    item: {
      kind: "removed",
      read: ({ reason }) => ({ ...titleOnly, title: `Deleted${whyRemoved(reason)}` }),
    },
    user: null,
  },
  UnitsRemoved: {
    consignor: null,
    item: {
      kind: "removed",
      read: ({ units, reason }) => ({
        ...titleOnly,
        title: `Removed ${unitsText(units)}${whyRemoved(reason)}`,
      }),
    },
    user: null,
  },
  ItemRestored: {
    consignor: null,
    item: { kind: "in", read: () => ({ ...titleOnly, title: "Restored" }) },
    user: null,
  },
  UnitsAllocated: {
    consignor: null,
    item: {
      kind: "moved",
      // The event is a line of both items: the store's, which gives units, and the consignor's, which gets them.
      read: ({ ownerUid, units }, { unitsDelta }) =>
        unitsDelta < 0
          ? { ...titleOnly, title: `Allocated ${unitsText(units)}`, consignorUid: ownerUid }
          : { ...titleOnly, title: `Received ${unitsText(units)} from the store` },
    },
    user: null,
  },
  UnitsReceived: {
    consignor: null,
    item: {
      kind: "in",
      read: ({ units, source, shipmentId }) => ({
        ...titleOnly,
        title: `Received ${unitsText(units)}${fromShipment(shipmentId)}`,
        notes: sources[source],
      }),
    },
    user: null,
  },
};
