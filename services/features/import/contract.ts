// What importing stock from the browser takes and gives, and which column names mean what: the file that screens import.
import * as z from "zod/mini";

/** Names of columns as `plainColumnName` has them. The first is the usual one. */
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
} as const;

export type InventoryField = keyof typeof inventoryColumnNames;

export const requiredInventoryFields = ["itemName", "code", "quantity"] as const;

/** A column's name without case, spaces and punctuation; but "Consignor %" is not the column "Consignor". */
export function plainColumnName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9%]/g, "");
}

/** Where each field stands in a row: the column whose name comes first among the field's names. */
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

/** An apostrophe that our exports write before what a spreadsheet would run as a formula, and nowhere else. */
const formulaGuard = /^'(?='*[=+\-@\t\r])/u;

/** A cell's text as it was before it was written to a CSV file, without spaces around it. */
export function textOfCell(cell: string): string {
  return cell.replace(formulaGuard, "").trim();
}

export function fieldsOf<Field extends string>(names: Readonly<Record<Field, unknown>>): Field[] {
  return Object.keys(names).filter((name): name is Field => Object.hasOwn(names, name));
}

/** Lines of one request; a file is sent in as many requests as it needs. */
export const maxImportRows = 200;
const maxCells = 200;
const maxCellLength = 20_000;

const columnIndex = z.int().check(z.gte(0), z.lt(maxCells));

/**
 * POST /inventory/import/check, which writes nothing, and POST /inventory/import. A line's key is the file's
 * hash and the line's number, as for `npm run import`: whatever is sent twice is in once.
 */
export const importRequest = z.strictObject({
  /** Hex sha256 of the file's bytes. */
  fileHash: z.string().check(z.regex(/^[0-9a-f]{64}$/, "This is no hash of a file")),
  /** Whose the lines are that name nobody; null is the store. */
  consignorID: z.nullable(
    z.string().check(z.regex(/^[^@:\s]{20,128}$/, "Please select a user from the dropdown")),
  ),
  /** How many cells a line has. */
  width: z.int().check(z.gte(1), z.lte(maxCells)),
  /** Which cell holds which field, counted from 0. */
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
  }),
  rows: z
    .array(
      z.strictObject({
        /** The line of the file that the row begins on, counted from 1. */
        line: z.int().check(z.gte(1), z.lte(100_000_000)),
        cells: z.array(z.string().check(z.maxLength(maxCellLength))).check(z.maxLength(maxCells)),
      }),
    )
    .check(z.minLength(1), z.maxLength(maxImportRows)),
});

/** Why a line is not taken, for programs and for people, and what it says; cells that are not there are empty. */
export const refusedLine = z.strictObject({
  line: z.int(),
  reason: z.string(),
  message: z.string(),
  itemName: z.string(),
  barcode1: z.string(),
  quantity: z.string(),
  location: z.string(),
  consignor: z.string(),
});

/** What a line would do; `itemName` is the name the item has then. */
const plannedLine = z.strictObject({
  line: z.int(),
  /** `new` adds an item, `more` adds units to one that is there, `done` was imported before. */
  kind: z.enum(["new", "more", "done"]),
  itemName: z.string(),
  barcode1: z.string(),
  units: z.int(),
  /** Null for the store. */
  ownerUid: z.nullable(z.string()),
});

export const importCheckResponse = z.strictObject({
  planned: z.array(plannedLine),
  refused: z.array(refusedLine),
});

export const importResponse = z.strictObject({
  message: z.string(),
  /** Lines that this request brought in. */
  imported: z.int(),
  /** Lines that were in already. */
  repeated: z.int(),
  refused: z.array(refusedLine),
});

export type ImportRowsRequest = z.output<typeof importRequest>;
export type RefusedLine = z.output<typeof refusedLine>;
export type ImportCheckResponse = z.output<typeof importCheckResponse>;
export type ImportResponse = z.output<typeof importResponse>;
