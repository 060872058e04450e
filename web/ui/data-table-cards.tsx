// A list on a phone, and where a table has no room: one card of two lines per row, name and amount above the muted line,
// with the picture before both and the actions after both. Words that only cards need are in elements with `data-cards`. On
// a phone, a checkbox leaves little room next to a picture: such a card is `tight`, and its second line continues below
// the actions.
import { memo, type ReactElement, type ReactNode } from "react";
import type { ListSort } from "#web/lib/list-sort.ts";
import type { CardPlace, RowsProps } from "./data-table-column.ts";
import type { Entry, EntryWindow } from "./data-table-entries.ts";
import { SelectRow } from "./data-table-grid.tsx";
import { onDemand } from "./on-demand.tsx";
import { useRowState, type RowState } from "./use-row-state.ts";

const CardSort = onDemand(() => import("./card-sort.tsx").then((file) => file.CardSort), {
  fallback: <div className="h-(--control) border-b border-border" />,
  ifMissing: "fallback",
});

type CardsProps<Row> = RowsProps<Row> & {
  readonly entries: readonly Entry<Row>[];
  /** The window, if only some entries of a long list are drawn. */
  readonly window: EntryWindow | undefined;
  readonly sort: ListSort | undefined;
  readonly usualOrder: string;
  readonly onSort: (sort: ListSort | undefined) => void;
};

type CardProps<Row> = Pick<RowsProps<Row>, "columns"> &
  RowState<Row> & {
    readonly row: Row;
    readonly entryIndex: number;
    readonly measure: EntryWindow["measure"] | undefined;
  };

function PlainCard<Row>(props: CardProps<Row>) {
  const { row, columns, isSelected, isOpen, hasArrived, selectLabel, onOpen } = props;
  const { measure, entryIndex, SelectBox } = props;
  /** Without the columns that have nothing in this row. */
  function at(place: CardPlace): ReactElement[] {
    return columns.flatMap((column) => {
      const value = column.card === place ? column.cell(row) : null;
      return value === null
        ? []
        : [<CardValue key={column.id} label={column.cardLabel} value={value} />];
    });
  }
  const [title, amount, actions] = [at("title"), at("amount"), at("actions")];
  const end = [...at("end-line"), ...at("chip")];
  const quiet = at("line");
  const isMarked = isSelected || isOpen;
  return (
    <li
      ref={measure}
      data-index={entryIndex}
      data-tight={selectLabel === undefined ? undefined : ""}
      className={`relative flex flex-wrap items-center gap-x-3 tight:grid tight:grid-cols-[auto_minmax(0,1fr)_auto] tight:gap-y-0.5 px-3 py-2 ${actions.length === 0 ? "" : "pe-1"} ${isMarked ? "bg-accent-tint shadow-[inset_2px_0_var(--color-accent)]" : ""} ${hasArrived ? "arrived" : ""}`}
    >
      {SelectBox === undefined ? null : (
        // Above the title's button, which covers the whole card.
        <span className="relative z-10 flex tight:row-span-2 no-print">
          <SelectRow {...props} Box={SelectBox} />
        </span>
      )}
      <div className="flex min-w-0 flex-[1_1_0] flex-col gap-0.5 has-data-picture:ps-10 tight:contents">
        <div className="flex min-h-6 items-center justify-between gap-3 tight:ps-10">
          {onOpen === undefined ? (
            <span className="min-w-0 font-medium wrap-anywhere">{title}</span>
          ) : (
            <button
              type="button"
              data-row-main
              onClick={() => onOpen(row)}
              className="line-clamp-2 min-h-6 min-w-0 text-start font-medium wrap-anywhere after:absolute after:inset-0"
            >
              {title}
            </button>
          )}
          {amount.length === 0 ? null : (
            <span className="shrink-0 text-end font-medium tabular-nums">{amount}</span>
          )}
        </div>
        {quiet.length + end.length === 0 ? null : (
          <div
            data-second-line
            className="flex min-h-5 flex-wrap items-center gap-x-3 text-12 text-muted tight:col-span-2 tight:col-start-2 tight:ps-10 tight:pe-1"
          >
            <span className="flex min-w-0 flex-wrap items-center gap-x-2 tight:flex-nowrap">
              {quiet.map((value) => (
                <span
                  key={value.key}
                  className="max-w-full truncate tight:not-last:max-w-1/2 tight:not-last:shrink-0"
                >
                  {value}
                </span>
              ))}
            </span>
            {end.length === 0 ? null : (
              <span className="ms-auto flex max-w-[76%] shrink-0 flex-wrap items-center justify-end gap-x-2 text-end tabular-nums">
                {end}
              </span>
            )}
          </div>
        )}
        <CardPairs row={row} columns={columns} />
      </div>
      {actions.length === 0 ? null : (
        <span className="relative flex items-center tight:col-start-3 tight:row-start-1 tight:-my-1.5 tight:-ms-2 no-print">
          {actions}
        </span>
      )}
      <CardFoot row={row} columns={columns} />
    </li>
  );
}

