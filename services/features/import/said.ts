// A line's content, cell by cell as in the file. It is part of a refusal, so that nobody has to open the file.
import { cellOf } from "./columns.ts";
import type { SalesField } from "./columns.ts";
import type { InventoryField } from "./contract.ts";

/** A line of a sales file. Missing cells are empty. */
export type SaidSale = {
  readonly kind: "sale";
  readonly invoice: string;
  readonly customer: string;
  readonly code: string;
  readonly quantity: string;
  readonly price: string;
  readonly date: string;
};

/** A line of a file of stock. */
export type SaidStock = {
  readonly kind: "stock";
  readonly itemName: string;
  readonly barcode1: string;
  readonly quantity: string;
  readonly location: string;
  readonly consignor: string;
};

export type Said = SaidSale | SaidStock;

/** A cell may contain a whole page by mistake; this much of it is enough to find the line. */
const MAX_LENGTH = 200;

function shown(cell: string): string {
  const oneLine = cell.replaceAll(/[\r\n\t]+/g, " ");
  // The cut may split a letter of two code units.
  return oneLine.length > MAX_LENGTH
    ? `${oneLine.slice(0, MAX_LENGTH).replace(/\p{Cs}$/u, "")}…`
    : oneLine;
}

export function saidOfSale(
  columns: ReadonlyMap<SalesField, number>,
  cells: readonly string[],
): SaidSale {
  const cell = (field: SalesField): string => shown(cellOf(columns, cells, field));
  return {
    kind: "sale",
    invoice: cell("invoice"),
    customer: cell("customer"),
    code: cell("code"),
    quantity: cell("quantity"),
    price: cell("unitPrice"),
    date: cell("date"),
  };
}

export function saidOfStock(
  columns: ReadonlyMap<InventoryField, number>,
  cells: readonly string[],
): SaidStock {
  const cell = (field: InventoryField): string => shown(cellOf(columns, cells, field));
  return {
    kind: "stock",
    itemName: cell("itemName"),
    barcode1: cell("code"),
    quantity: cell("quantity"),
    location: cell("location"),
    consignor: cell("consignor"),
  };
}

const orNone = (text: string): string => (text === "" ? "–" : text);

/** On one line of the terminal. */
export function saidText(said: Said): string {
  if (said.kind === "sale") {
    const { invoice, customer, code, quantity, price, date } = said;
    return `invoice ${orNone(invoice)}, customer ${orNone(customer)}, ${orNone(quantity)} × ${orNone(code)} at ${orNone(price)} on ${orNone(date)}`;
  }
  const { itemName, barcode1, quantity, location, consignor } = said;
  const where = location === "" ? "" : ` at ${location}`;
  const whose = consignor === "" ? "" : ` of ${consignor}`;
  return `${orNone(quantity)} × ${orNone(barcode1)} ${orNone(itemName)}${where}${whose}`;
}
