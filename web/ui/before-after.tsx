// What an action would change in somebody's money or in the units of an item: before, after, and the change.
import type { ReactNode } from "react";
import { formatCount } from "#web/lib/formats.ts";
import { Money } from "#web/ui/money.tsx";
import { Unknown } from "#web/ui/unknown.tsx";

export type BeforeAfterRow = {
  readonly label: string;
  /** Cents, or units. */
  readonly before: number;
  /** Undefined while the inputs are invalid. */
  readonly after: number | undefined;
  readonly unit?: "money" | "units";
};

type BeforeAfterProps = {
  readonly rows: readonly BeforeAfterRow[];
  /** Says "owed to the store" for negative balances. */
  readonly isBalance?: boolean;
};

export function BeforeAfter({ rows, isBalance = false }: BeforeAfterProps) {
  return (
    <table className="before-after w-full text-12" aria-label="Before and after">
      <thead>
        <tr className="text-muted">
          <th scope="col" className="h-6">
            <span className="sr-only">Who</span>
          </th>
          <th scope="col" className="text-end font-medium">
            Before
          </th>
          <th scope="col" className="text-end font-medium">
            After
          </th>
          <th scope="col" className="text-end font-medium">
            Change
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, before, after, unit = "money" }) => (
          <tr key={`${label} ${unit}`} className="border-t border-border">
            <th scope="row" className="h-8 py-1 text-start font-medium wrap-anywhere">
              {label}
            </th>
            <td className="ps-2 text-end">{amount(before, unit, isBalance)}</td>
            <td className="ps-2 text-end">
              {after === undefined ? "—" : amount(after, unit, isBalance)}
            </td>
            <td className="ps-2 text-end font-semibold">
              {after === undefined ? "—" : change(after - before, unit)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function amount(value: number, unit: "money" | "units", isBalance: boolean): ReactNode {
  return unit === "money" ? (
    <Money cents={value} isBalance={isBalance} />
  ) : (
    <span className="tabular-nums">{formatCount(value)}</span>
  );
}

function change(difference: number, unit: "money" | "units"): ReactNode {
  if (unit === "money") {
    return <Money cents={difference} isChange />;
  }
  return difference === 0 ? (
    <Unknown reason="no change" />
  ) : (
    <span className="tabular-nums">
      {difference > 0 ? `+${formatCount(difference)}` : formatCount(difference)}
    </span>
  );
}
