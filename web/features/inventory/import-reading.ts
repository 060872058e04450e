// How a file's columns are read: guessed from their names, corrected by hand, and checked for completeness.
import {
  inventoryColumnNames,
  locateColumns,
  type InventoryField,
} from "#features/import/contract.ts";
import type { ConsignorPick } from "#web/shared/consignor/consignor-pick.ts";
import { pickOf } from "#web/shared/consignor/consignor-pick.ts";
import type { StockFile } from "./import-file.ts";
import type { ColumnChoice, ImportInput } from "./import-run.ts";

export type Reading = {
  readonly columns: ColumnChoice;
  /** The owner of lines that name nobody. */
  readonly owner: "master" | "consignor";
  readonly pick: ConsignorPick;
};

export const fieldLabels: Readonly<Record<InventoryField, string>> = {
  itemName: "Item name",
  code: "Barcode 1",
  quantity: "Quantity",
  location: "Location",
  consignor: "Consignor",
  listingTitle: "Listing title",
  barcode2: "Barcode 2",
  link: "Link",
  imageUrl: "Image URL",
  asin: "ASIN",
  tagPrice: "Tag price",
};

/** A guess from the columns' names. */
export function firstReading({ header }: StockFile): Reading {
  return {
    columns: Object.fromEntries(locateColumns(header, inventoryColumnNames)),
    owner: "master",
    pick: pickOf(undefined),
  };
}

/** The reading with a field's column changed. A column belongs to only one field. */
export function withColumn(
  { columns, ...rest }: Reading,
  field: InventoryField,
  index: number | undefined,
): Reading {
  const others = Object.entries(columns).filter(
    ([name, taken]) => name !== field && taken !== index,
  );
  return {
    ...rest,
    columns: Object.fromEntries(index === undefined ? others : [...others, [field, index]]),
  };
}

/** The complete reading; undefined while something is missing. */
export function inputIn(
  file: StockFile,
  { columns, owner, pick }: Reading,
): ImportInput | undefined {
  const { itemName, code, quantity } = columns;
  if (itemName === undefined || code === undefined || quantity === undefined) {
    return undefined;
  }
  const consignorID = owner === "master" ? null : pick.chosen?.uid;
  return consignorID === undefined
    ? undefined
    : { file, columns: { ...columns, itemName, code, quantity }, consignorID };
}
