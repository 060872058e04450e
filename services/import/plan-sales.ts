// The plan of a file of sales: a fold over its lines in order that makes each a sale, a refund, or a refusal.
import type { Cents } from "#ledger/money.ts";
import type { CsvRow } from "./read-csv.ts";
import {
  parseCode,
  parseInstant,
  parsePrice,
  parseQuantity,
  parseText,
  quoted,
  refused,
  totalOf,
} from "./cells.ts";
import type { Refusal, Refused } from "./cells.ts";
import { cellOf } from "./columns.ts";
import type { SalesField } from "./columns.ts";
import { importedId } from "./imported-ids.ts";

/** Units come in and are sold at once. `newItemId` is used if the consignor has no item with this code. */
export type SaleLine = {
  readonly kind: "sale";
  readonly line: number;
  readonly saleId: string;
  readonly newItemId: string;
  readonly consignorId: string;
  readonly code: string;
  readonly itemName: string;
  readonly units: number;
  /** Of all units together. */
  readonly priceCents: Cents;
  readonly happenedAt: string;
};

/** Units of an earlier line's sale go back, into stock. */
export type RefundLine = {
  readonly kind: "refund";
  readonly line: number;
  readonly saleId: string;
  readonly saleLine: number;
  readonly units: number;
  readonly happenedAt: string;
};

export type PlannedSale = SaleLine | RefundLine;

export type SalesRules = {
  readonly fileHash: string;
  readonly columns: ReadonlyMap<SalesField, number>;
  /** How many cells a row has. */
  readonly width: number;
  /** Later dates are in the future. */
  readonly now: Date;
  /** Whose a code is; `name` is what the file says, empty where it says nothing. */
  readonly consignorOf: (name: string, code: string) => { readonly uid: string } | Refused;
};

export type LinePlan<Planned> =
  | { readonly kind: "planned"; readonly planned: Planned }
  | ({ readonly kind: "refused" } & Refusal);

/** What a cancellation looks for. */
type OpenSale = { readonly saleId: string; readonly line: number; unitsLeft: number };

/** What a line says, understood cell by cell. */
type SaleCells = {
  readonly code: string;
  readonly itemName: string;
  readonly customer: string;
  readonly isCancellation: boolean;
  readonly quantity: number;
  readonly unitCents: Cents;
  readonly consignorId: string;
  readonly happenedAt: string;
};

const CANCELLATION_MARK = "C";

/**
 * Plans line after line: the result depends on the file, the rules and the lines before, on nothing else.
 * A cancellation refunds the latest earlier line of the same code, customer and price that has enough units
 * that were not refunded yet.
 */
export function createSalesPlan(rules: SalesRules): (row: CsvRow) => LinePlan<PlannedSale> {
  const open = new Map<string, OpenSale[]>();
  return (row) => {
    const cells = readCells(rules, row.cells);
    if ("kind" in cells) {
      return { ...cells, line: row.line };
    }
    const { code, customer, unitCents, consignorId } = cells;
    const key = [consignorId, code, customer, unitCents].join("\n");
    const sales = open.get(key) ?? [];
    const planned = cells.isCancellation
      ? planRefund(sales, row.line, cells)
      : planSale(rules.fileHash, row.line, cells);
    if (planned.kind === "refused") {
      return { ...planned, line: row.line };
    }
    if (planned.kind === "sale") {
      open.set(key, sales);
      sales.push({ saleId: planned.saleId, line: row.line, unitsLeft: planned.units });
    }
    return { kind: "planned", planned };
  };
}

function planSale(fileHash: string, line: number, cells: SaleCells): SaleLine | Refused {
  const { code, itemName, quantity: units, unitCents, consignorId, happenedAt } = cells;
  const total = totalOf(unitCents, units);
  return total.kind === "refused"
    ? total
    : {
        kind: "sale",
        line,
        saleId: importedId(fileHash, line, "sale"),
        newItemId: importedId(fileHash, line, "item"),
        consignorId,
        code,
        itemName,
        units,
        priceCents: total.value,
        happenedAt,
      };
}

function planRefund(sales: OpenSale[], line: number, cells: SaleCells): RefundLine | Refused {
  const units = -cells.quantity;
  const sale = sales.findLast(({ unitsLeft }) => unitsLeft >= units);
  if (sale === undefined) {
    return refused(
      "nothing_to_refund",
      `No earlier line of ${quoted(cells.code)} with this customer and price has ${units} ${units === 1 ? "unit" : "units"} left to refund`,
    );
  }
  sale.unitsLeft -= units;
  const { saleId, line: saleLine } = sale;
  return { kind: "refund", line, saleId, saleLine, units, happenedAt: cells.happenedAt };
}

/** The first cell that cannot be understood refuses the line. */
function readCells(rules: SalesRules, cells: readonly string[]): SaleCells | Refused {
  if (cells.length !== rules.width) {
    return refused("cell_count", `The line has ${cells.length} cells instead of ${rules.width}`);
  }
  const cell = (field: SalesField): string => cellOf(rules.columns, cells, field);
  const invoice = cell("invoice");
  if (invoice === "") {
    return refused("empty_invoice", "There is no invoice number to tell a cancellation by");
  }
  const code = parseCode(cell("code"));
  if (code.kind === "refused") {
    return code;
  }
  const name = parseText(cell("description"), "description");
  if (name.kind === "refused") {
    return name;
  }
  const isCancellation = invoice.startsWith(CANCELLATION_MARK);
  const quantity = readQuantity(cell("quantity"), isCancellation);
  if (quantity.kind === "refused") {
    return quantity;
  }
  const price = parsePrice(cell("unitPrice"));
  if (price.kind === "refused") {
    return price;
  }
  const date = parseInstant(cell("date"), rules.now);
  if (date.kind === "refused") {
    return date;
  }
  const consignor = rules.consignorOf(cell("consignor"), code.value);
  if ("kind" in consignor) {
    return consignor;
  }
  return {
    code: code.value,
    itemName: name.value === "" ? code.value : name.value,
    customer: cell("customer"),
    isCancellation,
    quantity: quantity.value,
    unitCents: price.value,
    consignorId: consignor.uid,
    happenedAt: date.value,
  };
}

function readQuantity(text: string, isCancellation: boolean): ReturnType<typeof parseQuantity> {
  const quantity = parseQuantity(text);
  if (quantity.kind === "refused") {
    return quantity;
  }
  if (quantity.value === 0) {
    return refused("zero_quantity", "The quantity is zero");
  }
  if (isCancellation && quantity.value > 0) {
    return refused(
      "cancellation_not_negative",
      "A cancellation (the invoice number begins with C) has a quantity below zero",
    );
  }
  return !isCancellation && quantity.value < 0
    ? refused(
        "negative_without_mark",
        "The quantity is below zero, but the invoice number does not begin with C",
      )
    : quantity;
}
