// One line of an item's history in words: what the log's event means for the person who reads the drawer.
import * as z from "zod/mini";
import type { TimelineLine } from "#features/inventory/contract.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { draftLabels, type DraftField } from "./item-draft.ts";

export type EntryKind = "in" | "out" | "sold" | "back" | "moved" | "edited" | "counted" | "removed";

export type TimelineEntry = {
  readonly kind: EntryKind;
  readonly title: string;
  /** What changed, or why, in a sentence each. */
  readonly notes: readonly string[];
  /** The consignor it went to, to be shown by name. */
  readonly consignorUid: string | undefined;
  /** The sale it is about, to be opened. */
  readonly saleId: string | undefined;
  /** Cents that the sale brought, where one is told. */
  readonly priceCents: number | undefined;
};

const details = z.object({
  itemName: z.string(),
  listingTitle: z.string(),
  barcode1: z.string(),
  barcode2: z.string(),
  location: z.string(),
  link: z.string(),
  imageUrl: z.string(),
});

const shapes = {
  ItemAdded: z.object({ source: z.string() }),
  ItemEdited: z.object({ before: details, after: details }),
  ItemCountAdjusted: z.object({
    quantityBefore: z.number(),
    quantityAfter: z.number(),
    reason: z.string(),
  }),
  UnitsAllocated: z.object({ ownerUid: z.string(), units: z.number() }),
  UnitsReceived: z.object({ units: z.number(), source: z.string() }),
  sale: z.object({ saleId: z.string(), units: z.number(), priceCents: z.nullable(z.number()) }),
  SaleCorrected: z.object({
    saleId: z.string(),
    before: z.object({ units: z.number() }),
    after: z.object({ units: z.number() }),
  }),
  SaleRefunded: z.object({ saleId: z.string(), units: z.number(), restocked: z.boolean() }),
};

const sources: Readonly<Record<string, string>> = {
  "mass-input": "By mass input",
  copy: "Copied from another consignor's item",
  import: "By an import",
  allocation: "To receive units of the store",
};

const nothing = { notes: [], consignorUid: undefined, saleId: undefined, priceCents: undefined };

/** "OfferAccepted" → "Offer accepted": for facts that this screen has no words for. */
function spelled(type: string): string {
  const words = type.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `null` data (for those who are no admin) and unknown shapes still give a title. */
export function entryOf(line: TimelineLine): TimelineEntry {
  return known(line) ?? { ...nothing, ...fallback(line) };
}

function fallback({ type, unitsDelta }: TimelineLine): Pick<TimelineEntry, "kind" | "title"> {
  return {
    kind: unitsDelta > 0 ? "in" : unitsDelta < 0 ? "out" : "edited",
    title: spelled(type),
  };
}

function known(line: TimelineLine): TimelineEntry | undefined {
  switch (line.type) {
    case "ItemAdded": {
      return added(line);
    }
    case "ItemEdited": {
      return edited(line);
    }
    case "ItemCountAdjusted": {
      return counted(line);
    }
    case "ItemArchived": {
      return { ...nothing, kind: "removed", title: "Deleted" };
    }
    case "ItemRestored": {
      return { ...nothing, kind: "in", title: "Restored" };
    }
    case "UnitsAllocated": {
      return allocated(line);
    }
    case "UnitsReceived": {
      return received(line);
    }
    case "SaleRecorded":
    case "MasterSaleRecorded": {
      return sold(line);
    }
    case "SaleCorrected": {
      return corrected(line);
    }
    case "SaleRefunded": {
      return refunded(line);
    }
    default: {
      return undefined;
    }
  }
}

function added({ data }: TimelineLine): TimelineEntry {
  const parsed = shapes.ItemAdded.safeParse(data);
  const note = parsed.success ? sources[parsed.data.source] : undefined;
  return { ...nothing, kind: "in", title: "Added", notes: note === undefined ? [] : [note] };
}

function edited({ data }: TimelineLine): TimelineEntry | undefined {
  const parsed = shapes.ItemEdited.safeParse(data);
  if (!parsed.success) {
    return undefined;
  }
  const { before, after } = parsed.data;
  const fields: readonly Exclude<DraftField, "quantity">[] = [
    "itemName",
    "listingTitle",
    "barcode1",
    "barcode2",
    "location",
    "link",
    "imageUrl",
  ];
  const notes = fields.flatMap((field) =>
    before[field] === after[field]
      ? []
      : [`${draftLabels[field]}: ${quoted(before[field])} to ${quoted(after[field])}`],
  );
  return { ...nothing, kind: "edited", title: "Edited", notes };
}

function quoted(value: string): string {
  return value === "" ? "empty" : `“${value}”`;
}

function counted({ data }: TimelineLine): TimelineEntry | undefined {
  const parsed = shapes.ItemCountAdjusted.safeParse(data);
  if (!parsed.success) {
    return undefined;
  }
  const { quantityBefore, quantityAfter, reason } = parsed.data;
  return {
    ...nothing,
    kind: "counted",
    title: `Counted ${quantityAfter}, was ${quantityBefore}`,
    notes: reason === "" ? [] : [reason],
  };
}

function allocated({ data, unitsDelta }: TimelineLine): TimelineEntry | undefined {
  const parsed = shapes.UnitsAllocated.safeParse(data);
  if (!parsed.success) {
    return undefined;
  }
  const units = formatQuantity(parsed.data.units, "unit");
  return unitsDelta < 0
    ? {
        ...nothing,
        kind: "moved",
        title: `Allocated ${units}`,
        consignorUid: parsed.data.ownerUid,
      }
    : { ...nothing, kind: "in", title: `Received ${units} of the store` };
}

function received({ data }: TimelineLine): TimelineEntry | undefined {
  const parsed = shapes.UnitsReceived.safeParse(data);
  if (!parsed.success) {
    return undefined;
  }
  const note = sources[parsed.data.source];
  return {
    ...nothing,
    kind: "in",
    title: `Received ${formatQuantity(parsed.data.units, "unit")}`,
    notes: note === undefined ? [] : [note],
  };
}

function sold({ data }: TimelineLine): TimelineEntry | undefined {
  const parsed = shapes.sale.safeParse(data);
  if (!parsed.success) {
    return undefined;
  }
  const { saleId, units, priceCents } = parsed.data;
  return {
    ...nothing,
    kind: "sold",
    title: `Sold ${formatQuantity(units, "unit")}`,
    saleId,
    priceCents: priceCents ?? undefined,
  };
}

function corrected({ data }: TimelineLine): TimelineEntry | undefined {
  const parsed = shapes.SaleCorrected.safeParse(data);
  if (!parsed.success) {
    return undefined;
  }
  const { saleId, before, after } = parsed.data;
  return {
    ...nothing,
    kind: "counted",
    title: "Sale corrected",
    notes:
      before.units === after.units
        ? []
        : [`${formatQuantity(after.units, "unit")} sold instead of ${before.units}`],
    saleId,
  };
}

function refunded({ data }: TimelineLine): TimelineEntry | undefined {
  const parsed = shapes.SaleRefunded.safeParse(data);
  if (!parsed.success) {
    return undefined;
  }
  const { saleId, units, restocked } = parsed.data;
  return {
    ...nothing,
    kind: "back",
    title: units === 0 ? "Part of the price refunded" : `Refunded ${formatQuantity(units, "unit")}`,
    notes: units === 0 ? [] : [restocked ? "Back in stock" : "Not restocked"],
    saleId,
  };
}
