// A report by month: the chart, the summary of the period, and the list of its months.
import { useState } from "react";
import type {
  ReportFigures,
  ReportMonth,
  ReportMonthsResponse,
} from "#features/reports/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { useParams } from "#web/lib/search-param.ts";
import { BarChart } from "#web/ui/bar-chart.tsx";
import { Button } from "#web/ui/button.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Select } from "#web/ui/select.tsx";
import { ReportIcon } from "#web/ui/thing-icons.ts";
import { knownRows, type Read } from "#web/lib/read.ts";
import { figureColumns, figureTotals, shownOf, type Scope } from "./report-cells.tsx";
import { monthText } from "./report-period.ts";
import { ReportSummary } from "./report-summary.tsx";

const charts = [
  { value: "sold", label: "Goods sold" },
  { value: "storeShare", label: "Store's share" },
  { value: "payouts", label: "Net payouts" },
  { value: "owed", label: "Owed at the end" },
] as const;
type Chart = (typeof charts)[number]["value"];

const centsIn = (month: ReportMonth, chart: Chart): number =>
  chart === "sold" ? toCents(month.ownSold) + toCents(month.consignedSold) : toCents(month[chart]);

const idOf = ({ month }: ReportMonth): string => month;

const numbers = [
  "ownSold",
  "consignedSold",
  "refunds",
  "corrections",
  "storeShare",
  "shipping",
  "payouts",
  "commission",
  "tradeFees",
  "owed",
  "unitsLost",
] as const;

export function columnsOf(
  consignor: string | undefined,
  total: ReportFigures | undefined,
): readonly Column<ReportMonth>[] {
  const scopeOf = ({ from, to }: ReportMonth): Scope => ({ consignor, from, to });
  return [
    {
      id: "month",
      header: "Month",
      card: "title",
      cell: ({ month }) => <span className="whitespace-nowrap">{monthText(month)}</span>,
    },
    ...figureColumns<ReportMonth>({
      numbers: shownOf(numbers, total).filter((id) => consignor === undefined || id !== "ownSold"),
      special: { commission: { shownFrom: "77rem" }, tradeFees: { shownFrom: "77rem" } },
      scopeOf,
      isSorted: false,
    }),
  ];
}

type ByMonthPartProps = {
  readonly read: Read<ReportMonthsResponse>;
  readonly consignor: string | undefined;
};

export function ByMonthPart({ read, consignor }: ByMonthPartProps) {
  const [chart, setChart] = useState<Chart>("sold");
  const { data } = read;
  const isEmpty = data?.months.length === 0;
  // The newest month is first, as in all lists; the chart runs forward.
  const rows = knownRows(data?.months, read.freshness)?.toReversed();
  const scope = data && { consignor, from: data.from, to: data.to };
  return (
    <div className="flex flex-col gap-3">
      {isEmpty || (data === undefined && read.error !== undefined) ? null : (
        <div className="grid grid-cols-1 gap-3 sm:max-[75rem]:grid-cols-2 min-[75rem]:grid-cols-[minmax(0,1fr)_19rem_20rem]">
          <section
            aria-label="Chart"
            className="card flex flex-col gap-2 p-4 max-[75rem]:col-span-full max-sm:p-3"
          >
            <div className="flex items-center justify-between gap-3">
              <h2 className="text-16 font-semibold">By month</h2>
              <span className="w-40 no-print">
                <Select aria-label="Chart of" value={chart} choices={charts} onValue={setChart} />
              </span>
            </div>
            <BarChart
              unit="Month"
              label={`${charts.find(({ value }) => value === chart)?.label ?? ""} per month`}
              bars={data?.months.map((month) => ({
                label: monthText(month.month),
                cents: centsIn(month, chart),
              }))}
            />
          </section>
          <ReportSummary total={data?.total} scope={scope} />
        </div>
      )}
      <DataTable
        label="Months"
        columns={columnsOf(consignor, data?.total)}
        rows={rows}
        rowId={idOf}
        error={read.error}
        errorTitle="The report could not be loaded"
        onRetry={read.refresh}
        empty={
          <NoEntries firstMonth={data?.firstMonth ?? null} isOfOne={consignor !== undefined} />
        }
        countText={rows === undefined ? undefined : formatQuantity(rows.length, "month")}
        {...(data === undefined || scope === undefined || isEmpty
          ? {}
          : {
              totals: {
                month: "Total",
                ...figureTotals(shownOf(numbers, data.total), data.total, scope),
              },
            })}
      />
    </div>
  );
}

type NoEntriesProps = {
  /** Where the entries begin; null without any. */
  readonly firstMonth: string | null;
  readonly isOfOne: boolean;
};

function NoEntries({ firstMonth, isOfOne }: NoEntriesProps) {
  const [, setParams] = useParams();
  if (firstMonth === null) {
    return (
      <EmptyState icon={ReportIcon} title="No entries yet">
        {isOfOne
          ? "Months appear here with this consignor's first sale."
          : "Months appear here with the first sale."}
      </EmptyState>
    );
  }
  const year = firstMonth.slice(0, 4);
  return (
    <EmptyState
      icon={ReportIcon}
      title="No entries in this period"
      action={
        <Button onClick={() => setParams({ from: `${year}-01-01`, to: `${year}-12-31` })}>
          {`Show ${year}`}
        </Button>
      }
    >
      {`The first entry is of ${monthText(firstMonth)}.`}
    </EmptyState>
  );
}
