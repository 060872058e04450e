// A small table inside a dialog or drawer: a plain header and the caller's rows, without sorting or links.
import type { ReactNode } from "react";
import { withIsolatedNames } from "#web/lib/isolated.ts";

type SmallColumn = {
  readonly label: string;
  readonly align?: "end";
  /** Hides the label except from screen readers, for example above a column of buttons. */
  readonly isHidden?: boolean;
  /** Makes the column as narrow as its content. */
  readonly isNarrow?: boolean;
};

type SmallTableProps = {
  readonly label: string;
  readonly columns: readonly SmallColumn[];
  /** The rows, as `<tr>` elements. */
  readonly children: ReactNode;
  /** A last row with totals. */
  readonly foot?: ReactNode;
};

export function SmallTable({ label, columns, children, foot }: SmallTableProps) {
  return (
    <table
      className="w-full text-12 [&_td]:px-1.5 [&_td:first-child]:ps-0 [&_td:last-child]:pe-0"
      aria-label={withIsolatedNames(label)}
    >
      <thead>
        <tr className="border-b border-border text-muted">
          {columns.map(({ label: name, align, isHidden, isNarrow }) => (
            <th
              key={name}
              scope="col"
              className={`h-8 px-1.5 font-medium first:ps-0 last:pe-0 ${align === "end" ? "text-end" : "text-start"} ${isNarrow === true ? "w-px" : ""}`}
            >
              {isHidden === true ? <span className="sr-only">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
      {foot === undefined ? null : <tfoot>{foot}</tfoot>}
    </table>
  );
}
