// The plan of a sales file: a fold over its lines in order that makes each a sale, a refund, or a refusal.
import type { Cents } from "#ledger/money.ts";
import type { CsvRow } from "./read-csv.ts";
import {
  parseCode,
  parseInstant,
  parsePrice,
  parseQuantity,
  parseText,
  refused,
  totalOf,
} from "./cells.ts";
import type { DateRules, Refusal, Refused } from "./cells.ts";
import { cellOf } from "./columns.ts";
import type { SalesField } from "./columns.ts";
import { importedId } from "./imported-ids.ts";
import { createOpenSales } from "./refund-match.ts";
import type { KeptRefund, OpenSale } from "./refund-match.ts";
import { saidOfSale } from "./said.ts";
import type { Said, SaidSale } from "./said.ts";

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
  /** For all units together. */
  readonly priceCents: Cents;
  readonly happenedAt: string;
};

/** Units of an earlier line's sale are refunded and restocked. */
export type RefundLine = {
  readonly kind: "refund";
  readonly line: number;
  readonly saleId: string;
  readonly saleLine: number;
  readonly units: number;
  readonly happenedAt: string;
};

export type PlannedSale = SaleLine | RefundLine;

export type SalesRules = DateRules & {
  readonly fileHash: string;
  readonly columns: ReadonlyMap<SalesField, number>;
  /** The number of cells in a row. */
  readonly width: number;
  /** The refunds that earlier imports of the file made, by line: they stay as they are. */
  readonly kept: ReadonlyMap<number, KeptRefund>;
  /** A code's owner; `name` is from the file, empty if the file has none. */
  readonly consignorOf: (name: string, code: string) => { readonly uid: string } | Refused;
};

export type LinePlan<Planned, Words extends Said = Said> =
  | {
      readonly kind: "planned";
      readonly planned: Planned;
      readonly said: Words;
      /** For a refund, the time of its sale; null if that line comes later, and for all other plans. */
      readonly soldAt: string | null;
    }
  | ({ readonly kind: "refused" } & Refusal<Words>);

/** Plans line by line: the result depends only on the rules and the lines before. */
export type SalesPlan = {
  /**
   * The next line. A cancellation refunds the latest line before it with the same consignor, code, customer and
   * price that has enough units not yet refunded. One that finds none may be tried again later.
   */
  readonly next: (row: CsvRow) => LinePlan<PlannedSale, SaidSale>;
  /** A line's date; null if it cannot be read. */
  readonly timeOf: (row: CsvRow) => string | null;
};

/** A line's parsed cells. */
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

type PlannedRefund = {
  readonly kind: "planned";
  readonly planned: RefundLine;
  readonly soldAt: string | null;
};

export function createSalesPlan(rules: SalesRules): SalesPlan {
  const { fileHash, kept } = rules;
  const open = createOpenSales([...kept.values()]);
  function planRefund(line: number, cells: SaleCells): Refused | PlannedRefund {
    const units = -cells.quantity;
    const { happenedAt } = cells;
    const before = kept.get(line);
    if (before !== undefined) {
      const { saleLine } = before;
      const sale = { saleId: importedId(fileHash, saleLine, "sale"), line: saleLine };
      return {
        kind: "planned",
        planned: refundOf(sale, line, units, happenedAt),
        soldAt: open.timeOf(saleLine),
      };
    }
    const sale = open.take(cells, units);
    return "kind" in sale
      ? sale
      : {
          kind: "planned",
          planned: refundOf(sale, line, units, happenedAt),
          soldAt: sale.happenedAt,
        };
  }
  return {
    next({ line, cells: texts }) {
      const said = saidOfSale(rules.columns, texts);
      const cells = readCells(rules, texts);
      if ("kind" in cells) {
        return { ...cells, line, said };
      }
      if (cells.isCancellation) {
        return { ...planRefund(line, cells), line, said };
      }
      const planned = planSale(fileHash, line, cells);
      if (planned.kind === "refused") {
        return { ...planned, line, said };
      }
      const { saleId, units, happenedAt } = planned;
      open.add(cells, { saleId, line, units, happenedAt });
      return { kind: "planned", planned, said, soldAt: null };
    },
    timeOf({ cells }) {
      const date = parseInstant(cellOf(rules.columns, cells, "date"), rules);
      return date.kind === "refused" ? null : date.value;
    },
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

function refundOf(
  { saleId, line: saleLine }: Pick<OpenSale, "saleId" | "line">,
  line: number,
  units: number,
  happenedAt: string,
): RefundLine {
  return { kind: "refund", line, saleId, saleLine, units, happenedAt };
}

/** True for a cancellation, by its invoice number. */
export function isCancellation(
  columns: ReadonlyMap<SalesField, number>,
  cells: readonly string[],
): boolean {
  return cellOf(columns, cells, "invoice").startsWith(CANCELLATION_MARK);
}

/** A line is refused for its first cell that cannot be parsed. */
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
  const isRefund = isCancellation(rules.columns, cells);
  const quantity = readQuantity(cell("quantity"), isRefund);
  if (quantity.kind === "refused") {
    return quantity;
  }
  const price = parsePrice(cell("unitPrice"));
  if (price.kind === "refused") {
    return price;
  }
  const date = parseInstant(cell("date"), rules);
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
    isCancellation: isRefund,
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
