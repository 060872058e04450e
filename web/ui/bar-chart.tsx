// Amounts by day or month as bars, with the same numbers in a table below. The drawing is loaded when it is shown.
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

/** The amount of a day or month. `label` names it ("21 Nov") and is unique in the chart. */
export type Bar = { readonly label: string; readonly cents: Cents };

type BarChartProps = {
  /** What the bars are: "Sales per day". */
  readonly label: string;
  readonly unit: "Day" | "Month";
  /** In chronological order; undefined while loading. */
  readonly bars: readonly Bar[] | undefined;
};

export function BarChart({ label, unit, bars }: BarChartProps) {
  const [pointed, setPointed] = useState<Bar>();
  const lines = bars?.map((bar) => ({ key: bar.label, ...bar })).toReversed();
  return (
    <ChartCard
      label={label}
      unit={unit}
      tableLabel={label}
      shown={pointed}
      lines={lines}
      empty={unit === "Day" ? "Nothing on these days." : "Nothing in these months."}
    >
      <BarChartPlot label={label} bars={bars ?? []} onBar={setPointed} />
    </ChartCard>
  );
}
