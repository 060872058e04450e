// The SVG around a chart: as wide as the room allows, round amounts on the y axis, and the position of the pointer.
import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import type { Cents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { amountScale } from "./chart-scale.ts";

/** Pixels: between two amounts, per digit, and around the plot. */
const tickSpace = 30;
const digit = 8;
const below = 24;
const edge = 8;

export type Plot = {
  /** The plot's edges in pixels. */
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly yOf: (cents: Cents) => number;
};

type ChartFrameProps = {
  /** The text for screen readers in place of the drawing. */
  readonly label: string;
  readonly amounts: readonly Cents[];
  /** The pointer's position in pixels; undefined when it has left. */
  readonly onPointer: (x: number | undefined, plot: Plot) => void;
  readonly children: (plot: Plot) => ReactNode;
};

/** "$1,250": without cents if they are zero. */
function axisMoney(cents: Cents): string {
  return formatMoney(cents).replace(/\.00$/, "");
}

/** The size of the element with this ref, in whole pixels. */
function useSize() {
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) {
      return undefined;
    }
    const measure = (): void =>
      setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { frame, ...size };
}

export function ChartFrame({ label, amounts, onPointer, children }: ChartFrameProps) {
  const { frame, width, height } = useSize();
  const { low, high, ticks } = amountScale(amounts, Math.floor((height - below) / tickSpace));
  const labels = ticks.map(axisMoney);
  const bottom = height - below;
  const plot: Plot = {
    left: edge + digit * Math.max(...labels.map((text) => text.length)),
    right: width - edge,
    bottom,
    yOf: (cents) => edge + ((high - cents) / (high - low)) * (bottom - edge),
  };
  return (
    <div ref={frame} className="h-full w-full overflow-hidden">
      {width === 0 ? null : (
        <svg
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the drawing is one image to a screen reader
          role="img"
          aria-label={`${label}, as a chart. The table below has the same numbers`}
          width={width}
          height={height}
          className="block text-12 tabular-nums"
          onPointerMove={({ nativeEvent }) => onPointer(nativeEvent.offsetX, plot)}
          onPointerLeave={() => onPointer(undefined, plot)}
        >
          {ticks.map((cents, index) => (
            <g key={cents}>
              <line
                x1={plot.left}
                x2={plot.right}
                y1={plot.yOf(cents)}
                y2={plot.yOf(cents)}
                className={cents === 0 ? "stroke-border-strong" : "stroke-border"}
                shapeRendering="crispEdges"
              />
              <text
                x={plot.left - edge}
                y={plot.yOf(cents)}
                dy="0.35em"
                textAnchor="end"
                className="fill-faint"
              >
                {labels[index]}
              </text>
            </g>
          ))}
          {children(plot)}
        </svg>
      )}
    </div>
  );
}

type LabelBelowProps = {
  readonly plot: Plot;
  readonly x: number;
  readonly children: string;
};

/** A day's label, complete even at the plot's edges. */
export function LabelBelow({ plot, x, children }: LabelBelowProps) {
  const half = (digit * children.length) / 2;
  const kept = Math.min(Math.max(x, half), plot.right + edge - half);
  return (
    <text x={kept} y={plot.bottom + 18} textAnchor="middle" className="fill-faint">
      {children}
    </text>
  );
}
