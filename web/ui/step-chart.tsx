// A balance over time as steps, with the same numbers in a table below. The drawing is loaded when it is shown.
import { useState } from "react";
import type { Cents } from "#ledger/money.ts";
import { formatDay } from "#web/lib/formats.ts";
import { useNow } from "#web/lib/use-now.ts";
import { ChartCard } from "./chart-card.tsx";
import { onDemand } from "./on-demand.tsx";
import { Skeleton } from "./skeleton.tsx";

const StepChartPlot = onDemand(
  () => import("./step-chart-plot.tsx").then((file) => file.StepChartPlot),
  {
    fallback: <Skeleton className="h-full" />,
    ifMissing: "throw",
  },
);

/** `at` in milliseconds; points are in chronological order. */
export type StepPoint = { readonly at: number; readonly cents: Cents };

type StepChartProps = {
  /** What the line is: "Available". */
  readonly label: string;
  /** Undefined while loading. */
  readonly points: readonly StepPoint[] | undefined;
};

/** The points at which the value changed, newest first. */
export function changesIn(points: readonly StepPoint[]): StepPoint[] {
  return points
    .filter((point, index) => index === 0 || points[index - 1]?.cents !== point.cents)
    .toReversed();
}

export function StepChart({ label, points }: StepChartProps) {
  const now = useNow();
  const [pointed, setPointed] = useState<StepPoint>();
  const dayOf = ({ at }: StepPoint): string => formatDay(new Date(at), now);
  const last = points?.at(-1);
  return (
    <ChartCard
      label={label}
      unit="Day"
      tableLabel={`${label} over time`}
      shown={
        pointed === undefined
          ? last && { label, cents: last.cents }
          : { label: dayOf(pointed), cents: pointed.cents }
      }
      lines={
        points &&
        changesIn(points).map((point) => ({
          key: point.at,
          label: dayOf(point),
          cents: point.cents,
        }))
      }
      empty="No entries yet. The line starts with the first one."
      isBalance
    >
      <StepChartPlot label={label} points={points ?? []} onPoint={setPointed} />
    </ChartCard>
  );
}
