// Amounts by day as bars, with the same numbers in a table below. The drawing is loaded when it is shown.
import { useState } from "react";
import type { Cents } from "#ledger/money.ts";
import { ChartCard } from "./chart-card.tsx";
import { onDemand } from "./on-demand.tsx";
import { Skeleton } from "./skeleton.tsx";

const BarChartPlot = onDemand(
  () => import("./bar-chart-plot.tsx").then((file) => file.BarChartPlot),
  {
    fallback: <Skeleton className="h-full" />,
    ifMissing: "throw",
  },
);

/** A day's amount. `label` names the day ("21 Nov") and is unique in the chart. */
export type Bar = { readonly label: string; readonly cents: Cents };

type BarChartProps = {
  /** What the bars are: "Sales per day". */
  readonly label: string;
  /** In chronological order; undefined while loading. */
  readonly bars: readonly Bar[] | undefined;
};

export function BarChart({ label, bars }: BarChartProps) {
  const [pointed, setPointed] = useState<Bar>();
  const lines = bars?.map((bar) => ({ key: bar.label, ...bar })).toReversed();
  return (
    <ChartCard
      label={label}
      tableLabel={label}
      shown={pointed}
      lines={lines}
      empty="Nothing on these days."
    >
      <BarChartPlot label={label} bars={bars ?? []} onBar={setPointed} />
    </ChartCard>
  );
}
