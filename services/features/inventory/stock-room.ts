// An inventory in memory for this feature's specs: events go in, commands are decided on what they left.
import type { Decider, Decision, StreamDefinition } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import { decideBatch, definitionOf, type LoadedStream, resolveStreams } from "#ledger/log/batch.ts";
import type { ItemDetails } from "#features/inventory/events.ts";
import {
  barcodeStreamDefinition,
  type ItemState,
  itemStream,
  itemStreamDefinition,
} from "#features/inventory/streams.ts";
import { userStream } from "#features/users/streams.ts";

const definitions: ReadonlyMap<string, StreamDefinition<unknown>> = new Map<
  string,
  StreamDefinition<unknown>
>([
  ["item", itemStreamDefinition],
  ["barcode", barcodeStreamDefinition],
  ["user", userStream],
]);

export const avery = "avery-000000000000001";
export const blake = "blake-000000000000002";
export const noon = "2024-05-31T12:00:00.000Z";

/** The nth id, the same in every run. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** Details of an item with this barcode; the rest as given. */
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

/** What has happened so far, and the states it left. */
export class StockRoom {
  readonly events: NewEvent[] = [];
  readonly #streams = new Map<string, LoadedStream>();

  /** Takes events as they are, as if they had been decided long ago. */
  given(...events: readonly NewEvent[]): this {
    for (const event of events) {
      this.#load(event.streams);
      for (const streamId of event.streams) {
        const stream = this.#streams.get(streamId);
        if (stream !== undefined) {
          stream.state = stream.definition.evolve(stream.state, event, streamId);
          stream.version += 1;
        }
      }
      this.events.push(event);
    }
    return this;
  }

  /** Decides a command as the log's writer does, and keeps its events. */
  when<Command, Answer>(
    decider: Decider<Command, Answer>,
    command: Command,
  ): Decision<Answer> & { readonly added: readonly NewEvent[] } {
    const pending = {
      decider: decider as Decider<unknown, unknown>,
      command,
      context: { actor: avery, scope: "store", key: `${this.events.length}`, requestHash: "" },
      resolve: () => undefined,
      reject: () => undefined,
    };
    for (
      let missing = resolveStreams(pending, this.#streams).missing;
      missing.length > 0;
      missing = resolveStreams(pending, this.#streams).missing
    ) {
      this.#load(missing);
    }
    const batch = decideBatch([pending], this.#streams);
    const [broken] = batch.broken;
    if (broken !== undefined) {
      throw broken.error;
    }
    const added = batch.events.map(({ event }) => event);
    this.events.push(...added);
    const decision = batch.decided[0]?.decision as Decision<Answer>;
    return { ...decision, added };
  }

  /** An item's state and version now. */
  item(itemId: string): { readonly version: number; readonly state: ItemState } {
    const streamId = itemStream(itemId);
    this.#load([streamId]);
    const stream = this.#streams.get(streamId);
    return { version: stream?.version ?? 0, state: stream?.state as ItemState };
  }

  /** Every item id that any event named, each once. */
  itemIds(): string[] {
    return [...this.#streams.entries()]
      .filter(([streamId, { version }]) => streamId.startsWith("item-") && version > 0)
      .map(([streamId]) => streamId.slice("item-".length));
  }

  #load(streamIds: readonly string[]): void {
    for (const streamId of streamIds) {
      if (!this.#streams.has(streamId)) {
        const definition = definitionOf(definitions, streamId);
        this.#streams.set(streamId, {
          definition,
          loadedVersion: 0,
          version: 0,
          state: definition.initial,
        });
      }
    }
  }
}
