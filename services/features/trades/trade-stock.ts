// Takes units out of a seller's items into a trade, oldest item first, and brings them back to the same items.
import type { Rejection, States } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import { emit } from "#ledger/event.ts";
import type { Movement } from "#ledger/posting.ts";
import { moveUnits } from "#ledger/posting.ts";
import { ItemRestored } from "#features/inventory/events.ts";
import {
  barcodeStreamId,
  freeUnits,
  holderOf,
  itemHolding,
  itemStreamId,
  itemStream,
  takeUnits,
} from "#features/inventory/streams.ts";
import type { Offer, RowUnits } from "#features/trades/events.ts";

/** The streams to read before units of an offer are taken. It is called again until all of them are known. */
export function stockStreams(states: States, offer: Offer, barcode1: string): readonly string[] {
  const barcode = barcodeStreamId(offer.sellerUid, barcode1);
  const holder = states.has(barcode) ? holderOf(states, offer.sellerUid, barcode1) : null;
  return [
    ...offer.itemIds.map(itemStreamId),
    barcode,
    ...(holder === null ? [] : [itemStreamId(holder)]),
  ];
}

/** What a seller has now: the items that were offered, and one that got the barcode later. Oldest first. */
export function stockOf(states: States, offer: Offer, barcode1: string): readonly RowUnits[] {
  const holder = holderOf(states, offer.sellerUid, barcode1);
  const ids = new Set([...offer.itemIds, ...(holder === null ? [] : [holder])]);
  return [...ids].flatMap((itemId) => {
    const { state } = states.get(itemStream, itemStreamId(itemId));
    const isTheirs = state.exists && !state.archived && state.ownerUid === offer.sellerUid;
    const units = isTheirs ? freeUnits(state) : 0;
    return units > 0 ? [{ itemId, units }] : [];
  });
}

export function unitsOf(rows: readonly RowUnits[]): number {
  return rows.reduce((sum, { units }) => sum + units, 0);
}

/** The first rows until these many units are reached. */
function firstUnits(rows: readonly RowUnits[], wanted: number): readonly RowUnits[] {
  let left = wanted;
  return rows.flatMap(({ itemId, units }) => {
    const some = Math.min(units, left);
    left -= some;
    return some > 0 ? [{ itemId, units: some }] : [];
  });
}

/** Takes units out of these rows, oldest first. */
export function takeRows(
  states: States,
  sellerUid: string,
  stock: readonly RowUnits[],
  units: number,
  to: string,
):
  | { readonly kind: "taken"; readonly rows: RowUnits[]; readonly movements: Movement[] }
  | Rejection {
  const rows = firstUnits(stock, units);
  const movements: Movement[] = [];
  for (const { itemId, units: some } of rows) {
    const taken = takeUnits(states, { itemId, ownerUid: sellerUid, units: some, to });
    if (taken.kind === "rejected") {
      return taken;
    }
    movements.push(...taken.movements);
  }
  return { kind: "taken", rows: [...rows], movements };
}

/** The rows of one item; all of them for null. */
export function rowsOf(rows: readonly RowUnits[], itemId: string | null): readonly RowUnits[] {
  return itemId === null ? rows : rows.filter((row) => row.itemId === itemId);
}

/** Takes units out of the rows of one item, or of all for null: then those that were taken last go first. */
export function splitRows(
  rows: readonly RowUnits[],
  units: number,
  itemId: string | null,
): { readonly out: readonly RowUnits[]; readonly kept: readonly RowUnits[] } {
  const own = rowsOf(rows, itemId);
  const stays = new Map(firstUnits(own, unitsOf(own) - units).map((row) => [row.itemId, row]));
  const kept = rows.flatMap((row) => (own.includes(row) ? (stays.get(row.itemId) ?? []) : row));
  const keptOf = new Map(kept.map((row) => [row.itemId, row.units]));
  const out = rows.flatMap(({ itemId, units: had }) => {
    const gone = had - (keptOf.get(itemId) ?? 0);
    return gone > 0 ? [{ itemId, units: gone }] : [];
  });
  return { out, kept };
}

/** Units on their way back to a seller. */
export type UnitsBack = { readonly sellerUid: string; readonly rows: readonly RowUnits[] };

/** The streams to read before units go back: a deleted item's barcode too, and which item has it now. */
export function restockStreams(states: States, back: readonly UnitsBack[]): readonly string[] {
  return back.flatMap(({ sellerUid, rows }) =>
    rows.flatMap(({ itemId }) => {
      const stream = itemStreamId(itemId);
      const item = states.has(stream) ? states.get(itemStream, stream).state : null;
      if (item === null || !item.archived) {
        return [stream];
      }
      const barcode = barcodeStreamId(sellerUid, item.details.barcode1);
      const holder = states.has(barcode)
        ? holderOf(states, sellerUid, item.details.barcode1)
        : null;
      return [stream, barcode, ...(holder === null ? [] : [itemStreamId(holder)])];
    }),
  );
}

export type Restocked = {
  /** Items that are brought back, without the units that deleting them took. */
  readonly restored: readonly NewEvent[];
  /** The rows that the units went to. */
  readonly rows: RowUnits[];
  readonly movements: readonly Movement[];
  /** The items that the movements touch. */
  readonly streams: readonly string[];
};

/**
 * Brings units back to the rows they came from. A deleted item is restored; if another item of the same seller
 * has its barcode now, the units go to that one. The command must have declared `restockStreams`.
 */
export function restock(
  states: States,
  back: readonly UnitsBack[],
  from: string,
  happenedAt: string,
): Restocked {
  const restored: NewEvent[] = [];
  const restoredByBarcode = new Map<string, string>();
  const goalOf = (sellerUid: string, itemId: string): string => {
    const item = states.get(itemStream, itemStreamId(itemId)).state;
    if (!item.archived) {
      return itemId;
    }
    const { barcode1 } = item.details;
    const barcode = barcodeStreamId(sellerUid, barcode1);
    const holder = restoredByBarcode.get(barcode) ?? holderOf(states, sellerUid, barcode1);
    if (holder !== null) {
      return holder;
    }
    restoredByBarcode.set(barcode, itemId);
    restored.push(
      emit(
        ItemRestored,
        { itemId, ownerUid: sellerUid, after: item.details },
        { streams: [itemStreamId(itemId), barcode], happenedAt },
      ),
    );
    return itemId;
  };
  const unitsByItem = new Map<string, number>();
  for (const { sellerUid, rows } of back) {
    for (const { itemId, units } of rows) {
      const goal = goalOf(sellerUid, itemId);
      unitsByItem.set(goal, (unitsByItem.get(goal) ?? 0) + units);
    }
  }
  const rows = [...unitsByItem].map(([itemId, units]) => ({ itemId, units }));
  return {
    restored,
    rows,
    movements: rows.flatMap(({ itemId, units }) => moveUnits(from, itemHolding.of(itemId), units)),
    streams: rows.map(({ itemId }) => itemStreamId(itemId)),
  };
}
