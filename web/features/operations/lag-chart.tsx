// How far the slowest read table was behind in the last hour, as bars, with the same numbers in a table below.
import type { ProjectionsResponse } from "#features/operations/contract.ts";
import { formatCount, formatSeconds } from "#web/lib/formats.ts";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { SmallTable } from "#web/ui/small-table.tsx";
import { lagText } from "./lag-text.ts";

type Sample = ProjectionsResponse["samples"][number];

/** Undefined while loading. */
type LagChartProps = { readonly samples: readonly Sample[] | undefined };

const HOUR_MS = 3_600_000;
const EVERY_MS = 15_000;
const HEIGHT = 100;
const WIDTH = HOUR_MS / EVERY_MS;
/** A lag of a second fills the chart; a longer one decides the scale itself. */
const LEAST_SECONDS = 1;

const mostText = (seconds: number): string =>
  seconds === 0 ? "Never behind" : `At most ${lagText(seconds)} behind`;

export function LagChart({ samples }: LagChartProps) {
  const last = samples?.at(-1);
  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-baseline justify-between gap-3 text-12 text-muted">
        <span>Slowest table in the last hour</span>
        <span className="tabular-nums">
          {samples === undefined || samples.length === 0
            ? ""
            : mostText(Math.max(...samples.map(({ lagSeconds }) => lagSeconds)))}
        </span>
      </p>
      <div className="h-16 overflow-hidden rounded-control bg-fill">
        {samples === undefined ? (
          <Skeleton className="h-full" />
        ) : last === undefined ? (
          <p className="flex h-full items-center justify-center text-12 text-muted">
            No worker has measured it in the last hour.
          </p>
        ) : (
          <Drawing samples={samples} end={new Date(last.at).getTime()} />
        )}
      </div>
      {samples === undefined || samples.length === 0 ? null : <Numbers samples={samples} />}
    </div>
  );
}

function Drawing({ samples, end }: { readonly samples: readonly Sample[]; readonly end: number }) {
  const highest = Math.max(LEAST_SECONDS, ...samples.map(({ lagSeconds }) => lagSeconds));
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the drawing is one image to a screen reader
      role="img"
      aria-label="Time behind the log in the last hour, as a chart. The table below has the same numbers"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-full w-full"
    >
      {samples.map(({ at, lagSeconds }) => {
        const height = Math.max(1.5, (lagSeconds / highest) * HEIGHT);
        const x = WIDTH - 1 - (end - new Date(at).getTime()) / EVERY_MS;
        return (
          <rect
            key={at}
            x={x}
            y={HEIGHT - height}
            width={1}
            height={height}
            className="fill-chart-1"
          />
        );
      })}
    </svg>
  );
}

function Numbers({ samples }: { readonly samples: readonly Sample[] }) {
  return (
    <details className="text-12">
      <summary className="w-fit rounded-bit py-1 text-muted hover:text-text">
        Show as a table
      </summary>
      <div className="mt-2 max-h-60 overflow-y-auto border-t border-border" tabIndex={-1}>
        <SmallTable
          label="Behind the log in the last hour"
          columns={[
            { label: "Time" },
            { label: "Events", align: "end" },
            { label: "Time behind", align: "end" },
          ]}
        >
          {samples.toReversed().map(({ at, lagEvents, lagSeconds }) => (
            <tr key={at} className="h-7 border-b border-border last:border-b-0">
              <td className="tabular-nums">{formatSeconds(new Date(at))}</td>
              <td className="text-end tabular-nums">{formatCount(lagEvents)}</td>
              <td className="text-end tabular-nums">{lagText(lagSeconds)}</td>
            </tr>
          ))}
        </SmallTable>
      </div>
    </details>
  );
}
