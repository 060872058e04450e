// The command of a planned line: one command per line, made of the commands that screens use too.
import { addItem, editItem } from "#features/inventory/decider.ts";
import { receiveUnits } from "#features/inventory/decider-fill.ts";
import type { ItemDetails } from "#features/inventory/events.ts";
import { barcodeStreamId, holderOf } from "#features/inventory/streams.ts";
import { recordSale } from "#features/sales/decider-record.ts";
import { type RefundSale, refundSale } from "#features/sales/decider-refund.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import { inSequence, step } from "#ledger/sequence.ts";
import type { Step } from "#ledger/sequence.ts";
import type { ItemLine } from "./plan-inventory.ts";
import type { RefundLine, SaleLine } from "./plan-sales.ts";
import type { ImportKind } from "./columns.ts";
import type { ImportOrder } from "./line-order.ts";

export type PlannedLine = SaleLine | RefundLine | ItemLine;

/** The consignor's share of every imported sale, in percent. */
export const IMPORTED_SHARE = 50;

/** What a file's first import fixes, so that every later run makes the same plan. */
export type ImportBegun = {
  readonly kind: ImportKind;
  readonly consignors: number;
  /** Dates after this instant count as in the future. */
  readonly begunAt: string;
  /** Of dates in the file that name none. */
  readonly timeZone: string;
  readonly order: ImportOrder;
};

/** Keeps the options of a file's first import under the file's key. It appends no event: nothing has happened yet. */
export const beginImport: Decider<ImportBegun, ImportBegun> = {
  type: "BeginImport",
  streams: () => [],
  decide: (begun) => accept([], begun),
};

function named(itemName: string, barcode1: string): ItemDetails {
  return {
    itemName,
    listingTitle: "",
    barcode1,
    barcode2: "",
    location: "",
    link: "",
    imageUrl: "",
    asin: "",
  };
}

/**
 * The consignor's item with this code (added if there is none) receives the line's units, which are then sold.
 * An existing item keeps its name.
 */
const importSale = inSequence<SaleLine>({
  type: "ImportSale",
  streams: ({ consignorId, code }) => [barcodeStreamId(consignorId, code)],
  steps: (line, states) => {
    const { consignorId, code, units, happenedAt, saleId, priceCents } = line;
    const known = holderOf(states, consignorId, code);
    const itemId = known ?? line.newItemId;
    const item = { itemId, ownerUid: consignorId, source: "import", happenedAt } as const;
    const added = { ...item, details: named(line.itemName, code), quantity: 0 };
    return [
      ...(known === null ? [step(addItem, added)] : []),
      step(receiveUnits, { ...item, units }),
      step(recordSale, {
        saleId,
        consignorId,
        itemId,
        barcode1: code,
        units,
        priceCents,
        shippingCents: 0,
        salesTaxCents: 0,
        taxRateBasisPoints: null,
        consignorPercentage: IMPORTED_SHARE,
        channel: "online",
        happenedAt,
      }),
    ];
  },
});

/** The units go back into stock, and their share of price and payout is reversed. */
function refundOf({ saleId, units, happenedAt }: RefundLine): RefundSale {
  return {
    saleId,
    units,
    amountCents: null,
    restock: true,
    expectedVersion: null,
    noteId: null,
    happenedAt,
  };
}

/**
 * The owner's item with this barcode receives the units, and moves if the file names another location; its other
 * fields stay as they are. If there is no such item, it is added as the file describes it.
 */
const importItem = inSequence<ItemLine>({
  type: "ImportItem",
  streams: ({ ownerUid, details }) => [barcodeStreamId(ownerUid, details.barcode1)],
  steps: (line, states) => {
    const { ownerUid, details, units, tagPriceCents = null, happenedAt } = line;
    const known = holderOf(states, ownerUid, details.barcode1);
    const item = { itemId: known ?? line.newItemId, ownerUid, happenedAt };
    if (known === null) {
      const added = { ...item, details, quantity: units, tagPriceCents };
      return [step(addItem, { ...added, source: "import" })];
    }
    const { location } = details;
    const moved = { changes: { location }, quantity: null, reason: null, expectedVersion: null };
    return [
      ...(units === 0 ? [] : [step(receiveUnits, { ...item, units, source: "import" })]),
      ...(location === "" ? [] : [step(editItem, { ...item, ...moved })]),
    ];
  },
});

function commandOf(line: PlannedLine): Step {
  if (line.kind === "sale") {
    return step(importSale, line);
  }
  return line.kind === "refund" ? step(refundSale, refundOf(line)) : step(importItem, line);
}

/** One decider for every kind of line: a line happens completely or not at all. */
export const importLine: Decider<PlannedLine, unknown> = {
  type: "ImportLine",
  streams: (line) => commandOf(line).streams(),
  more: (line, states) => commandOf(line).more(states),
  decide: (line, states) => commandOf(line).decide(states),
};
