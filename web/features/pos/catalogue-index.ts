// All items that this till knows, in memory. Finds barcodes instantly and words in a few milliseconds.
import type { InventoryItem } from "#features/inventory/contract.ts";
import type { CatalogueItem } from "#features/inventory/contract-catalogue.ts";

/** The limit keeps the till fast. The newest items are kept. */
export const catalogueLimit = 20_000;
export const searchLimit = 50;

/** As the server keeps texts for searches: in lower case and without accents. */
function searchable(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036F]/gu, "")
    .toLowerCase();
}

export class CatalogueIndex {
  readonly #items = new Map<string, CatalogueItem>();
  readonly #byBarcode = new Map<string, Set<string>>();
  readonly #words = new Map<string, string>();

  get size(): number {
    return this.#items.size;
  }

  get(id: string): CatalogueItem | undefined {
    return this.#items.get(id);
  }

  ids(): readonly string[] {
    return [...this.#items.keys()];
  }

  put(item: CatalogueItem): void {
    this.remove(item.id);
    this.#items.set(item.id, item);
    const { itemName, barcode1, barcode2, consignorDisplayName } = item;
    const words = [itemName, barcode1, barcode2, consignorDisplayName ?? "master"].join("\n");
    this.#words.set(item.id, searchable(words));
    for (const barcode of barcodesOf(item)) {
      const ids = this.#byBarcode.get(barcode) ?? new Set();
      this.#byBarcode.set(barcode, ids.add(item.id));
    }
  }

  remove(id: string): void {
    const item = this.#items.get(id);
    if (item === undefined) {
      return;
    }
    this.#items.delete(id);
    this.#words.delete(id);
    for (const barcode of barcodesOf(item)) {
      const ids = this.#byBarcode.get(barcode);
      ids?.delete(id);
      if (ids?.size === 0) {
        this.#byBarcode.delete(barcode);
      }
    }
  }

  clear(): void {
    this.#items.clear();
    this.#byBarcode.clear();
    this.#words.clear();
  }

  /** Every item with exactly this barcode. */
  withBarcode(code: string): readonly CatalogueItem[] {
    const ids = [...(this.#byBarcode.get(code) ?? [])];
    return ids.flatMap((id) => this.#items.get(id) ?? []);
  }

  /** Items that contain every typed word: exact barcodes first, then items in stock. */
  search(term: string): readonly CatalogueItem[] {
    const words = searchable(term).split(/\s+/).filter(Boolean);
    if (words.length === 0) {
      return [];
    }
    const exact = this.withBarcode(term.trim());
    const found: CatalogueItem[] = [];
    const soldOut: CatalogueItem[] = [];
    for (const [id, text] of this.#words) {
      const item = this.#items.get(id);
      if (
        item !== undefined &&
        !exact.includes(item) &&
        words.every((word) => text.includes(word))
      ) {
        (item.quantity > 0 ? found : soldOut).push(item);
        if (found.length + exact.length >= searchLimit) {
          break;
        }
      }
    }
    return [...exact, ...found, ...soldOut].slice(0, searchLimit);
  }
}

function barcodesOf({ barcode1, barcode2 }: CatalogueItem): readonly string[] {
  return barcode2 === "" || barcode2 === barcode1 ? [barcode1] : [barcode1, barcode2];
}

/** An item of the server's search as the till keeps it. */
export function asCatalogueItem(item: InventoryItem): CatalogueItem {
  const { id, consignorID, consignorDisplayName, itemName, barcode1, barcode2 } = item;
  const { location, imageUrl, quantity, tagPriceCents, archived } = item;
  return {
    id,
    consignorID,
    consignorDisplayName,
    itemName,
    barcode1,
    barcode2,
    location,
    imageUrl,
    quantity,
    tagPriceCents,
    archived,
  };
}