type PartProps<Row> = Pick<RowsProps<Row>, "columns"> & { readonly row: Row };

type ValueProps = { readonly label: string | undefined; readonly value: ReactNode };

function CardValue({ label, value }: ValueProps) {
  return label === undefined ? (
    value
  ) : (
    <span>
      <span className="text-12 font-normal text-muted">{label} </span>
      {value}
    </span>
  );
}

/** What has a line of its own with a label. */
function CardPairs<Row>({ row, columns }: PartProps<Row>) {
  const pairs = columns.filter(({ card }) => card === "pair");
  return pairs.length === 0 ? null : (
    <div className="flex flex-col gap-0.5 tight:col-span-2 tight:col-start-2 tight:ps-10 sm:grid sm:grid-cols-2 sm:gap-x-8">
      {pairs.map((column) => (
        <div key={column.id} className="flex items-center justify-between gap-3 text-12 text-muted">
          <span>{column.header}</span>
          <span className="min-w-0 text-end wrap-anywhere text-text">{column.cell(row)}</span>
        </div>
      ))}
    </div>
  );
}

/** The buttons with text below the two lines. One that is alone takes the whole width. */
function CardFoot<Row>({ row, columns }: PartProps<Row>) {
  const foot = columns.filter(({ card }) => card === "foot");
  return foot.length === 0 ? null : (
    <div className="relative flex w-full flex-wrap items-center justify-between gap-1 tight:col-span-full">
      {foot.map(({ id, align, cell }) => (
        <span
          key={id}
          className={`min-w-0 ${align === "end" ? "ms-auto" : foot.length === 1 ? "grow" : ""}`}
        >
          {cell(row)}
        </span>
      ))}
    </div>
  );
}

/** Rerenders only when something about this card changes. */
// oxlint-disable-next-line typescript/consistent-type-assertions -- memo loses the row's type parameter
const Card = memo(PlainCard) as typeof PlainCard;

function Spacer({ height }: { readonly height: number }) {
  return height <= 0 ? null : <li aria-hidden="true" style={{ height }} />;
}

export function DataTableCards<Row>(props: CardsProps<Row>) {
  const { label, columns, entries, window, grouping, totals, sort, usualOrder, onSort } = props;
  const stateOf = useRowState(props);
  const first = window?.first ?? 0;
  const title = columns.find(({ card }) => card === "title");
  return (
    <>
      {columns.some(({ sortAs }) => sortAs !== undefined) ? (
        <CardSort columns={columns} sort={sort} usualOrder={usualOrder} onSort={onSort} />
      ) : null}
      <ul aria-label={label} data-cards className="divide-y divide-border">
        <Spacer height={window?.above ?? 0} />
        {entries.slice(first, window?.end).map((entry, index) =>
          entry.kind === "heading" ? (
            <li
              key={entry.key}
              ref={window?.measure}
              data-index={first + index}
              className="bg-bg px-3 py-2 text-14 font-medium"
            >
              {grouping?.renderHeading(entry.groupId)}
            </li>
          ) : (
            <Card
              key={entry.key}
              row={entry.row}
              columns={columns}
              entryIndex={first + index}
              measure={window?.measure}
              {...stateOf(entry.row)}
            />
          ),
        )}
        <Spacer height={window?.below ?? 0} />
      </ul>
      {totals === undefined ? null : (
        <div className="border-t border-border-strong p-3 font-semibold">
          <p className="pb-1">{totals[title?.id ?? ""]}</p>
          <dl className="flex flex-col gap-1">
            {columns.flatMap((column) => {
              const total = totals[column.id];
              return total === undefined || total === null || column.card === "title"
                ? []
                : [
                    <div key={column.id} className="flex justify-between gap-3">
                      <dt>{column.header}</dt>
                      <dd>{total}</dd>
                    </div>,
                  ];
            })}
          </dl>
        </div>
      )}
    </>
  );
}
