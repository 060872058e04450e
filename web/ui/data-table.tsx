// The kit's list: a table, or cards where there is no room for one, with states for loading, empty and error, and "Load more" below.
import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from "react";
import type { ApiError } from "#web/lib/api-error.ts";
import { formatCount } from "#web/lib/formats.ts";
import { nextSort, sortParams, type ListSort } from "#web/lib/list-sort.ts";
import { useParams } from "#web/lib/search-param.ts";
import { DataTableCards } from "./data-table-cards.tsx";
import type { RowsProps } from "./data-table-column.ts";
import { entriesOf, type EntryWindow } from "./data-table-entries.ts";
import { DataTableGrid } from "./data-table-grid.tsx";
import { ErrorLine } from "./error-line.tsx";
import { ErrorState } from "./error-state.tsx";
import { LoadMore, type MorePages } from "./load-more.tsx";
import { onDemand } from "./on-demand.tsx";
import { Skeleton } from "./skeleton.tsx";
import { useArrivals } from "./use-arrivals.ts";
import { useCards } from "./use-cards.ts";

/** Lists with at least this many rows draw only the visible ones. */
const longFrom = 150;
/** Heights of a row and of a phone's card, in pixels, until they are measured. */
const usualRow = 36;
const usualCard = 63;
const skeletonRows = ["a", "b", "c", "d", "e", "f", "g", "h"];
const noIds: readonly string[] = [];

type DataTableProps<Row> = Pick<RowsProps<Row>, "label" | "columns" | "rowId"> &
  Partial<Pick<RowsProps<Row>, "selection" | "opening" | "grouping" | "totals">> & {
    /** Undefined while the first rows are loading. */
    readonly rows: readonly Row[] | undefined;
    /** An `EmptyState`. */
    readonly empty: ReactNode;
    readonly error?: ApiError | undefined;
    /** "The items could not be loaded" */
    readonly errorTitle?: string;
    readonly onRetry?: () => void;
    /** The list's current sorting. A click on a heading changes the address. */
    readonly sort?: ListSort | undefined;
    /** What the server's order without a sort is called; "Newest first" if it is that. */
    readonly usualOrder?: string;
    readonly more?: MorePages;
    /** How many rows there are in total: "312 items", "10,000+ items". Keep the columns and functions stable. */
    readonly countText?: string | undefined;
  };

function Loading({ label }: { readonly label: string }) {
  return (
    <div aria-busy="true" className="flex flex-col">
      <output className="sr-only">{`Loading ${label}`}</output>
      {skeletonRows.map((key) => (
        <div
          key={key}
          className="flex h-(--row) items-center gap-6 border-b border-border px-4 last:border-b-0 max-sm:h-16 max-sm:px-3"
        >
          <Skeleton className="h-3.5 grow" />
          <Skeleton className="h-3.5 w-24 max-sm:hidden" />
          <Skeleton className="h-3.5 w-16" />
        </div>
      ))}
    </div>
  );
}

function Foot({
  shown,
  more,
  countText,
  problem,
}: {
  readonly shown: number;
  readonly more: MorePages | undefined;
  readonly countText: string | undefined;
  readonly problem: string | undefined;
}) {
  const hasMore = more?.hasMore === true;
  return (
    <div className="flex min-h-10 flex-wrap items-center justify-between gap-2 border-t border-border px-4 py-1.5 text-12 text-muted max-sm:px-3">
      <span className="tabular-nums" aria-live="polite">
        {countText === undefined
          ? `${formatCount(shown)} shown`
          : hasMore
            ? `${formatCount(shown)} of ${countText}`
            : countText}
      </span>
      <ErrorLine>{problem}</ErrorLine>
      {more === undefined ? null : <LoadMore list={more} className="no-print" />}
    </div>
  );
}

/** Until it is loaded, the first rows are drawn with space for the others; if it cannot be loaded, all of them. */
const DataTableWindow = onDemand(
  () => import("./data-table-window.tsx").then((file) => file.DataTableWindow),
  {
    fallback: ({ count, usualHeight, draw }, isMissing) =>
      draw(
        isMissing
          ? undefined
          : {
              first: 0,
              end: longFrom,
              above: 0,
              below: (count - longFrom) * usualHeight,
              measure: () => undefined,
            },
      ),
    ifMissing: "fallback",
  },
);

const PrintAll = onDemand(() => import("./data-table-print.tsx").then((file) => file.PrintAll), {
  ifMissing: "fallback",
});

type ListRowsProps<Row> = RowsProps<Row> & {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly sort: ListSort | undefined;
  readonly usualOrder: string;
};

/** The rows of a list, as table or cards. */
function Rows<Row>({ frame, rows, sort, usualOrder, hasMore, ...rest }: ListRowsProps<Row>) {
  const [, setParams] = useParams();
  const isCards = useCards(frame);
  const { rowId, grouping } = rest;
  const entries = useMemo(() => entriesOf(rows, rowId, grouping), [rows, rowId, grouping]);
  // A list with another page will soon be long.
  useEffect(() => (hasMore ? DataTableWindow.preload() : undefined), [hasMore]);
  const draw = (window: EntryWindow | undefined): ReactNode =>
    isCards ? (
      <DataTableCards
        {...rest}
        entries={entries}
        window={window}
        sort={sort}
        usualOrder={usualOrder}
        onSort={(next) => setParams(sortParams(next))}
      />
    ) : (
      <DataTableGrid
        {...rest}
        rows={rows}
        entries={entries}
        sort={sort}
        onSort={(by) => setParams(sortParams(nextSort(sort, by)))}
        window={window}
      />
    );
  return entries.length < longFrom ? (
    draw(undefined)
  ) : (
    <DataTableWindow
      key={isCards ? "cards" : "rows"}
      count={entries.length}
      usualHeight={isCards ? usualCard : usualRow}
      draw={draw}
    />
  );
}

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rowId, rows, empty, error, sort, more, countText } = props;
  const { selection, opening, grouping, totals, usualOrder = "Newest first" } = props;
  const { errorTitle = "The list could not be loaded", onRetry = () => undefined } = props;
  const [isPaged, setPaged] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  if (more?.hasMore === true && !isPaged) {
    setPaged(true);
  }
  const arrivedIds = useArrivals(rows?.map(rowId) ?? noIds);
  const rest = { label, columns, rowId, selection, opening, grouping, totals, arrivedIds };
  // The previous rows are still there, in the previous order.
  const problem = error?.code === "too_many_to_sort" ? error.message : undefined;

  function body(): ReactNode {
    if (rows === undefined) {
      return error === undefined ? (
        <Loading label={label} />
      ) : (
        <ErrorState title={errorTitle} error={error} onRetry={onRetry} />
      );
    }
    return rows.length === 0 ? (
      empty
    ) : (
      <Rows
        {...rest}
        frame={frame}
        rows={rows}
        sort={sort}
        usualOrder={usualOrder}
        hasMore={more?.hasMore === true}
      />
    );
  }

  return (
    <div
      className={`@container ${more?.isChanging === true ? "opacity-60" : ""}`}
      aria-busy={more?.isChanging === true}
    >
      {/* A narrow table may scroll sideways. Its hidden labels then belong to the card, not to the page. */}
      <div
        ref={frame}
        className="card print:overflow-visible @max-[59rem]:relative @max-[59rem]:overflow-x-auto"
      >
        {body()}
        {isPaged && more !== undefined ? <PrintAll list={more} /> : null}
        {rows === undefined || rows.length === 0 ? null : (
          <Foot shown={rows.length} more={more} countText={countText} problem={problem} />
        )}
      </div>
    </div>
  );
}
