// A balance over time as steps, with the same numbers in a table beside it; the drawing is loaded when it is needed.
import { useState } from "react";
import type { Cents } from "#ledger/money.ts";
import { formatDay } from "#web/lib/formats.ts";
import { useTheme } from "#web/lib/theme.ts";
import { useNow } from "#web/lib/use-now.ts";
import { Boundary } from "./boundary.tsx";
import { Money } from "./money.tsx";
import { onDemand } from "./on-demand.tsx";
import { Skeleton } from "./skeleton.tsx";

const StepChartPlot = onDemand(
  async () => {
    nameKnownLanguage();
    return (await import("./step-chart-plot.tsx")).StepChartPlot;
  },
  { fallback: <Skeleton className="h-full" />, throwsWhenMissing: true },
);

/**
 * Gives the browser's language as one that `Intl` knows. Where the system has none a browser may say
 * "en-US@posix", and uPlot, which asks as it loads, throws at that.
 */
function nameKnownLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    const { locale } = new Intl.NumberFormat().resolvedOptions();
    Object.defineProperty(navigator, "language", { value: locale, configurable: true });
  }
}

/** `at` in milliseconds; points are in the order of time. */
export type StepPoint = { readonly at: number; readonly cents: Cents };

type StepChartProps = {
  /** What the line is: "Available". */
  readonly label: string;
  /** Undefined while they are on their way. */
  readonly points: readonly StepPoint[] | undefined;
};

/** The points where the value is another than before, newest first. */
export function changesIn(points: readonly StepPoint[]): StepPoint[] {
  return points
    .filter((point, index) => index === 0 || points[index - 1]?.cents !== point.cents)
    .toReversed();
}

function ChangesTable({ label, points }: { label: string; points: readonly StepPoint[] }) {
  const now = useNow();
  return (
    <details className="group/table text-12">
      <summary className="w-fit rounded-bit py-1 text-muted hover:text-text">
        Show as a table
      </summary>
      <div className="mt-2 max-h-60 overflow-y-auto border-t border-border" tabIndex={-1}>
        <table className="w-full" aria-label={`${label} over time`}>
          <thead className="sr-only">
            <tr>
              <th scope="col">Day</th>
              <th scope="col">{label}</th>
            </tr>
          </thead>
          <tbody>
            {changesIn(points).map(({ at, cents }) => (
              <tr key={at} className="border-b border-border last:border-b-0">
                <td className="py-1.5 text-muted">{formatDay(new Date(at), now)}</td>
                <td className="py-1.5 text-end">
                  <Money cents={cents} isBalance />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function NoChart() {
  return (
    <p className="flex h-full items-center justify-center text-muted">
      The chart could not be drawn. The table below has the same numbers.
    </p>
  );
}

export function StepChart({ label, points }: StepChartProps) {
  const [theme] = useTheme();
  const now = useNow();
  const [pointed, setPointed] = useState<StepPoint>();
  const last = points?.at(-1);
  const shown = pointed ?? last;
  return (
    <div className="flex flex-col gap-2">
      <p className="flex h-5 items-baseline justify-between gap-3 text-12 text-muted">
        <span className="tabular-nums">
          {shown === undefined || pointed === undefined
            ? label
            : formatDay(new Date(shown.at), now)}
        </span>
        {shown === undefined ? null : (
          <span className="text-14 font-medium text-text">
            <Money cents={shown.cents} isBalance />
          </span>
        )}
      </p>
      <div className="h-44">
        {points === undefined ? (
          <Skeleton className="h-full" />
        ) : points.length === 0 ? (
          <p className="flex h-full items-center justify-center text-muted">
            No entries yet: the first one begins the line.
          </p>
        ) : (
          <Boundary fallback={<NoChart />}>
            {/* Drawn anew in the other theme's colours. */}
            <StepChartPlot key={theme} label={label} points={points} onPoint={setPointed} />
          </Boundary>
        )}
      </div>
      {points === undefined || points.length === 0 ? null : (
        <ChangesTable label={label} points={points} />
      )}
    </div>
  );
}
