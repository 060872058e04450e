// A list as a table: sticky header with sort buttons, dense rows, a total row. On a phone, cards replace it.
import { ArrowDown, ArrowUp } from "lucide-react";
import { memo, type ReactNode } from "react";
import type { ListSort } from "#web/lib/list-sort.ts";
import type { Column, RowsProps, Selection } from "./data-table-column.ts";
import type { Entry, EntryWindow } from "./data-table-entries.ts";
import { Icon } from "./icon.tsx";
import { type RowState, useRowState } from "./use-row-state.ts";

const edge = "first:ps-4 last:pe-4";

/** By the width of the table, not of the window, because the sidebar takes some of the window. */
const shownFrom = {
  "66rem": "@max-[66rem]:hidden",
  "73rem": "@max-[73rem]:hidden",
  "77rem": "@max-[77rem]:hidden",
  "84rem": "@max-[84rem]:hidden",
};

function isActions<Row>({ card, align }: Column<Row>): boolean {
  return card === "actions" || (card === "foot" && align === "end");
}

/** The alignment of a column's cells, the same in header, rows and total. */
function placing<Row>(column: Column<Row>): string {
  return [
    column.align === "end" ? "text-end" : "text-start",
    column.shownFrom === undefined ? "" : shownFrom[column.shownFrom],
    // If a table is wider than its card, the actions of a row stay in reach.
    isActions(column) ? "no-print @max-[59rem]:sticky @max-[59rem]:end-0" : "",
  ].join(" ");
}

type HeadCellProps<Row> = {
  readonly column: Column<Row>;
  readonly sort: ListSort | undefined;
  readonly onSort: (by: string) => void;
};

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const { sortAs } = column;
  const isSorted = sortAs !== undefined && sort?.by === sortAs;
  const isDescending = isSorted && sort.isDescending;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (isDescending ? "descending" : "ascending") : undefined}
      className={`@min-[59rem]:sticky @min-[59rem]:top-(--top-bar) @min-[59rem]:z-10 h-9 border-b border-border bg-fill px-3 text-12 font-medium whitespace-nowrap text-muted first:rounded-tl-card last:rounded-tr-card ${edge} ${placing(column)} ${column.width ?? ""}`}
    >
      {sortAs !== undefined ? (
        <button
          type="button"
          onClick={() => onSort(sortAs)}
          className={`-mx-1 inline-flex min-h-6 items-center gap-1 rounded-bit px-1 hover:text-text ${isSorted ? "text-text" : ""} ${column.align === "end" ? "flex-row-reverse" : ""}`}
        >
          {column.header}
          <Icon
            of={isDescending ? ArrowDown : ArrowUp}
            size={14}
            className={isSorted ? "" : "opacity-0"}
          />
        </button>
      ) : column.isHeaderHidden === true ? (
        <span className="sr-only">{column.header}</span>
      ) : (
        column.header
      )}
    </th>
  );
}

type GridProps<Row> = RowsProps<Row> & {
  readonly rows: readonly Row[];
  readonly sort: ListSort | undefined;
  readonly onSort: (by: string) => void;
  readonly entries: readonly Entry<Row>[];
  /** The window, if only some entries of a long list are drawn. */
  readonly window: EntryWindow | undefined;
};

function Spacer({ height, span }: { readonly height: number; readonly span: number }) {
  return height <= 0 ? null : (
    <tr aria-hidden="true">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- spacing, not content */}
      <td colSpan={span} style={{ height, padding: 0 }} />
    </tr>
  );
}

type GridRowProps<Row> = Pick<RowsProps<Row>, "columns"> &
  RowState<Row> & {
    readonly row: Row;
    /** The row's index for screen readers, if not all rows are drawn. */
    readonly rowIndex: number | undefined;
    readonly entryIndex: number;
    readonly measure: EntryWindow["measure"] | undefined;
  };

