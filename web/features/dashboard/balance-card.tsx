// The balance over time. The time span is in the address.
import { toCents } from "#ledger/money.ts";
import { useMemo } from "react";
import { useParams } from "#web/lib/search-param.ts";
import { ErrorState } from "#web/ui/error-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { Select, type Choice } from "#web/ui/select.tsx";
import { StepChart } from "#web/ui/step-chart.tsx";
import { chartDays, chartDaysIn, useBalanceSeries } from "./dashboard-api.ts";

const spans: readonly Choice<string>[] = chartDays.map((days) => ({
  value: String(days),
  label: days === 365 ? "12 months" : `${days} days`,
}));

export function BalanceCard({ uid }: { readonly uid: string }) {
  const [params, setParams] = useParams();
  const days = chartDaysIn(params);
  const series = useBalanceSeries(uid, days);
  // The chart is redrawn when its points change, so they change only with a new answer.
  const points = useMemo(
    () =>
      series.data?.points.map(({ at, balance }) => ({
        at: Date.parse(at),
        cents: toCents(balance),
      })),
    [series.data],
  );
  return (
    <section aria-labelledby="balance-heading" className="card flex flex-col gap-3 p-4 max-sm:p-3">
      <div className="flex items-center justify-between gap-4">
        <h2 id="balance-heading" className="text-16 font-semibold">
          Balance over time
        </h2>
        <Select
          aria-label="Span"
          value={String(days)}
          choices={spans}
          onValue={(span) => setParams({ days: span === "90" ? undefined : span })}
        />
      </div>
      <HeldNotice freshness={series.freshness} />
      {series.error !== undefined && points === undefined ? (
        <ErrorState
          title="The balance over time could not be loaded"
          error={series.error}
          onRetry={series.refresh}
        />
      ) : (
        <StepChart label="Available" points={points} />
      )}
    </section>
  );
}
