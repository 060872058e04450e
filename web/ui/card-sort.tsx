// Sorting of a list on a phone, where there are no headings: one of the columns, and its direction.
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ListSort } from "#web/lib/list-sort.ts";
import type { Column } from "./data-table-column.ts";
import { IconButton } from "./icon-button.tsx";

type CardSortProps = {
  readonly columns: readonly Pick<Column<never>, "id" | "header" | "sortAs" | "align">[];
  readonly sort: ListSort | undefined;
  /** How the list is without a sort: "Newest first". */
  readonly usualOrder: string;
  readonly onSort: (sort: ListSort | undefined) => void;
};

export function CardSort({ columns, sort, usualOrder, onSort }: CardSortProps) {
  const sortable = columns.filter(({ sortAs }) => sortAs !== undefined);
  const isDescending = sort?.isDescending === true;
  return (
    <div className="flex items-center justify-between gap-2 border-b border-border ps-3 pe-1 text-muted no-print">
      <label className="flex min-w-0 grow items-center gap-1">
        <span className="text-12 whitespace-nowrap">Sort by</span>
        <select
          value={sort?.by ?? ""}
          onChange={({ target }) => {
            const column = sortable.find(({ sortAs }) => sortAs === target.value);
            onSort(
              column === undefined
                ? undefined
                : // The largest amounts first.
                  { by: target.value, isDescending: column.align === "end" },
            );
          }}
          className="h-(--control) min-w-0 grow rounded-control bg-transparent text-text -outline-offset-2"
        >
          <option value="">{usualOrder}</option>
          {sortable.map(({ id, header, sortAs }) => (
            <option key={id} value={sortAs}>
              {header}
            </option>
          ))}
        </select>
      </label>
      {sort === undefined ? null : (
        <IconButton
          icon={isDescending ? ArrowDown : ArrowUp}
          label={isDescending ? "Sorted down: sort up" : "Sorted up: sort down"}
          onClick={() => onSort({ by: sort.by, isDescending: !isDescending })}
        />
      )}
    </div>
  );
}
