// Books in memory with one consignor's item, one of the store's, and commands to sell them, for specs of sales.
import type { NewEvent } from "#ledger/event.ts";
import { emit } from "#ledger/event.ts";
import { moveUnits } from "#ledger/posting.ts";
import type { MemoryBooks } from "#testing/shop/memory-books.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import { ItemAdded } from "#features/inventory/events.ts";
import { itemStreamId, itemHolding, RECEIVED } from "#features/inventory/streams.ts";
import type { CorrectSale, SaleChanges } from "#features/sales/decider-correct.ts";
import type {
  RecordCustomSale,
  RecordMasterSale,
  RecordSale,
} from "#features/sales/decider-record.ts";
import type { RefundSale } from "#features/sales/decider-refund.ts";

export const avery = "avery-000000000000001";
export const blake = "blake-000000000000002";
export const noon = "2024-05-31T12:00:00.000Z";
export const available = `consignor:${avery}:available`;

/** The nth id, the same in every run. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

export const lampId = idOf(101);
export const masterId = idOf(102);
export const lamp = `item:${lampId}`;

/** An item with units, as if inventory had added it. */
export function itemAdded(itemId: string, ownerUid: string | null, units: number): NewEvent {
  return emit(
    ItemAdded,
    {
      itemId,
      ownerUid,
      after: {
        itemName: "Desk lamp",
        listingTitle: "",
        barcode1: "B-1",
        barcode2: "",
        location: "",
        link: "",
        imageUrl: "",
        asin: "",
      },
      source: "manual",
      fromItemId: null,
    },
    {
      streams: [itemStreamId(itemId)],
      movements: moveUnits(RECEIVED, itemHolding.of(itemId), units),
      happenedAt: noon,
    },
  );
}

/** Books with Avery's lamp (five units) and the store's own (three). */
export function saleBooks(lamps = 5, masters = 3): MemoryBooks {
  const books = memoryBooks();
  books.given(itemAdded(lampId, avery, lamps), itemAdded(masterId, null, masters));
  return books;
}

/** Two of Avery's lamps for $40.00 with $5.00 shipping, half of it hers. */
export function selling(given: Partial<RecordSale> = {}): RecordSale {
  return {
    saleId: idOf(1),
    consignorId: avery,
    itemId: lampId,
    barcode1: "B-1",
    units: 2,
    priceCents: 4000,
    shippingCents: 500,
    salesTaxCents: 0,
    taxRateBasisPoints: null,
    consignorPercentage: 50,
    channel: "online",
    happenedAt: noon,
    ...given,
  };
}

export function sellingMaster(given: Partial<RecordMasterSale> = {}): RecordMasterSale {
  return {
    saleId: idOf(1),
    itemId: masterId,
    units: 1,
    priceCents: null,
    salesTaxCents: 0,
    taxRateBasisPoints: null,
    channel: "pos",
    happenedAt: noon,
    ...given,
  };
}

export function sellingCustom(given: Partial<RecordCustomSale> = {}): RecordCustomSale {
  return {
    saleId: idOf(1),
    consignorId: avery,
    itemName: "Cable lot",
    amountCents: 1999,
    happenedAt: noon,
    ...given,
  };
}

export function correcting(
  changes: Partial<SaleChanges>,
  given: Partial<CorrectSale> = {},
): CorrectSale {
  return {
    saleId: idOf(1),
    changes: {
      itemName: null,
      units: null,
      priceCents: null,
      shippingCents: null,
      salesTaxCents: null,
      consignorPercentage: null,
      payoutCents: null,
      ...changes,
    },
    expectedVersion: null,
    noteId: null,
    happenedAt: noon,
    ...given,
  };
}

export function refunding(units: number, given: Partial<RefundSale> = {}): RefundSale {
  return {
    saleId: idOf(1),
    units,
    amountCents: null,
    restock: true,
    expectedVersion: null,
    noteId: null,
    happenedAt: noon,
    ...given,
  };
}
