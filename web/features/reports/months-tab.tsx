// The months of a year: open or closed, by whom and where in the log, their totals, and what was dated into them since.
import { CalendarCheck } from "lucide-react";
import { useState } from "react";
import type { LateBy, MonthView } from "#features/months/contract-months.ts";
import { useParams } from "#web/lib/search-param.ts";
import { WHY } from "#web/shared/explain/why.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { RowFocus } from "#web/ui/row-focus.tsx";
import { columnsFor } from "./months-columns.tsx";
import { useMonths, type SeenMonth } from "./months-api.ts";
import { isYearAhead, YearAhead } from "./year-ahead.tsx";
import { YearBefore } from "./year-before.tsx";
import { useYear, YearChoice } from "./year-choice.tsx";

const CloseMonthDialog = onDemand(() =>
  import("./close-month-dialog.tsx").then((file) => file.CloseMonthDialog),
);

const LateDrawer = onDemand(() => import("./late-drawer.tsx").then((file) => file.LateDrawer));

const idOf = ({ month }: MonthView): string => month;

/** "2026-10", or "2026-11-booked" for what is booked in it. */
function lateIn(text: string | null): { readonly month: string; readonly by: LateBy } | undefined {
  const [, month, by] = /^(20\d\d-\d\d)(-booked)?$/u.exec(text ?? "") ?? [];
  return month === undefined ? undefined : { month, by: by === undefined ? "dated" : "booked" };
}

export function MonthsTab() {
  const year = useYear();
  const { data, error, freshness, refresh } = useMonths(year);
  // The totals and how far they were read belong together: the server refuses to close what has changed since.
  const [closing, setClosing] = useState<SeenMonth>();
  const [params, setParams] = useParams();
  // Only one drawer at a time.
  const late = params.get(WHY) === null ? lateIn(params.get("late")) : undefined;
  if (isYearAhead(error)) {
    return <YearAhead tab="months" year={year} />;
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="max-w-160 text-muted">
          A closed month keeps its totals. Entries dated into it later are booked in the open month
          and marked late.
        </p>
        {data === undefined ? null : <YearChoice year={data.year} years={data.years} />}
      </div>
      <YearBefore tab="months" shown={data} isEmpty={data?.months.length === 0} />
      <RowFocus main='[aria-label^="Close month"]'>
        <DataTable
          label="Months"
          columns={columnsFor({
            timeZone: data?.timeZone,
            canClose: data?.months.some((month) => month.canClose) === true,
            onClose: (month) =>
              setClosing(data === undefined ? undefined : { month, position: data.position }),
            onLate: (month, by) =>
              setParams({ late: by === "dated" ? month : `${month}-${by}` }, { push: true }),
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
      </RowFocus>
      <div className="text-12 text-muted">
        <FreshnessLine freshness={freshness} />
      </div>
      {late === undefined ? null : (
        <LateDrawer
          key={`${late.month} ${late.by}`}
          {...late}
          onClose={() => setParams({ late: undefined })}
        />
      )}
      {closing === undefined ? null : (
        <CloseMonthDialog opened={closing} onClose={() => setClosing(undefined)} />
      )}
    </div>
  );
}
