// Draws amounts as bars from the zero line, with the bar under the pointer marked.
import { useState } from "react";
import type { Bar } from "./bar-chart.tsx";
import { ChartFrame, LabelBelow, type Plot } from "./chart-frame.tsx";
import { labelSpace, labelStep } from "./chart-scale.ts";

/** The part of a bar's slot that stays empty. */
const gap = 0.25;
const widestBar = 48;

type BarChartPlotProps = {
  readonly label: string;
  /** At least one. */
  readonly bars: readonly Bar[];
  /** The bar under the pointer; undefined when the pointer has left. */
  readonly onBar: (bar: Bar | undefined) => void;
};

export function BarChartPlot({ label, bars, onBar }: BarChartPlotProps) {
  const [marked, setMarked] = useState<Bar>();
  const placeIn = ({ left, right }: Plot): number => (right - left) / bars.length;
  return (
    <ChartFrame
      label={label}
      amounts={bars.map(({ cents }) => cents)}
      onPointer={(x, plot) => {
        const bar = x === undefined ? undefined : bars[Math.floor((x - plot.left) / placeIn(plot))];
        setMarked(bar);
        onBar(bar);
      }}
    >
      {(plot) => {
        const place = placeIn(plot);
        const width = Math.min(widestBar, Math.max(1, place * (1 - gap)));
        const step = labelStep(
          bars.length,
          plot.right - plot.left,
          labelSpace(bars.map(({ label: day }) => day)),
        );
        return bars.map((bar, index) => {
          const middle = plot.left + (index + 0.5) * place;
          const [top, bottom] = [
            plot.yOf(Math.max(0, bar.cents)),
            plot.yOf(Math.min(0, bar.cents)),
          ];
          return (
            <g key={bar.label}>
              <rect
                x={middle - width / 2}
                y={top}
                width={width}
                // Even an amount that is small next to the others stays visible.
                height={bar.cents === 0 ? 0 : Math.max(1, bottom - top)}
                className={
                  marked === undefined || marked === bar
                    ? "fill-chart-1"
                    : "fill-chart-1 opacity-50"
                }
              />
              {index % step === 0 ? (
                <LabelBelow plot={plot} x={middle}>
                  {bar.label}
                </LabelBelow>
              ) : null}
            </g>
          );
        });
      }}
    </ChartFrame>
  );
}
