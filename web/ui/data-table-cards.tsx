// A list on a phone: one card a row, name and amount first, then the quiet line, then chip and actions.
import { Fragment, memo, useEffect, useRef, useState, type ReactNode } from "react";
import type { CardPlace, RowsProps } from "./data-table-column.ts";
import { SelectRow, startsGroup } from "./data-table-grid.tsx";
import { useRowState, type RowState } from "./use-row-state.ts";

/** From here on only the cards near the screen are drawn, so many at a time. */
const manyCards = 150;
const cardsABlock = 25;
/** Until a block was drawn once, this is taken for the height of each card, in pixels. */
const usualHeight = 112;
const nearby = "1500px 0px";

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
            <span className="max-w-[60%] shrink-0 text-end tabular-nums wrap-anywhere">
              {endQuiet}
            </span>
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

type BlockProps<Row> = Pick<CardsProps<Row>, "columns" | "rows" | "rowId" | "grouping"> & {
  readonly first: number;
  readonly end: number;
  readonly stateOf: (row: Row) => RowState<Row>;
};

function CardBlock<Row>(props: BlockProps<Row>) {
  const { columns, rows, rowId, grouping, first, end, stateOf } = props;
  return rows.slice(first, end).map((row, index) => (
    <Fragment key={rowId(row)}>
      {startsGroup(grouping, rows, first + index) ? (
        <li className="bg-bg px-3 py-2 text-14 font-medium">
          {grouping?.renderHeading(grouping.groupOf(row))}
        </li>
      ) : null}
      <Card row={row} columns={columns} {...stateOf(row)} />
    </Fragment>
  ));
}

/** Cards that are drawn while they are near the screen; else room of their height. */
function NearbyBlock<Row>(props: BlockProps<Row>) {
  const { first, end } = props;
  const place = useRef<HTMLLIElement>(null);
  // The first ones were there before the list was long, and stay without a gap.
  const [isNear, setNear] = useState(first < manyCards);
  const [height, setHeight] = useState((end - first) * usualHeight);
  useEffect(() => {
    const item = place.current;
    const observer = new IntersectionObserver(
      (entries) => {
        // Several wait where the screen was busy; the last one says how it is now.
        const entry = entries.at(-1);
        if (entry !== undefined) {
          if (!entry.isIntersecting && item?.childElementCount === 1) {
            setHeight(entry.boundingClientRect.height);
          }
          setNear(entry.isIntersecting);
        }
      },
      { rootMargin: nearby },
    );
    if (item !== null) {
      observer.observe(item);
    }
    return () => observer.disconnect();
  }, []);
  return (
    <li ref={place} style={isNear ? undefined : { height }}>
      {isNear ? (
        <ul className="divide-y divide-border">
          <CardBlock {...props} />
        </ul>
      ) : null}
    </li>
  );
}

export function DataTableCards<Row>(props: CardsProps<Row>) {
  const { label, columns, rows, rowId, grouping, totals } = props;
  const stateOf = useRowState(props);
  const block = { columns, rows, rowId, grouping, stateOf };
  const starts =
    rows.length < manyCards
      ? undefined
      : Array.from(
          { length: Math.ceil(rows.length / cardsABlock) },
          (_, index) => index * cardsABlock,
        );
  return (
    <>
      <ul aria-label={label} className="divide-y divide-border">
        {starts === undefined ? (
          <CardBlock {...block} first={0} end={rows.length} />
        ) : (
          starts.map((first) => (
            <NearbyBlock
              key={first}
              {...block}
              first={first}
              end={Math.min(rows.length, first + cardsABlock)}
            />
          ))
        )}
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
