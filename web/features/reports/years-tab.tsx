// Everybody's yearly statements: one signed PDF each in an archive, or one line each as CSV.
import { FileArchive } from "lucide-react";
import { useState } from "react";
import { useAction } from "#web/lib/action.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { useNow } from "#web/lib/use-now.ts";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { saveAllYears, useAllYears, useMonths, type AllYearsFile } from "./months-api.ts";
import { isYearAhead, YearAhead } from "./year-ahead.tsx";
import { YearBefore } from "./year-before.tsx";
import { useYear, YearChoice } from "./year-choice.tsx";

export function YearsTab() {
  const now = useNow();
  const asked = useYear();
  const months = useMonths(asked);
  const year = asked ?? String(months.data?.year ?? now.getFullYear());
  const { data, error, refresh } = useAllYears(year);
  const [saving, setSaving] = useState<AllYearsFile["format"]>();
  const save = useAction(saveAllYears);
  const ask = (format: AllYearsFile["format"]) => {
    setSaving(format);
    void save.run({ year, format });
  };
  if (isYearAhead(error)) {
    return <YearAhead tab="years" year={year} />;
  }
  if (data === undefined) {
    return error === undefined ? (
      <Skeleton className="h-40" />
    ) : (
      <ErrorState title="The statements could not be loaded" error={error} onRetry={refresh} />
    );
  }
  if (data.consignors === 0) {
    return (
      <div className="flex flex-col gap-3">
        {months.data === undefined ? null : (
          <div className="flex">
            <YearChoice year={data.year} years={months.data.years} />
          </div>
        )}
        <YearBefore tab="years" shown={months.data} isEmpty />
        <div className="card">
          <EmptyState icon={FileArchive} title={`Nobody had entries in ${data.year}`}>
            A year with sales, payouts or other entries has statements.
          </EmptyState>
        </div>
      </div>
    );
  }
  return (
    <div className="flex max-w-160 flex-col gap-3">
      {months.data === undefined ? null : (
        <div className="flex">
          <YearChoice year={data.year} years={months.data.years} />
        </div>
      )}
      <YearBefore tab="years" shown={months.data} isEmpty={false} />
      <p>
        {`${formatQuantity(data.consignors, "consignor", "consignors")} had entries in ${data.year}. Each statement has their sales, their share and their payouts by month, with the balances at the beginning and at the end.`}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          icon={FileArchive}
          disabled={save.isBusy}
          isBusy={save.isBusy && saving === "zip"}
          busyLabel="Preparing..."
          onClick={() => ask("zip")}
        >
          Export all as PDF
        </Button>
        <Button
          disabled={save.isBusy}
          isBusy={save.isBusy && saving === "csv"}
          busyLabel="Preparing..."
          onClick={() => ask("csv")}
        >
          Export the list as CSV
        </Button>
      </div>
      <p className="text-12 text-muted">
        The archive has one signed PDF for each consignor. The list has one line for each, for
        example for tax forms.
      </p>
      <ErrorLine>
        {save.error === undefined ? undefined : `Error exporting: ${save.error.message}`}
      </ErrorLine>
    </div>
  );
}
