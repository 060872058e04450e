// Sales tax: what each month collected and what is still owed for it, and the remittances to the tax authority.
import { Landmark } from "lucide-react";
import { useState } from "react";
import type { TaxMonth } from "#features/months/contract-tax.ts";
import { toCents } from "#ledger/money.ts";
import type { ReportNumber } from "#features/reports/contract.ts";
import { useAction } from "#web/lib/action.ts";
import { Button } from "#web/ui/button.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { Money } from "#web/ui/money.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { daysOf, monthName } from "./month-words.ts";
import { saveTaxReport, useTaxReport } from "./months-api.ts";
import { RemittanceList } from "./remittance-list.tsx";
import { Figure } from "./report-cells.tsx";
import { useYear, YearChoice } from "./year-choice.tsx";

const RemitForm = onDemand(() => import("./remit-form.tsx").then((file) => file.RemitForm));

const idOf = ({ month }: TaxMonth): string => month;

function amount(id: keyof Omit<TaxMonth, "month">, header: string): Column<TaxMonth> {
  return {
    id,
    header,
    align: "end",
    card: "pair",
    cell: (month) => <Money cents={toCents(month[id])} />,
  };
}

/** An amount that opens its entries in the report. */
function figure(
  id: keyof Omit<TaxMonth, "month">,
  header: string,
  number: ReportNumber,
): Column<TaxMonth> {
  return {
    id,
    header,
    align: "end",
    card: "pair",
    cell: (month) => (
      <Figure
        number={number}
        amount={month[id]}
        scope={{ consignor: undefined, ...daysOf(month.month) }}
      />
    ),
  };
}

const columns: readonly Column<TaxMonth>[] = [
  { id: "month", header: "Month", card: "title", cell: ({ month }) => monthName(month) },
  figure("taxable", "Taxable", "taxable"),
  figure("exempt", "Exempt", "exempt"),
  figure("untaxedOnline", "Untaxed online", "untaxedOnline"),
  figure("otherUntaxed", "Other untaxed", "otherUntaxed"),
  figure("collected", "Tax collected", "taxCollected"),
  figure("refunded", "Tax refunded", "taxRefunded"),
  amount("remitted", "Remitted"),
  amount("owed", "Still owed"),
];

const summed = [
  "taxable",
  "exempt",
  "untaxedOnline",
  "otherUntaxed",
  "collected",
  "refunded",
  "remitted",
  "owed",
] as const;

function totalsOf(months: readonly TaxMonth[]) {
  const sums = summed.map((id) => {
    const cents = months.reduce((sum, month) => sum + toCents(month[id]), 0);
    return [id, <Money key={id} cents={cents} />] as const;
  });
  return { month: "Total", ...Object.fromEntries(sums) };
}

export function TaxTab() {
  const { data, error, freshness, refresh } = useTaxReport(useYear());
  const [isRemitting, setRemitting] = useState(false);
  const save = useAction(saveTaxReport);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {data === undefined ? null : <YearChoice year={data.year} years={data.years} />}
        <span className="flex-1" />
        <Button
          disabled={data === undefined || save.isBusy}
          isBusy={save.isBusy}
          busyLabel="Preparing..."
          onClick={() => data !== undefined && void save.run(data.year)}
        >
          Export CSV
        </Button>
        <Button variant="primary" icon={Landmark} onClick={() => setRemitting(true)}>
          Record remittance
        </Button>
      </div>
      <ErrorLine>
        {save.error === undefined ? undefined : `Error exporting: ${save.error.message}`}
      </ErrorLine>
      <DataTable
        label="Sales tax by month"
        columns={columns}
        rows={data?.months}
        rowId={idOf}
        error={error}
        errorTitle="The tax report could not be loaded"
        onRetry={refresh}
        {...(data === undefined ? {} : { totals: totalsOf(data.months) })}
        empty={
          <EmptyState icon={Landmark} title="No sales in this year">
            Months appear here with the first sale.
          </EmptyState>
        }
      />
      <p className="text-12 text-muted">
        Sales are without tax, after refunds and corrections. A remittance counts for the month that
        it is for.
      </p>
      <RemittanceList />
      <div className="text-12 text-muted">
        <FreshnessLine freshness={freshness} />
      </div>
      {isRemitting ? (
        <RemitForm shown={data?.months ?? []} onClose={() => setRemitting(false)} />
      ) : null}
    </div>
  );
}
