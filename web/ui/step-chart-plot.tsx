// Draws a balance over time as steps, with the value under the pointer marked.
import { useState } from "react";
import { formatDay } from "#web/lib/formats.ts";
import { ChartFrame, LabelBelow, type Plot } from "./chart-frame.tsx";
import { dayTicks, labelSpace } from "./chart-scale.ts";
import type { StepPoint } from "./step-chart.tsx";

const dayMs = 86_400_000;

type StepChartPlotProps = {
  readonly label: string;
  /** At least one. */
  readonly points: readonly StepPoint[];
  /** The point whose value applies under the pointer; undefined when the pointer has left. */
  readonly onPoint: (point: StepPoint | undefined) => void;
};

/** The path of the line: horizontal to the next point, then up or down to it. */
function stepsThrough(
  points: readonly StepPoint[],
  xOf: (at: number) => number,
  { yOf, right }: Plot,
): string {
  const [first, ...others] = points;
  return first === undefined
    ? ""
    : [
        `M${xOf(first.at)} ${yOf(first.cents)}`,
        ...others.map(({ at, cents }) => `H${xOf(at)}V${yOf(cents)}`),
        `H${right}`,
      ].join("");
}

export function StepChartPlot({ label, points, onPoint }: StepChartPlotProps) {
  const [marked, setMarked] = useState<StepPoint>();
  const from = points[0]?.at ?? 0;
  const last = points.at(-1)?.at ?? from;
  // A single point has no length. The rest of its day is to come, and has no label.
  const to = Math.max(last, from + dayMs);
  const along = ({ left, right }: Plot) => {
    return (at: number): number => left + ((at - from) / (to - from)) * (right - left);
  };
  return (
    <ChartFrame
      label={`${label} over time`}
      amounts={points.map(({ cents }) => cents)}
      onPointer={(x, plot) => {
        const xOf = along(plot);
        const point =
          x === undefined ? undefined : (points.findLast(({ at }) => xOf(at) <= x) ?? points[0]);
        setMarked(point);
        onPoint(point);
      }}
    >
      {(plot) => {
        const xOf = along(plot);
        const ends = [from, to].map((day) => formatDay(new Date(day)));
        const most = Math.floor((plot.right - plot.left) / labelSpace(ends));
        return (
          <>
            {dayTicks(from, last, most).map((day) => (
              <LabelBelow key={day} plot={plot} x={xOf(day)}>
                {formatDay(new Date(day))}
              </LabelBelow>
            ))}
            <path
              d={stepsThrough(points, xOf, plot)}
              fill="none"
              strokeWidth={2}
              className="stroke-chart-1"
            />
            {marked === undefined ? null : (
              <circle
                cx={xOf(marked.at)}
                cy={plot.yOf(marked.cents)}
                r={4}
                className="fill-chart-1"
              />
            )}
          </>
        );
      }}
    </ChartFrame>
  );
}
