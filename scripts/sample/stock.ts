// The sample store's goods: commands that receive, move and count them, and how many of each are left.
import { addItem, editItem } from "#features/inventory/decider.ts";
import { archiveItem, removeUnits, restoreItem } from "#features/inventory/decider-archive.ts";
import { allocateUnits, copyToConsignor, receiveUnits } from "#features/inventory/decider-fill.ts";
import { massInput } from "#features/inventory/decider-mass-input.ts";
import { changePrices } from "#features/inventory/decider-prices.ts";
import type { RemovalReason } from "#features/inventory/events.ts";
import type { Product } from "./catalog.ts";
import type { SampleConsignor } from "./people.ts";
import type { SampleCommands } from "./commands.ts";
import { sampleId } from "./commands.ts";
import { samplePicture } from "./pictures.ts";

export type SampleItem = {
  readonly id: string;
  /** Null for the store's own. */
  readonly owner: SampleConsignor | null;
  readonly product: Product;
  quantity: number;
  isArchived: boolean;
};

export class SampleStock {
  readonly items: SampleItem[] = [];
  readonly #commands: SampleCommands;

  constructor(commands: SampleCommands) {
    this.#commands = commands;
  }

  /** Items that can be sold now. */
  onHand(): SampleItem[] {
    return this.items.filter(({ quantity, isArchived }) => quantity > 0 && !isArchived);
  }

  /** The item that an owner has of a product. */
  itemOf(owner: SampleConsignor | null, product: Product): SampleItem | undefined {
    return this.items.find((item) => item.owner === owner && item.product === product);
  }

  add(
    at: Date,
    owner: SampleConsignor | null,
    product: Product,
    given: { readonly quantity: number; readonly location: string; readonly condition: string },
  ): SampleItem {
    const { quantity, location, condition } = given;
    const key = this.#commands.nextKey("item");
    const item = { id: sampleId(key), owner, product, quantity, isArchived: false };
    this.#commands.add(key, addItem, {
      itemId: item.id,
      ownerUid: this.#ownerUid(item),
      details: {
        itemName: product.name,
        listingTitle: `${product.name} – ${condition}`,
        barcode1: product.barcode,
        barcode2: "",
        location,
        link: product.link,
        imageUrl: samplePicture(product),
        asin: "",
      },
      quantity,
      source: "manual",
      happenedAt: at.toISOString(),
    });
    this.items.push(item);
    return item;
  }

  receive(at: Date, item: SampleItem, units: number): void {
    this.#commands.add(this.#commands.nextKey("receipt"), receiveUnits, {
      ...this.#named(item, at),
      units,
      source: "manual",
    });
    item.quantity += units;
  }

  relocate(at: Date, item: SampleItem, location: string): void {
    this.#edit(at, item, { changes: { location }, quantity: null, reason: null });
  }

  count(at: Date, item: SampleItem, quantity: number, reason: string): void {
    this.#edit(at, item, { changes: {}, quantity, reason });
    item.quantity = quantity;
  }

  /** Puts a tag with the usual price on each. */
  price(at: Date, items: readonly SampleItem[]): void {
    for (const item of items) {
      this.#commands.add(this.#commands.nextKey("price"), editItem, {
        ...this.#named(item, at),
        changes: {},
        tagPriceCents: item.product.priceCents,
        quantity: null,
        reason: null,
        expectedVersion: null,
      });
    }
  }

  /** Marks items down that still have their usual price. */
  markDown(at: Date, items: readonly SampleItem[], percent: number): void {
    this.#commands.add(this.#commands.nextKey("markdown"), changePrices, {
      items: items.map(({ id, product }) => ({ itemId: id, seenCents: product.priceCents })),
      rule: { kind: "percent-off", percent },
      happenedAt: at.toISOString(),
    });
  }

  remove(at: Date, item: SampleItem, units: number, reason: RemovalReason): void {
    const removal = { itemId: item.id, units, reason, happenedAt: at.toISOString() };
    this.#commands.add(this.#commands.nextKey("removal"), removeUnits, removal);
    item.quantity -= units;
  }

  archive(at: Date, item: SampleItem): void {
    this.#commands.add(this.#commands.nextKey("archive"), archiveItem, this.#named(item, at));
    item.isArchived = true;
  }

  restore(at: Date, item: SampleItem): void {
    this.#commands.add(this.#commands.nextKey("restore"), restoreItem, this.#named(item, at));
    item.isArchived = false;
  }

  /** Moves units of the store's own item to a consignor who does not have this product yet. */
  allocate(at: Date, from: SampleItem, who: SampleConsignor, units: number): void {
    const key = this.#commands.nextKey("allocation");
    const id = sampleId(key);
    this.#commands.add(key, allocateUnits, {
      masterItemId: from.id,
      ownerUid: this.#commands.uids.of(who),
      units,
      location: "",
      newItemId: id,
      happenedAt: at.toISOString(),
    });
    from.quantity -= units;
    this.items.push({ ...from, id, owner: who, quantity: units });
  }

  /** Gives units of the same product to another consignor, who does not have it yet. */
  copy(at: Date, from: SampleItem, who: SampleConsignor, units: number): void {
    if (from.owner === null) {
      throw new Error("Only a consignor's item is copied");
    }
    const key = this.#commands.nextKey("copy");
    const id = sampleId(key);
    this.#commands.add(key, copyToConsignor, {
      sourceOwnerUid: this.#commands.uids.of(from.owner),
      sourceItemId: from.id,
      ownerUid: this.#commands.uids.of(who),
      units,
      location: "",
      newItemId: id,
      happenedAt: at.toISOString(),
    });
    this.items.push({ ...from, id, owner: who, quantity: units });
  }

  /** Scans a box of one product. */
  scan(
    at: Date,
    who: SampleConsignor,
    product: Product,
    given: {
      readonly location: string;
      readonly units: number;
      /** The shipment that it came in. */
      readonly shipmentId?: string;
    },
  ): void {
    const { shipmentId = null } = given;
    const key = this.#commands.nextKey(shipmentId === null ? "scan" : "intake");
    const id = sampleId(key);
    const { location, units } = given;
    this.#commands.add(key, massInput, {
      ownerUid: this.#commands.uids.of(who),
      shipmentId,
      itemName: product.name,
      described: [
        {
          barcode1: product.barcode,
          itemName: product.name,
          listingTitle: "",
          link: product.link,
          imageUrl: samplePicture(product),
        },
      ],
      location,
      barcodes: Array.from({ length: units }, () => product.barcode),
      newItemIds: [id],
      happenedAt: at.toISOString(),
    });
    const known = this.itemOf(who, product);
    if (known === undefined) {
      this.items.push({ id, owner: who, product, quantity: units, isArchived: false });
    } else {
      known.quantity += units;
    }
  }

  #named(item: SampleItem, at: Date) {
    return { itemId: item.id, ownerUid: this.#ownerUid(item), happenedAt: at.toISOString() };
  }

  #edit(
    at: Date,
    item: SampleItem,
    edit: {
      readonly changes: { readonly location?: string };
      readonly quantity: number | null;
      readonly reason: string | null;
    },
  ): void {
    const command = { ...this.#named(item, at), ...edit, expectedVersion: null };
    this.#commands.add(this.#commands.nextKey("edit"), editItem, command);
  }

  #ownerUid({ owner }: SampleItem): string | null {
    return owner === null ? null : this.#commands.uids.of(owner);
  }
}