function PlainGridRow<Row>(props: GridRowProps<Row>) {
  const { row, rowIndex, columns, isSelected, isOpen, selectLabel, onOpen } = props;
  const { measure, entryIndex, hasArrived, SelectBox } = props;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/no-noninteractive-element-interactions -- a larger target for the title's button
    <tr
      ref={measure}
      data-index={entryIndex}
      aria-rowindex={rowIndex}
      aria-selected={selectLabel === undefined ? undefined : isSelected}
      onClick={(event) => {
        const target = event.target instanceof Element ? event.target : undefined;
        if (target?.closest("a, button, input, label, select, [role=menu]") === null) {
          onOpen?.(row);
        }
      }}
      className={`${isSelected || isOpen ? "bg-accent-tint shadow-[inset_2px_0_var(--color-accent)]" : "bg-surface hover:bg-hover"} ${onOpen === undefined ? "" : "cursor-pointer"} ${hasArrived ? "arrived" : ""}`}
    >
      {SelectBox === undefined ? null : (
        <td className="w-px ps-4 align-middle no-print">
          <SelectRow {...props} Box={SelectBox} />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          className={`h-(--row) px-3 py-0.5 ${edge} ${placing(column)} ${column.align === "end" ? "tabular-nums" : ""} ${column.isTruncated === true ? "max-w-0 truncate" : ""} ${isActions(column) ? "@max-[59rem]:bg-inherit" : ""} ${column.width ?? ""}`}
        >
          {column.card === "title" && onOpen !== undefined ? (
            <button
              type="button"
              data-row-main
              onClick={() => onOpen(row)}
              // A block: in a line, a picture would stand on the baseline and make its row higher.
              className="block max-w-full truncate text-start font-medium hover:text-accent"
            >
              {column.cell(row)}
            </button>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

/** Rerenders only when something about this row changes, so that one click does not rerender the whole list. */
// oxlint-disable-next-line typescript/consistent-type-assertions -- memo loses the row's type parameter
const GridRow = memo(PlainGridRow) as typeof PlainGridRow;

type SelectRowProps = Pick<RowState<unknown>, "id" | "isSelected" | "onSelect" | "selectLabel"> & {
  readonly Box: Selection<unknown>["Box"];
};

/** The checkbox of one row, also used on the phone's cards. */
export function SelectRow({ id, isSelected, onSelect, selectLabel = "", Box }: SelectRowProps) {
  return (
    <Box
      label={selectLabel}
      isLabelHidden
      isChecked={isSelected}
      onChecked={(isChecked) => onSelect(id, isChecked)}
    />
  );
}

function SelectAll<Row>({
  rows,
  rowId,
  selection,
}: Pick<GridProps<Row>, "rows" | "rowId" | "selection">) {
  if (selection === undefined) {
    return null;
  }
  const { selected, onSelected, Box } = selection;
  const isAll =
    rows.length > 0 &&
    selected.size >= rows.length &&
    rows.every((row) => selected.has(rowId(row)));
  return (
    <th
      scope="col"
      className="no-print @min-[59rem]:sticky @min-[59rem]:top-(--top-bar) @min-[59rem]:z-10 h-9 w-px rounded-tl-card border-b border-border bg-fill ps-4"
    >
      <Box
        label="Select all rows"
        isLabelHidden
        isChecked={isAll}
        isMixed={!isAll && selected.size > 0}
        onChecked={(isChecked) => onSelected(new Set(isChecked ? rows.map(rowId) : []))}
      />
    </th>
  );
}

type GroupHeadingProps = {
  readonly span: number;
  readonly rowIndex: number | undefined;
  readonly entryIndex: number;
  readonly measure: EntryWindow["measure"] | undefined;
  readonly children: ReactNode;
};

function GroupHeading({ span, rowIndex, entryIndex, measure, children }: GroupHeadingProps) {
  return (
    <tr ref={measure} data-index={entryIndex} aria-rowindex={rowIndex} className="bg-bg">
      <th
        scope="rowgroup"
        colSpan={span}
        className="h-9 border-b border-border px-4 text-start font-medium"
      >
        {children}
      </th>
    </tr>
  );
}

export function DataTableGrid<Row>(props: GridProps<Row>) {
  const { label, columns, rows, rowId, selection, grouping, totals, sort, onSort } = props;
  const { entries, window } = props;
  const stateOf = useRowState(props);
  const first = window?.first ?? 0;
  const span = columns.length + (selection === undefined ? 0 : 1);
  return (
    <table
      aria-label={label}
      aria-rowcount={window === undefined ? undefined : entries.length + 1}
      className="w-full border-separate border-spacing-0 [&_td]:border-b [&_td]:border-border [&_tr:last-child>td]:border-b-0"
    >
      <thead>
        <tr>
          <SelectAll rows={rows} rowId={rowId} selection={selection} />
          {columns.map((column) => (
            <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        <Spacer height={window?.above ?? 0} span={span} />
        {entries.slice(first, window?.end).map((entry, index) =>
          entry.kind === "heading" ? (
            <GroupHeading
              key={entry.key}
              span={span}
              rowIndex={window === undefined ? undefined : first + index + 2}
              entryIndex={first + index}
              measure={window?.measure}
            >
              {grouping?.renderHeading(entry.groupId)}
            </GroupHeading>
          ) : (
            <GridRow
              key={entry.key}
              row={entry.row}
              rowIndex={window === undefined ? undefined : first + index + 2}
              entryIndex={first + index}
              measure={window?.measure}
              columns={columns}
              {...stateOf(entry.row)}
            />
          ),
        )}
        <Spacer height={window?.below ?? 0} span={span} />
      </tbody>
      {totals === undefined ? null : (
        <tfoot>
          <tr className="font-semibold">
            {selection === undefined ? null : (
              <td className="border-t border-border-strong">
                <span className="sr-only">Total</span>
              </td>
            )}
            {columns.map((column) => (
              <td
                key={column.id}
                className={`h-(--row) border-t border-border-strong px-3 ${edge} ${placing(column)}`}
              >
                {totals[column.id]}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  );
}
