// The report of an import: refused lines as CSV or JSON for a person to work through, and the summary as text.
import { writeFile } from "node:fs/promises";
import Papa from "papaparse";
import { formatCents } from "#ledger/money.ts";
import type { Refusal } from "./cells.ts";
import type { ImportPlan } from "./plan-file.ts";

/** Writes refused lines, JSON where the name ends in `.json`, else CSV that no spreadsheet runs as a formula. */
export async function writeReport(path: string, refused: readonly Refusal[]): Promise<void> {
  const rows = refused.map(({ line, reason, message }) => ({ line, reason, message }));
  const text = path.toLowerCase().endsWith(".json")
    ? `${JSON.stringify(rows, null, 2)}\n`
    : `${Papa.unparse({ fields: ["line", "reason", "message"], data: rows }, { escapeFormulae: true, newline: "\n" })}\n`;
  await writeFile(path, text);
}

/** What the plan comes to, line by line, for the terminal. */
export function summaryText({ file, begun, begunBefore, summary }: ImportPlan): string {
  const count = (value: number): string => value.toLocaleString("en-US");
  const reasons = Object.entries(summary.refusedByReason);
  const width = Math.max(24, ...reasons.map(([reason]) => reason.length + 2)) + 2;
  const row = (what: string, text: string): string => `  ${what.padEnd(width)}${text}`;
  const sales = [
    row("Sales", `${count(summary.sales)}, ${formatCents(summary.soldCents)} in all`),
    row("Consignors' share", `${formatCents(summary.payoutCents)} before refunds`),
    row("Refunds", `${count(summary.refunds)} with ${count(summary.unitsRefunded)} units`),
    row("From, to", `${summary.from ?? "–"}, ${summary.to ?? "–"}`),
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
    ...reasons.map(([reason, lines]) => row(`  ${reason}`, count(lines))),
    "",
  ].join("\n");
}
