// The months of a year: open or closed, by whom and where in the log, their totals, and what was dated into them since.
import { CalendarCheck, Lock } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Link } from "react-router-dom";
import type { MonthView } from "#features/months/contract-months.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Chip } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { Money } from "#web/ui/money.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { monthText } from "./month-words.ts";
import { useMonths } from "./months-api.ts";
import { useYear, YearChoice } from "./year-choice.tsx";

const CloseMonthDialog = onDemand(() =>
  import("./close-month-dialog.tsx").then((file) => file.CloseMonthDialog),
);

const idOf = ({ month }: MonthView): string => month;
const storeCents = ({ own, consigned }: MonthView["totals"]) =>
  own.storeCents + consigned.storeCents;

const statusChips: Readonly<Record<MonthView["status"], ReactNode>> = {
  closed: (
    <Chip kind="done" icon={Lock}>
      Closed
    </Chip>
  ),
  before: (
    <Chip kind="done" icon={Lock}>
      Closed with a later one
    </Chip>
  ),
  present: <Chip kind="neutral">In progress</Chip>,
  open: <Chip kind="pending">Open</Chip>,
};

function columnsFor(onClose: (month: MonthView) => void): readonly Column<MonthView>[] {
  const amount = (
    id: string,
    header: string,
    of: (totals: MonthView["totals"]) => number,
    card: Column<MonthView>["card"] = "pair",
  ): Column<MonthView> => ({
    id,
    header,
    align: "end",
    card,
    cell: ({ totals }) => <Money cents={of(totals)} />,
  });
  return [
    {
      id: "month",
      header: "Month",
      card: "title",
      cell: ({ month, from, to }) => (
        <Link
          to={`${paths.adminSales}?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`}
          className="text-accent hover:underline"
        >
          {monthText(month)}
        </Link>
      ),
    },
    { id: "status", header: "Status", card: "chip", cell: ({ status }) => statusChips[status] },
    amount(
      "sold",
      "Sold for",
      ({ own, consigned }) => own.soldCents + consigned.soldCents,
      "amount",
    ),
    amount("share", "Store keeps", storeCents),
    amount("consignors", "Consignors get", ({ consignorCents }) => consignorCents),
    amount("paid", "Payouts paid", ({ paidCents, returnedCents }) => paidCents - returnedCents),
    {
      id: "late",
      header: "Late entries since",
      align: "end",
      card: "pair",
      cell: ({ closed, lateEntries }) =>
        closed === null && lateEntries === 0
          ? "—"
          : formatQuantity(lateEntries, "entry", "entries"),
    },
    {
      id: "closed",
      header: "Closed by",
      card: "line",
      isTruncated: true,
      cell: ({ closed }) =>
        closed === null ? (
          "—"
        ) : (
          <span>
            {`${closed.by.displayName}, position ${formatCount(closed.position)}, `}
            <DateTime at={closed.at} />
          </span>
        ),
    },
    {
      id: "act",
      header: "Actions",
      isHeaderHidden: true,
      card: "foot",
      cell: (month) =>
        month.canClose ? (
          <Button icon={CalendarCheck} onClick={() => onClose(month)}>
            Close month
          </Button>
        ) : null,
    },
  ];
}

export function MonthsTab() {
  const { data, error, freshness, refresh } = useMonths(useYear());
  const [closing, setClosing] = useState<MonthView>();
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="max-w-160 text-muted">
          A closed month keeps its totals. What is dated into it later is booked in the open month
          and marked late.
        </p>
        {data === undefined ? null : <YearChoice year={data.year} years={data.years} />}
      </div>
      <DataTable
        label="Months"
        columns={columnsFor(setClosing)}
        rows={data?.months}
        rowId={idOf}
        error={error}
        errorTitle="The months could not be loaded"
        onRetry={refresh}
        empty={
          <EmptyState icon={CalendarCheck} title="No entries in this year">
            Months appear here with the first sale.
          </EmptyState>
        }
      />
      <div className="text-12 text-muted">
        <FreshnessLine freshness={freshness} />
      </div>
      {closing === undefined || data === undefined ? null : (
        <CloseMonthDialog
          month={closing}
          position={data.position}
          onClose={() => setClosing(undefined)}
        />
      )}
    </div>
  );
}
