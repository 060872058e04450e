// An inventory in memory for specs of stock: memory books, with helpers for items.
import type { Decider } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import type { ItemDetails } from "#features/inventory/events.ts";
import { type ItemState, itemStreamId, itemStream } from "#features/inventory/streams.ts";
import type { Decided } from "#testing/shop/memory-books.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";

export const avery = "avery-000000000000001";
export const blake = "blake-000000000000002";
export const noon = "2024-05-31T12:00:00.000Z";

/** The nth id, the same in every run. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** An item's description with this barcode, and other fields as given. */
export function detailsOf(barcode1: string, given: Partial<ItemDetails> = {}): ItemDetails {
  return {
    itemName: `Item ${barcode1}`,
    listingTitle: "",
    barcode1,
    barcode2: "",
    location: "",
    link: "",
    imageUrl: "",
    asin: "",
    ...given,
  };
}

/** The events so far, and the resulting items. */
export class StockRoom {
  readonly #books = memoryBooks();

  get events(): readonly NewEvent[] {
    return this.#books.events;
  }

  /** Adds events directly, as if they had been decided before. */
  given(...events: readonly NewEvent[]): this {
    this.#books.given(...events);
    return this;
  }

  /** Decides a command as the log's writer does, and keeps its events. */
  when<Command, Answer>(decider: Decider<Command, Answer>, command: Command): Decided<Answer> {
    return this.#books.when(decider, command);
  }

  /** An item's state and version now. */
  item(itemId: string): { readonly version: number; readonly state: ItemState } {
    return this.#books.stream(itemStream, itemStreamId(itemId));
  }

  /** All item ids in events. */
  itemIds(): string[] {
    const prefix = itemStreamId("");
    const extended = this.events.flatMap(({ streams }) => streams);
    return [...new Set(extended.filter((id) => id.startsWith(prefix)))].map((id) =>
      id.slice(prefix.length),
    );
  }
}
