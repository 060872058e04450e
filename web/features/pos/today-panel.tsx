// Today's sales at this till, and the state of each on its way to the ledger.
import { Download, Receipt as ReceiptIcon } from "lucide-react";
import { memo } from "react";
import { sum } from "./cart-sums.ts";
import { payoutOf } from "#ledger/money.ts";
import { formatMoney, formatQuantity, formatTime } from "#web/lib/formats.ts";
import { saveFile } from "#web/lib/download.ts";
import { useNow } from "#web/lib/use-now.ts";
import { Button } from "#web/ui/button.tsx";
import { Chip, type ChipKind } from "#web/ui/chip.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Money } from "#web/ui/money.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { lineKeyOf, type QueuedLine, type TakenSale } from "./taken-sale.ts";
import { stateWords, todayCsv } from "./today-csv.ts";
import { showReceipt } from "./till-payment.ts";
import { todayIn, type TillBook } from "./till-book.ts";

const shownSales = 50;

const chipKinds: Readonly<Record<QueuedLine["status"], ChipKind>> = {
  waiting: "pending",
  booked: "done",
  refused: "danger",
  refunded: "correction",
};
/** A sale shows the state of the line that needs the most attention. */
const byUrgency: readonly QueuedLine["status"][] = ["refused", "waiting", "refunded", "booked"];

function linesOf({ lines }: TillBook, sale: TakenSale): QueuedLine[] {
  return sale.lines.flatMap(({ line }) => lines.get(lineKeyOf(sale.saleId, line)) ?? []);
}

/** The consignors' part of everything not refunded, for the items that the lines are booked on. */
function payoutOfLine({ status, target, line, consignorShare }: QueuedLine): number {
  return status === "refunded" || target.consignorID === null
    ? 0
    : payoutOf(line.preTaxCents, 0, consignorShare);
}

function exportDay(day: Date, sales: readonly TakenSale[], lines: TillBook["lines"]): void {
  const name = [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
  const csv = new Blob([todayCsv(sales, lines)], { type: "text/csv;charset=utf-8" });
  saveFile(csv, `pos-sales-${name}.csv`);
}

export const TodayPanel = memo(function TodayPanel({ book }: { readonly book: TillBook }) {
  const { isLoaded } = book;
  const { day, sales } = todayIn(book, useNow());
  const lines = sales.flatMap((sale) => linesOf(book, sale));
  const kept = lines.filter(({ status }) => status !== "refunded").map(({ line }) => line);
  return (
    <section aria-label="Today at this till" className="card flex flex-col">
      <header className="flex min-h-12 items-center justify-between gap-2 border-b border-border py-1 ps-4 pe-2 max-sm:ps-3">
        <h2 className="text-16 font-semibold">Today at this till</h2>
        <Button
          variant="quiet"
          icon={Download}
          disabled={sales.length === 0}
          onClick={() => exportDay(day, sales, book.lines)}
        >
          Export Today
        </Button>
      </header>
      <dl className="grid grid-cols-4 border-b border-border max-sm:grid-cols-2">
        <Figure label="Sales" value={String(sales.length)} />
        <Figure label="Total" value={formatMoney(sum(kept.map((line) => line.grossCents)))} />
        <Figure label="Sales tax" value={formatMoney(sum(kept.map((line) => line.taxCents)))} />
        <Figure label="Consignors get" value={formatMoney(sum(lines.map(payoutOfLine)))} />
      </dl>
      {!isLoaded ? (
        <div className="p-4">
          <Skeleton className="h-11 w-full" />
        </div>
      ) : sales.length === 0 ? (
        <EmptyState icon={ReceiptIcon} title="No sales yet today">
          Each sale of this till appears here as soon as it is paid.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-border">
          {sales
            .slice(-shownSales)
            .reverse()
            .map((sale) => (
              <SaleRow key={sale.saleId} sale={sale} lines={linesOf(book, sale)} />
            ))}
        </ul>
      )}
      {sales.length > shownSales ? (
        <p className="border-t border-border px-4 py-2 text-12 text-muted">
          {`The newest ${shownSales} of ${sales.length}. The export has all of them.`}
        </p>
      ) : null}
    </section>
  );
});

function Figure({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div className="flex flex-col px-4 py-2 max-sm:px-3">
      <dt className="text-12 text-muted">{label}</dt>
      <dd className="text-16 font-semibold tabular-nums">{value}</dd>
    </div>
  );
}

type SaleRowProps = { readonly sale: TakenSale; readonly lines: readonly QueuedLine[] };

function SaleRow({ sale, lines }: SaleRowProps) {
  const [first] = sale.lines;
  const more = sale.lines.length - 1;
  const status =
    byUrgency.find((candidate) => lines.some((line) => line.status === candidate)) ?? "waiting";
  return (
    <li>
      <button
        type="button"
        onClick={() => showReceipt({ kind: "taken", sale })}
        className="flex min-h-11 w-full items-center gap-x-3 gap-y-1 px-4 py-1.5 text-start -outline-offset-2 hover:bg-hover max-sm:flex-wrap max-sm:px-3 max-sm:py-2"
      >
        <time dateTime={sale.soldAt} className="shrink-0 text-12 text-muted tabular-nums">
          {formatTime(new Date(sale.soldAt))}
        </time>
        <span className="min-w-0 grow max-sm:order-first max-sm:w-full max-sm:wrap-anywhere sm:truncate">
          {first?.item.itemName}
          {more === 0 ? null : (
            <span className="text-muted">{` and ${formatQuantity(more, "more line", "more lines")}`}</span>
          )}
        </span>
        <Chip kind={chipKinds[status]}>{stateWords[status]}</Chip>
        <Money cents={sale.totalCents} className="min-w-16 text-end font-medium max-sm:ms-auto" />
      </button>
    </li>
  );
}
