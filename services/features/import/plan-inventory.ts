// The plan of a file of stock: each line adds an item with its units, or more units to an existing item.
import type { ItemDetails } from "#features/inventory/events.ts";
import {
  parseAsin,
  parseCode,
  parseLink,
  parsePicture,
  parsePrice,
  parseQuantity,
  parseText,
  refused,
  totalOf,
  understood,
} from "./cells.ts";
import type { Refused, Understood } from "./cells.ts";
import { cellOf } from "./columns.ts";
import type { InventoryField } from "./contract.ts";
import { importedId } from "./imported-ids.ts";
import type { LinePlan } from "./plan-sales.ts";
import type { CsvRow } from "./read-csv.ts";
import { saidOfStock } from "./said.ts";
import type { SaidStock } from "./said.ts";

/** `newItemId` is used if the owner has no item with this barcode; `ownerUid` null is the store itself. */
export type ItemLine = {
  readonly kind: "item";
  readonly line: number;
  readonly newItemId: string;
  readonly ownerUid: string | null;
  readonly details: ItemDetails;
  readonly units: number;
  /** Of a new item; left out without one, so that a file without prices is the same line as before. */
  readonly tagPriceCents?: number;
  readonly happenedAt: string;
};

export type InventoryRules = {
  readonly fileHash: string;
  readonly columns: ReadonlyMap<InventoryField, number>;
  readonly width: number;
  /** The addresses of pictures that this store keeps. */
  readonly pictures: ReadonlySet<string>;
  /** The date of all receipts, as the file has no dates. */
  readonly now: Date;
  /** The person with a name from the file; an empty name is the store itself. */
  readonly ownerOf: (name: string) => { readonly uid: string | null } | Refused;
};

export function createInventoryPlan(
  rules: InventoryRules,
): (row: CsvRow) => LinePlan<ItemLine, SaidStock> {
  return ({ line, cells }) => {
    const said = saidOfStock(rules.columns, cells);
    const read = readCells(rules, cells);
    if (read.kind === "refused") {
      return { ...read, line, said };
    }
    return {
      kind: "planned",
      said,
      soldAt: null,
      planned: {
        kind: "item",
        line,
        newItemId: importedId(rules.fileHash, line, "item"),
        ...read.value,
        happenedAt: rules.now.toISOString(),
      },
    };
  };
}

function readCells(
  rules: InventoryRules,
  cells: readonly string[],
): Understood<Pick<ItemLine, "ownerUid" | "details" | "units" | "tagPriceCents">> | Refused {
  if (cells.length !== rules.width) {
    return refused("cell_count", `The line has ${cells.length} cells instead of ${rules.width}`);
  }
  const cell = (field: InventoryField): string => cellOf(rules.columns, cells, field);
  const quantity = parseQuantity(cell("quantity"));
  if (quantity.kind === "refused") {
    return quantity;
  }
  if (quantity.value < 0) {
    return refused("negative_quantity", "The quantity is below zero");
  }
  const owner = rules.ownerOf(cell("consignor"));
  if ("kind" in owner) {
    return owner;
  }
  const price = readTagPrice(cell("tagPrice"));
  if (price.kind === "refused") {
    return price;
  }
  const details = readDetails(rules, cell);
  return details.kind === "refused"
    ? details
    : {
        kind: "understood",
        value: {
          ownerUid: owner.uid,
          details: details.value,
          units: quantity.value,
          ...price.value,
        },
      };
}

/** Empty without a tag price. */
function readTagPrice(text: string): Understood<Pick<ItemLine, "tagPriceCents">> | Refused {
  if (text === "") {
    return understood({});
  }
  const price = parsePrice(text);
  const kept = price.kind === "refused" ? price : totalOf(price.value, 1);
  return kept.kind === "refused" ? kept : understood({ tagPriceCents: kept.value });
}

function readDetails(
  { pictures }: InventoryRules,
  cell: (field: InventoryField) => string,
): Understood<ItemDetails> | Refused {
  const read = {
    itemName: parseText(cell("itemName"), "item name"),
    listingTitle: parseText(cell("listingTitle"), "listing title"),
    barcode1: parseCode(cell("code")),
    barcode2: cell("barcode2") === "" ? understood("") : parseCode(cell("barcode2")),
    location: parseText(cell("location"), "location"),
    link: parseLink(cell("link")),
    imageUrl: parsePicture(cell("imageUrl"), pictures),
    asin: parseAsin(cell("asin")),
  };
  const wrong = Object.values(read).find((part) => part.kind === "refused");
  if (wrong !== undefined) {
    return wrong;
  }
  const value = (part: Understood<string> | Refused): string =>
    part.kind === "understood" ? part.value : "";
  if (value(read.itemName) === "") {
    return refused("empty_name", "There is no item name");
  }
  return {
    kind: "understood",
    value: {
      itemName: value(read.itemName),
      listingTitle: value(read.listingTitle),
      barcode1: value(read.barcode1),
      barcode2: value(read.barcode2),
      location: value(read.location),
      link: value(read.link),
      imageUrl: value(read.imageUrl),
      asin: value(read.asin),
    },
  };
}
