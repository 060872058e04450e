// Export Today: the day's lines as a file that a spreadsheet opens without running formulas.
import { csvCell } from "#ledger/csv-cell.ts";
import { payoutOf } from "#ledger/money.ts";
import { dollarsText } from "#web/lib/amount.ts";
import { tenderWords } from "#web/shared/receipt/receipt-content.ts";
import { receiptNumberOf } from "#features/sales/contract-receipt.ts";
import { lineKeyOf, type QueuedLine, type TakenSale } from "./taken-sale.ts";

const header = [
  "Sale ID",
  "Receipt",
  "Sold at",
  "Line",
  "Item name",
  "Barcode",
  "Consignor",
  "Quantity",
  "Price",
  "Total",
  "Pre-tax",
  "Sales tax",
  "Consignor share %",
  "Consignor gets",
  "State",
  "Tender",
] as const;

export const stateWords: Readonly<Record<QueuedLine["status"], string>> = {
  waiting: "Not sent yet",
  booked: "Booked",
  refused: "Taken, not booked",
  refunded: "Money given back",
};

/** RFC 4180 with a UTF-8 byte order mark; one row per line. A line that was settled as another item shows that item. */
export function todayCsv(
  sales: readonly TakenSale[],
  queued: ReadonlyMap<string, QueuedLine>,
): string {
  const rows = sales.flatMap((sale) =>
    sale.lines.map(({ line, item: sold, ...sums }) => {
      const way = queued.get(lineKeyOf(sale.saleId, line));
      const share = way?.consignorShare ?? sums.consignorShare ?? sale.consignorShare;
      const item = way?.target ?? sold;
      const isConsigned = item.consignorID !== null;
      return [
        sale.saleId,
        receiptNumberOf(sale.saleId),
        sale.soldAt,
        String(line),
        item.itemName,
        item.barcode1,
        isConsigned ? (item.consignorDisplayName ?? item.consignorID ?? "") : "Master",
        String(sums.units),
        dollarsText(sums.unitPriceCents),
        dollarsText(sums.grossCents),
        dollarsText(sums.preTaxCents),
        dollarsText(sums.taxCents),
        String(share),
        dollarsText(isConsigned ? payoutOf(sums.preTaxCents, 0, share) : 0),
        stateWords[way?.status ?? "waiting"],
        sale.tender === undefined ? "" : tenderWords[sale.tender],
      ];
    }),
  );
  return `\uFEFF${[header, ...rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("")}`;
}
