// Finds a file's columns by their names, in any order, and from them the kind of file.
import type { InventoryField } from "./contract.ts";
import {
  fieldsOf,
  inventoryColumnNames,
  locateColumns,
  plainColumnName,
  requiredInventoryFields,
} from "./contract.ts";
import { FileProblem } from "./file-problem.ts";

export type ImportKind = "sales" | "inventory";

/** Names of columns in the form of `plainColumnName`. The first is the usual one. */
const salesColumns = {
  invoice: ["invoiceno", "invoice", "invoicenumber", "invoiceid", "orderno", "ordernumber"],
  code: ["stockcode", "barcode", "barcode1", "sku", "itemcode", "productcode", "code"],
  description: ["description", "itemname", "productname", "product", "title", "name"],
  quantity: ["quantity", "qty", "units", "quantitysold", "soldquantity"],
  date: ["invoicedate", "date", "datesold", "saledate", "solddate", "soldat"],
  unitPrice: ["unitprice", "price", "priceperunit", "priceperitem", "itemprice"],
  customer: ["customerid", "customer", "customerno", "customernumber", "buyer"],
  consignor: ["consignor", "consignorid", "consignoremail", "consignorusername", "owner", "seller"],
} as const;

export type SalesField = keyof typeof salesColumns;

const requiredOfSales = ["invoice", "code", "quantity", "date", "unitPrice"] as const;

/** Each field's index in a row; a field without a column is absent. */
export type Columns =
  | { readonly kind: "sales"; readonly at: ReadonlyMap<SalesField, number> }
  | { readonly kind: "inventory"; readonly at: ReadonlyMap<InventoryField, number> };

/**
 * Reads the header. If `kind` is null, the columns decide: only sales have a date and a price. Throws a FileProblem
 * that names the missing or repeated column.
 */
export function findColumns(header: readonly string[], kind: ImportKind | null): Columns {
  const names = header.map(plainColumnName);
  const sales = locateColumns(header, salesColumns);
  const chosen = kind ?? (sales.has("date") || sales.has("unitPrice") ? "sales" : "inventory");
  if (chosen === "sales") {
    refuseRepeated(header, names, salesColumns);
    refuseMissing(header, sales, requiredOfSales, salesColumns, "sales");
    return { kind: "sales", at: sales };
  }
  const inventory = locateColumns(header, inventoryColumnNames);
  refuseRepeated(header, names, inventoryColumnNames);
  refuseMissing(header, inventory, requiredInventoryFields, inventoryColumnNames, "inventory");
  return { kind: "inventory", at: inventory };
}

type Synonyms<Field extends string> = Readonly<Record<Field, readonly string[]>>;

function refuseRepeated<Field extends string>(
  header: readonly string[],
  names: readonly string[],
  synonyms: Synonyms<Field>,
): void {
  const known = new Set(fieldsOf(synonyms).flatMap((field) => synonyms[field]));
  const repeated = names.findIndex((name, index) => known.has(name) && names.indexOf(name) < index);
  if (repeated !== -1) {
    throw new FileProblem(`the column ${header[repeated] ?? ""} is there twice`, 1);
  }
}

function refuseMissing<Field extends string>(
  header: readonly string[],
  at: ReadonlyMap<Field, number>,
  required: readonly Field[],
  synonyms: Synonyms<Field>,
  kind: ImportKind,
): void {
  const missing = required.filter((field) => !at.has(field));
  if (missing.length === 0) {
    return;
  }
  const wanted = missing.map((field) => synonyms[field].slice(0, 3).join(" or ")).join("; ");
  const hint = /[;\t|]/.test(header.join("")) ? ". Columns must be separated by commas" : "";
  throw new FileProblem(
    `a file of ${kind} needs columns that are not there: ${wanted}. It has: ${header.join(", ")}${hint}`,
    1,
  );
}

/** A row's cell; empty where the file has no such column. */
export function cellOf<Field extends string>(
  at: ReadonlyMap<Field, number>,
  cells: readonly string[],
  field: Field,
): string {
  const index = at.get(field);
  return index === undefined ? "" : (cells[index] ?? "");
}
