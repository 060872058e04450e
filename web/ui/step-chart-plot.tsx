// Draws a step chart with uPlot, in the tokens' colours, as wide as there is room.
import { useEffect, useEffectEvent, useRef } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { formatDay, formatMoney } from "#web/lib/formats.ts";
import type { StepPoint } from "./step-chart.tsx";

type StepChartPlotProps = {
  readonly label: string;
  readonly points: readonly StepPoint[];
  /** The point under the pointer; undefined when it has left. */
  readonly onPoint: (point: StepPoint | undefined) => void;
};

function tokens(element: Element): (name: string) => string {
  const style = getComputedStyle(element);
  return (name) => style.getPropertyValue(`--color-${name}`).trim();
}

/** "$1,250" on the axis: no cents where the steps are whole dollars. */
function axisMoney(dollars: number): string {
  return formatMoney(Math.round(dollars * 100)).replace(/\.00$/, "");
}

function dataOf(points: readonly StepPoint[]): UPlot.AlignedData {
  return [points.map(({ at }) => at / 1000), points.map(({ cents }) => cents / 100)];
}

function optionsFor(
  frame: HTMLElement,
  label: string,
  onIndex: (index: number | undefined) => void,
): UPlot.Options {
  const colour = tokens(frame);
  const font = `12px ${getComputedStyle(frame).fontFamily}`;
  const stepped = UPlot.paths.stepped?.({ align: 1 });
  const axis = {
    font,
    stroke: colour("faint"),
    ticks: { show: false },
    border: { show: false },
  };
  return {
    width: frame.clientWidth,
    height: frame.clientHeight,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
    hooks: { setCursor: [(plot) => onIndex(plot.cursor.idx ?? undefined)] },
    scales: {
      // The zero line is always in sight, and a flat line never fills the chart.
      y: { range: (_plot, low, high) => [Math.min(0, low * 1.08), Math.max(10, high * 1.08)] },
    },
    series: [
      {},
      {
        label,
        stroke: colour("chart-1"),
        width: 2,
        points: { show: false },
        ...(stepped === undefined ? {} : { paths: stepped }),
      },
    ],
    axes: [
      {
        ...axis,
        size: 24,
        gap: 6,
        grid: { show: false },
        space: 72,
        values: (_plot, ticks) => ticks.map((tick) => formatDay(new Date(tick * 1000))),
      },
      {
        ...axis,
        // As wide as its longest amount.
        size: (_plot, values) => 12 + 7 * Math.max(...(values ?? [""]).map((text) => text.length)),
        gap: 8,
        space: 36,
        grid: { stroke: colour("border"), width: 1 },
        values: (_plot, ticks) => ticks.map(axisMoney),
      },
    ],
  };
}

export function StepChartPlot({ label, points, onPoint }: StepChartPlotProps) {
  const ref = useRef<HTMLDivElement>(null);
  const tellPoint = useEffectEvent((index: number | undefined) =>
    onPoint(index === undefined ? undefined : points[index]),
  );
  useEffect(() => {
    const frame = ref.current;
    if (frame === null) {
      return undefined;
    }
    const plot = new UPlot(
      optionsFor(frame, label, (index) => tellPoint(index)),
      dataOf(points),
      frame,
    );
    const resizing = new ResizeObserver(() =>
      plot.setSize({ width: frame.clientWidth, height: frame.clientHeight }),
    );
    resizing.observe(frame);
    return () => {
      resizing.disconnect();
      plot.destroy();
    };
  }, [label, points]);
  return (
    <div
      ref={ref}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- uPlot draws into an element of its own
      role="img"
      aria-label={`${label} over time, as a chart; the table below has the same numbers`}
      className="h-full w-full overflow-hidden"
    />
  );
}
