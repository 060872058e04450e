// The frame around every chart: the value under the pointer above it, and the same numbers as a table below it.
import type { ReactNode } from "react";
import type { Cents } from "#ledger/money.ts";
import { Boundary } from "./boundary.tsx";
import { Money } from "./money.tsx";
import { Skeleton } from "./skeleton.tsx";

/** One line of the table. `key` is unique; `label` may repeat. */
export type ChartLine = {
  readonly key: string | number;
  readonly label: string;
  readonly cents: Cents;
};

type ChartCardProps = {
  /** What the amounts are: "Available". */
  readonly label: string;
  /** What each line is of, the heading of its name: "Day". */
  readonly unit: string;
  /** The table's caption: "Available over time". */
  readonly tableLabel: string;
  /** Shown above the chart: the point under the pointer, or the last value. */
  readonly shown: { readonly label: string; readonly cents: Cents } | undefined;
  /** Undefined while loading. */
  readonly lines: readonly ChartLine[] | undefined;
  /** The sentence in place of a chart without data. */
  readonly empty: string;
  /** Balances say who owes whom if they are negative. */
  readonly isBalance?: boolean;
  /** The drawing. */
  readonly children: ReactNode;
};

function ChartTable(props: {
  label: string;
  unit: string;
  tableLabel: string;
  lines: readonly ChartLine[];
  isBalance: boolean;
}) {
  const { label, unit, tableLabel, lines, isBalance } = props;
  return (
    <details className="group/table text-12">
      <summary className="w-fit rounded-bit py-1 text-muted hover:text-text">
        Show as a table
      </summary>
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the only way to scroll it by keyboard, because it has no links inside
        tabIndex={0}
        className="mt-2 max-h-60 overflow-y-auto border-t border-border -outline-offset-2"
      >
        <table className="w-full" aria-label={tableLabel}>
          <thead className="sr-only">
            <tr>
              <th scope="col">{unit}</th>
              <th scope="col">{label}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.key} className="border-b border-border last:border-b-0">
                <td className="py-1.5 text-muted">{line.label}</td>
                <td className="py-1.5 text-end">
                  <Money cents={line.cents} isBalance={isBalance} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Words({ children }: { readonly children: string }) {
  return <p className="flex h-full items-center justify-center text-muted">{children}</p>;
}

export function ChartCard(props: ChartCardProps) {
  const { label, unit, tableLabel, shown, lines, empty, isBalance = false, children } = props;
  return (
    <div className="flex flex-col gap-2">
      <p className="flex h-5 items-baseline justify-between gap-3 text-12 text-muted">
        <span className="tabular-nums">{shown?.label ?? label}</span>
        {shown === undefined ? null : (
          <span className="text-14 font-medium text-text">
            <Money cents={shown.cents} isBalance={isBalance} />
          </span>
        )}
      </p>
      <div className="h-44">
        {lines === undefined ? (
          <Skeleton className="h-full" />
        ) : lines.length === 0 ? (
          <Words>{empty}</Words>
        ) : (
          <Boundary
            fallback={
              <Words>The chart could not be drawn. The table below has the same numbers.</Words>
            }
          >
            {children}
          </Boundary>
        )}
      </div>
      {lines === undefined || lines.length === 0 ? null : (
        <ChartTable
          label={label}
          unit={unit}
          tableLabel={tableLabel}
          lines={lines}
          isBalance={isBalance}
        />
      )}
    </div>
  );
}
