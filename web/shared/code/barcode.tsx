// A text as a Code 128 barcode for paper, with its quiet zones.
import { code128 } from "./code-128.ts";

const quietModules = 10;
const barHeight = 40;

/** The position and width of each bar, in modules. */
function barsOf(code: string): {
  readonly bars: readonly [number, number][];
  readonly end: number;
} {
  const bars: [number, number][] = [];
  let x = quietModules;
  for (const [index, width] of code128(code).entries()) {
    if (index % 2 === 0) {
      bars.push([x, width]);
    }
    x += width;
  }
  return { bars, end: x + quietModules };
}

type BarcodeProps = {
  /** Printable ASCII. */
  readonly code: string;
  readonly className: string;
};

export function Barcode({ code, className }: BarcodeProps) {
  const { bars, end } = barsOf(code);
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here so that the bars print sharp
      role="img"
      aria-label={`Barcode ${code}`}
      viewBox={`0 0 ${end} ${barHeight}`}
      preserveAspectRatio="none"
      className={className}
      shapeRendering="crispEdges"
      fill="currentColor"
    >
      {bars.map(([x, width]) => (
        <rect key={x} x={x} y={0} width={width} height={barHeight} />
      ))}
    </svg>
  );
}
