// Sales tax: what each month collected and what is still owed for it, and the remittances to the tax authority.
import { Landmark } from "lucide-react";
import { useState } from "react";
import type { TaxMonth, TaxReportResponse } from "#features/months/contract-tax.ts";
import { toCents, toDollars } from "#ledger/money.ts";
import type { ReportNumber } from "#features/reports/contract.ts";
import { useAction } from "#web/lib/action.ts";
import { Button } from "#web/ui/button.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { FileButton } from "./file-button.tsx";
import { daysOf, monthName } from "./month-words.ts";
import { saveTaxReport, useTaxReport, type TaxFile } from "./months-api.ts";
import { RemittanceList } from "./remittance-list.tsx";
import { Figure } from "./report-cells.tsx";
import { isYearAhead, YearAhead } from "./year-ahead.tsx";
import { useYear, YearChoice } from "./year-choice.tsx";

const RemitForm = onDemand(() => import("./remit-form.tsx").then((file) => file.RemitForm));

const idOf = ({ month }: TaxMonth): string => month;

type TaxAmount = keyof Omit<TaxMonth, "month">;

const amounts: readonly (readonly [id: TaxAmount, header: string, number: ReportNumber])[] = [
  ["taxable", "Taxable", "taxable"],
  ["exempt", "Exempt", "exempt"],
  ["untaxedOnline", "Untaxed online", "untaxedOnline"],
  ["otherUntaxed", "Other untaxed", "otherUntaxed"],
  ["collected", "Tax collected", "taxCollected"],
  ["refunded", "Tax refunded", "taxRefunded"],
  ["remitted", "Remitted", "taxRemitted"],
  ["owed", "Still owed", "taxOwed"],
];

const columns: readonly Column<TaxMonth>[] = [
  { id: "month", header: "Month", card: "title", cell: ({ month }) => monthName(month) },
  ...amounts.map(([id, header, number]): Column<TaxMonth> => ({
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
  })),
];

function totalsOf({ months, year }: TaxReportResponse) {
  const scope = { consignor: undefined, from: `${year}-01-01`, to: `${year}-12-31` };
  const sums = amounts.map(([id, , number]) => {
    const cents = months.reduce((sum, month) => sum + toCents(month[id]), 0);
    return [
      id,
      <Figure key={id} number={number} amount={toDollars(cents)} scope={scope} />,
    ] as const;
  });
  return { month: "Total", ...Object.fromEntries(sums) };
}

export function TaxTab() {
  const year = useYear();
  const { data, error, freshness, refresh } = useTaxReport(year);
  const [isRemitting, setRemitting] = useState(false);
  const [saving, setSaving] = useState<TaxFile["format"]>();
  const save = useAction(saveTaxReport);
  if (isYearAhead(error)) {
    return <YearAhead tab="tax" year={year} />;
  }
  const fileButton = (format: TaxFile["format"]) => (
    <FileButton
      format={format}
      isDisabled={data === undefined || save.isBusy}
      isBusy={save.isBusy && saving === format}
      onClick={() => {
        setSaving(format);
        if (data !== undefined) {
          void save.run({ year: data.year, format });
        }
      }}
    />
  );
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {data === undefined ? null : <YearChoice year={data.year} years={data.years} />}
        <span className="flex-1" />
        {fileButton("csv")}
        {fileButton("pdf")}
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
        {...(data === undefined || data.months.length === 0 ? {} : { totals: totalsOf(data) })}
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
      <RemittanceList timeZone={data?.timeZone} />
      <div className="text-12 text-muted">
        <FreshnessLine freshness={freshness} />
      </div>
      {isRemitting ? (
        <RemitForm shown={data?.months ?? []} onClose={() => setRemitting(false)} />
      ) : null}
    </div>
  );
}
