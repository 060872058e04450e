// The requests and responses of importing stock from the browser, and the column names: the file that screens import.
import * as z from "zod/mini";
import { bareCell } from "#ledger/csv-cell.ts";

/** Names of columns in the form of `plainColumnName`. The first is the usual one. */
export const inventoryColumnNames = {
  itemName: ["itemname", "name", "description", "productname", "product", "item"],
  code: ["barcode", "barcode1", "stockcode", "sku", "upc", "ean", "itemcode", "code"],
  quantity: ["quantity", "qty", "units", "stock", "onhand", "count"],
  location: ["location", "bin", "shelf", "place"],
  consignor: ["consignorid", "consignoremail", "consignorusername", "consignor", "owner", "seller"],
  listingTitle: ["listingtitle", "listing", "title"],
  barcode2: ["barcode2", "secondbarcode", "alternatebarcode"],
  link: ["link", "url", "producturl"],
  imageUrl: ["imageurl", "image", "picture", "photo"],
  asin: ["asin"],
  tagPrice: ["tagprice", "price", "retailprice"],
} as const;

export type InventoryField = keyof typeof inventoryColumnNames;

export const requiredInventoryFields = ["itemName", "code", "quantity"] as const;

/** A column's name without case, spaces and punctuation; but "Consignor %" is not the column "Consignor". */
export function plainColumnName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9%]/g, "");
}

/** Each field's index in a row: of the column whose name comes first in the field's list of names. */
export function locateColumns<Field extends string>(
  header: readonly string[],
  names: Readonly<Record<Field, readonly string[]>>,
): Map<Field, number> {
  const plain = header.map(plainColumnName);
  const at = new Map<Field, number>();
  for (const field of fieldsOf(names)) {
    const name = names[field].find((candidate) => plain.includes(candidate));
    if (name !== undefined) {
      at.set(field, plain.indexOf(name));
    }
  }
  return at;
}

/** A cell's text as it was before it was written to a CSV file, trimmed. */
export function textOfCell(cell: string): string {
  return bareCell(cell).trim();
}

export function fieldsOf<Field extends string>(names: Readonly<Record<Field, unknown>>): Field[] {
  return Object.keys(names).filter((name): name is Field => Object.hasOwn(names, name));
}

/** Most lines in one request; longer files are sent in several. */
export const maxImportRows = 200;
const maxCells = 200;
const maxCellLength = 20_000;

const columnIndex = z.int().check(z.gte(0), z.lt(maxCells));

/**
 * POST /inventory/import/check, which writes nothing, and POST /inventory/import. A line's key is the file's
 * hash and the line's number, as for `npm run import`, so a line that is sent twice is imported once.
 */
export const importRequest = z.strictObject({
  /** Hex sha256 of the file's bytes. */
  fileHash: z.string().check(z.regex(/^[0-9a-f]{64}$/, "This is not the hash of a file")),
  /** The owner of lines without a consignor; null is the store. */
  consignorID: z.nullable(
    z.string().check(z.regex(/^[^@:\s]{20,128}$/, "Please select a user from the dropdown")),
  ),
  /** The number of cells in a line. */
  width: z.int().check(z.gte(1), z.lte(maxCells)),
  /** The index of each field's cell, from 0. */
  columns: z.strictObject({
    itemName: columnIndex,
    code: columnIndex,
    quantity: columnIndex,
    location: z.optional(columnIndex),
    consignor: z.optional(columnIndex),
    listingTitle: z.optional(columnIndex),
    barcode2: z.optional(columnIndex),
    link: z.optional(columnIndex),
    imageUrl: z.optional(columnIndex),
    asin: z.optional(columnIndex),
    tagPrice: z.optional(columnIndex),
  }),
  rows: z
    .array(
      z.strictObject({
        /** The line of the file where the row begins, from 1. */
        line: z.int().check(z.gte(1), z.lte(100_000_000)),
        cells: z.array(z.string().check(z.maxLength(maxCellLength))).check(z.maxLength(maxCells)),
      }),
    )
    .check(z.minLength(1), z.maxLength(maxImportRows)),
});

/** Why a line is refused, as a code and as a sentence, and its content; missing cells are empty. */
export const refusedLine = z.object({
  line: z.int(),
  reason: z.string(),
  message: z.string(),
  itemName: z.string(),
  barcode1: z.string(),
  quantity: z.string(),
  location: z.string(),
  consignor: z.string(),
});

/** What a line would do; `itemName` is the item's name afterwards. */
const plannedLine = z.object({
  line: z.int(),
  /** `new` adds an item, `more` adds units to an existing one, `done` was imported before. */
  kind: z.enum(["new", "more", "done"]),
  itemName: z.string(),
  barcode1: z.string(),
  units: z.int(),
  /** Null for the store. */
  ownerUid: z.nullable(z.string()),
});

export const importCheckResponse = z.object({
  planned: z.array(plannedLine),
  refused: z.array(refusedLine),
});

export const importResponse = z.object({
  message: z.string(),
  /** Lines that this request imported. */
  imported: z.int(),
  /** Lines that were imported before. */
  repeated: z.int(),
  refused: z.array(refusedLine),
});

export type ImportRowsRequest = z.output<typeof importRequest>;
export type RefusedLine = z.output<typeof refusedLine>;
export type ImportCheckResponse = z.output<typeof importCheckResponse>;
export type ImportResponse = z.output<typeof importResponse>;
