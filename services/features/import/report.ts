// The report of an import: refused lines as CSV or JSON for a person to work through, and the summary as text.
import { writeFile } from "node:fs/promises";
import Papa from "papaparse";
import { guardCell } from "#ledger/csv-cell.ts";
import { formatCents } from "#ledger/money.ts";
import type { Refusal } from "./cells.ts";
import type { ImportKind } from "./columns.ts";
import type { ImportOrder } from "./line-order.ts";
import type { ImportPlan } from "./plan-file.ts";
import { saidText } from "./said.ts";

/** A refusal as one row, for programs: the reason, and the line's content. */
export function refusalRow({ line, reason, message, said }: Refusal): Record<string, unknown> {
  const { kind: _told, ...cells } = said;
  return { line, reason, message, ...cells };
}

/** A refusal for the terminal. */
export function refusalText({ line, reason, message, said }: Refusal): string {
  return `  ! line ${line}, ${saidText(said)}:\n      ${message} [${reason}]\n`;
}

/** Writes refused lines, as JSON if the name ends in `.json`, otherwise as CSV that is safe from formulas. */
export async function writeReport(
  path: string,
  kind: ImportKind,
  refused: readonly Refusal[],
): Promise<void> {
  const data = refused.map(refusalRow);
  const fields = ["line", "reason", "message", ...reportCells[kind]];
  const text = path.toLowerCase().endsWith(".json")
    ? `${JSON.stringify(data, null, 2)}\n`
    : `${Papa.unparse({ fields, data: data.map(guardedRow) }, { newline: "\n" })}\n`;
  await writeFile(path, text);
}

/** Safe from formulas. A negative quantity is a number and stays one. */
function guardedRow(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "string" && !/^-?\d+(?:\.\d+)?$/.test(value) ? guardCell(value) : value,
    ]),
  );
}

const reportCells: Readonly<Record<ImportKind, readonly string[]>> = {
  sales: ["invoice", "customer", "code", "quantity", "price", "date"],
  inventory: ["itemName", "barcode1", "quantity", "location", "consignor"],
};

const count = (value: number): string => value.toLocaleString("en-US");

const lines = (value: number, what: string): string =>
  `${count(value)} ${what}${value === 1 ? "" : "s"}`;

/** What is wrong with the file's order, and what `--sort` would change. */
export function orderText({ order, begunBefore }: ImportPlan): string {
  if (order === null) {
    return "";
  }
  const { linesOutOfOrder, firstOutOfOrder, refunds, refundsBeforeTheirSale, sorted } = order;
  const early =
    refunds === 0
      ? ""
      : `, and ${count(refundsBeforeTheirSale)} of ${lines(refunds, "refund")} before the sale that is refunded`;
  return [
    "  ! This file is not in order of time.",
    `    ${lines(linesOutOfOrder, "line")} ${linesOutOfOrder === 1 ? "is" : "are"} dated before a line above (the first is line ${count(firstOutOfOrder)})${early}.`,
    begunBefore
      ? "    Lines that are in stay as they are. --sort takes the others in order of their dates."
      : "    --sort takes the lines in order of their dates, and so no refund before its sale.",
    ...(sorted === null
      ? []
      : [
          `    With it, ${lines(sorted.refunds, "refund")} instead of ${count(refunds)}: ${count(sorted.nowTaken.length)} more, ${count(sorted.nowRefused.length)} no longer, ${count(sorted.ofOtherSales)} of another sale.`,
        ]),
    "",
  ].join("\n");
}

const orderNames: Readonly<Record<ImportOrder, string>> = {
  file: "as the lines stand",
  time: "of time",
};

/** The summary of the plan, line by line, for the terminal. */
export function summaryText({ file, begun, begunBefore, summary }: ImportPlan): string {
  const reasons = Object.entries(summary.refusedByReason);
  const width = Math.max(24, ...reasons.map(([reason]) => reason.length + 2)) + 2;
  const row = (what: string, text: string): string => `  ${what.padEnd(width)}${text}`;
  const sales = [
    row("Sales", `${count(summary.sales)}, ${formatCents(summary.soldCents)} in all`),
    row("Consignors' share", `${formatCents(summary.payoutCents)} before refunds`),
    row("Refunds", `${count(summary.refunds)} with ${count(summary.unitsRefunded)} units`),
    row("Order", orderNames[begun.order]),
    row("From, to", `${summary.from ?? "–"}, ${summary.to ?? "–"}`),
    row("Dates without a zone", begun.timeZone),
  ];
  return [
    `${file.name}: ${begun.kind}, ${count(summary.rows)} lines (sha256 ${file.sha256.slice(0, 12)}…)`,
    ...(begunBefore
      ? [row("Begun before", `${begun.begunAt}; lines that are in stay as they are`)]
      : []),
    ...(begun.kind === "sales" ? sales : [row("Lines of stock", count(summary.items))]),
    row("Units received", count(summary.unitsReceived)),
    row("Barcodes", `${count(summary.barcodes)} of ${count(summary.consignors)} consignors`),
    row("Refused", count(summary.refused)),
    ...reasons.map(([reason, number]) => row(`  ${reason}`, count(number))),
    "",
  ].join("\n");
}
