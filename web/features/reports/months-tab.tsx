// The months of a year: open or closed, by whom and where in the log, their totals, and what was dated into them since.
import { CalendarCheck, Lock } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Link } from "react-router-dom";
import type { MonthView } from "#features/months/contract-months.ts";
import { toDollars } from "#ledger/money.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { useParams } from "#web/lib/search-param.ts";
import { paths } from "#web/paths.ts";
import { WHY } from "#web/shared/explain/why.ts";
import { Button } from "#web/ui/button.tsx";
import { Chip } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { TextButton } from "#web/ui/text-button.tsx";
import { daysOf, monthName } from "./month-words.ts";
import { useMonths } from "./months-api.ts";
import { Figure } from "./report-cells.tsx";
import { useYear, YearChoice } from "./year-choice.tsx";

const CloseMonthDialog = onDemand(() =>
  import("./close-month-dialog.tsx").then((file) => file.CloseMonthDialog),
);

const LateDrawer = onDemand(() => import("./late-drawer.tsx").then((file) => file.LateDrawer));

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

type Acts = {
  readonly onClose: (month: MonthView) => void;
  readonly onLate: (month: string) => void;
};

function columnsFor({ onClose, onLate }: Acts): readonly Column<MonthView>[] {
  const amount = (
    id: "sold" | "kept" | "consignorShare" | "payouts",
    header: string,
    of: (totals: MonthView["totals"]) => number,
    card: Column<MonthView>["card"] = "pair",
  ): Column<MonthView> => ({
    id,
    header,
    align: "end",
    card,
    cell: ({ month, totals }) => (
      <Figure
        number={id}
        amount={toDollars(of(totals))}
        scope={{ consignor: undefined, ...daysOf(month) }}
      />
    ),
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
          {monthName(month)}
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
    amount("kept", "Store keeps", storeCents),
    amount("consignorShare", "Consignors get", ({ consignorCents }) => consignorCents),
    amount("payouts", "Payouts paid", ({ paidCents, returnedCents }) => paidCents - returnedCents),
    {
      id: "late",
      header: "Late entries since",
      align: "end",
      card: "pair",
      cell: ({ month, closed, lateEntries }) =>
        lateEntries === 0 ? (
          <span className="text-muted">{closed === null ? "—" : "None"}</span>
        ) : (
          <TextButton
            aria-label={`${formatQuantity(lateEntries, "late entry", "late entries")} of ${monthName(month)}`}
            onClick={() => onLate(month)}
          >
            {formatQuantity(lateEntries, "entry", "entries")}
          </TextButton>
        ),
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
  const [params, setParams] = useParams();
  // Only one drawer at a time.
  const late = params.get(WHY) === null ? params.get("late") : null;
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
        columns={columnsFor({
          onClose: setClosing,
          onLate: (month) => setParams({ late: month }, { push: true }),
        })}
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
      {late === null ? null : (
        <LateDrawer key={late} month={late} onClose={() => setParams({ late: undefined })} />
      )}
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
