// A list on a phone: one card a row, name and amount first, then the quiet line, then chip and actions.
import { Fragment, memo, type ReactNode } from "react";
import type { CardPlace, RowsProps } from "./data-table-column.ts";
import { SelectRow, startsGroup } from "./data-table-grid.tsx";
import { useRowState, type RowState } from "./use-row-state.ts";

/** From here on the browser lays out only the cards in sight. */
const manyCards = 100;

type CardsProps<Row> = RowsProps<Row> & { readonly rows: readonly Row[] };

type CardProps<Row> = Pick<RowsProps<Row>, "columns"> & RowState<Row> & { readonly row: Row };

function PlainCard<Row>(props: CardProps<Row>) {
  const { row, id, columns, isSelected, isOpen, hasArrived, selectLabel, onSelect, onOpen } = props;
  function at(place: CardPlace): ReactNode[] {
    return columns.flatMap((column) =>
      column.card === place ? [<Fragment key={column.id}>{column.cell(row)}</Fragment>] : [],
    );
  }
  const [title, quiet, endQuiet] = [at("title"), at("line"), at("end-line")];
  const [chips, actions] = [at("chip"), at("actions")];
  const isMarked = isSelected || isOpen;
  return (
    <li
      className={`relative flex items-start gap-3 p-3 ${isMarked ? "bg-accent-tint shadow-[inset_2px_0_var(--color-accent)]" : ""} ${hasArrived ? "arrived" : ""}`}
    >
      {selectLabel === undefined ? null : (
        // Above the title's button, which covers the whole card.
        <span className="relative z-10 flex">
          <SelectRow id={id} label={selectLabel} isSelected={isSelected} onSelect={onSelect} />
        </span>
      )}
      <div className="flex min-w-0 grow flex-col gap-1">
        <div className="flex items-baseline justify-between gap-3">
          {onOpen === undefined ? (
            <span className="min-w-0 font-medium wrap-anywhere">{title}</span>
          ) : (
            <button
              type="button"
              onClick={() => onOpen(row)}
              className="min-h-6 min-w-0 text-start font-medium wrap-anywhere after:absolute after:inset-0"
            >
              {title}
            </button>
          )}
          <span className="shrink-0 text-end font-medium tabular-nums">{at("amount")}</span>
        </div>
        {quiet.length + endQuiet.length === 0 ? null : (
          <div className="flex items-baseline justify-between gap-3 text-12 text-muted">
            <span className="flex min-w-0 flex-wrap gap-x-3">{quiet}</span>
            <span className="shrink-0 text-end tabular-nums">{endQuiet}</span>
          </div>
        )}
        {columns.flatMap((column) =>
          column.card === "pair"
            ? [
                <div
                  key={column.id}
                  className="flex items-center justify-between gap-3 text-12 text-muted"
                >
                  <span>{column.header}</span>
                  <span className="min-w-0 text-end wrap-anywhere text-text">
                    {column.cell(row)}
                  </span>
                </div>,
              ]
            : [],
        )}
        {chips.length + actions.length === 0 ? null : (
          <div className="flex items-center justify-between gap-3">
            <span className="flex min-w-0 flex-wrap gap-1">{chips}</span>
            <span className="relative flex items-center gap-1">{actions}</span>
          </div>
        )}
      </div>
    </li>
  );
}

/** Drawn again only when something about this card changes. */
// oxlint-disable-next-line typescript/consistent-type-assertions -- memo forgets that the row has a type of its own
const Card = memo(PlainCard) as typeof PlainCard;

export function DataTableCards<Row>(props: CardsProps<Row>) {
  const { label, columns, rows, rowId, grouping, totals } = props;
  const stateOf = useRowState(props);
  return (
    <>
      <ul
        aria-label={label}
        className={`divide-y divide-border ${rows.length < manyCards ? "" : "[&>li]:[contain-intrinsic-size:auto_7rem] [&>li]:[content-visibility:auto]"}`}
      >
        {rows.map((row, index) => (
          <Fragment key={rowId(row)}>
            {startsGroup(grouping, rows, index) ? (
              <li className="bg-bg px-3 py-2 text-14 font-medium">
                {grouping?.renderHeading(grouping.groupOf(row))}
              </li>
            ) : null}
            <Card row={row} columns={columns} {...stateOf(row)} />
          </Fragment>
        ))}
      </ul>
      {totals === undefined ? null : (
        <dl className="flex flex-col gap-1 border-t border-border-strong p-3 font-semibold">
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
      )}
    </>
  );
}
