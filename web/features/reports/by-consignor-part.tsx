// A report by consignor: everybody with money or units in the period, searched and sorted by the server.
import type {
  ReportConsignor,
  ReportConsignorsResponse,
  ReportFigures,
} from "#features/reports/contract.ts";
import type { ListSort } from "#web/lib/list-sort.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import type { PagedRead } from "#web/lib/read.ts";
import { useParams } from "#web/lib/search-param.ts";
import { Button } from "#web/ui/button.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ReportIcon } from "#web/ui/thing-icons.ts";
import { figureColumns, figureTotals, shownOf, type Scope } from "./report-cells.tsx";
import type { ReportPeriod } from "./report-period.ts";

const idOf = ({ consignorID }: ReportConsignor): string => consignorID;

const numbers = [
  "consignedSold",
  "refunds",
  "corrections",
  "storeShare",
  "consignorShare",
  "shipping",
  "payouts",
  "commission",
  "owed",
  "unitsLost",
] as const;

export function columnsOf(
  { from, to }: ReportPeriod,
  total: ReportFigures | undefined,
): readonly Column<ReportConsignor>[] {
  const scopeOf = ({ consignorID }: ReportConsignor): Scope => ({
    consignor: consignorID,
    from,
    to,
  });
  return [
    {
      id: "name",
      header: "Consignor",
      card: "title",
      sortAs: "name",
      isTruncated: true,
      width: "w-56 min-w-28",
      cell: ({ displayName }) => displayName,
    },
    ...figureColumns<ReportConsignor>({
      numbers: shownOf(numbers, total),
      special: {
        consignedSold: { header: "Sold" },
        commission: { shownFrom: "77rem" },
        // Shorter, so that the total row has room at 1280 px.
        owed: { header: "Owed at end" },
      },
      scopeOf,
      isSorted: true,
    }),
  ];
}

type ByConsignorPartProps = {
  readonly read: PagedRead<ReportConsignor, ReportConsignorsResponse>;
  readonly period: ReportPeriod;
  readonly sort: ListSort | undefined;
  readonly isSearched: boolean;
};

export function ByConsignorPart({ read, period, sort, isSearched }: ByConsignorPartProps) {
  const [, setParams] = useParams();
  const [first] = read.pages ?? [];
  // Not the store's own goods: they have no row here.
  const scope: Scope = { consignor: undefined, whose: "consignors", ...period };
  return (
    <DataTable
      label="Consignors"
      columns={columnsOf(period, first?.total)}
      rows={read.rows}
      rowId={idOf}
      sort={sort}
      usualOrder="Most sold first"
      opening={{
        onOpen: ({ consignorID }) =>
          setParams(
            {
              consignor: consignorID,
              by: undefined,
              q: undefined,
              sort: undefined,
              order: undefined,
            },
            { push: true },
          ),
        openId: undefined,
      }}
      error={read.error}
      errorTitle="The report could not be loaded"
      onRetry={read.refresh}
      empty={
        isSearched ? (
          <EmptyState
            icon={ReportIcon}
            title="No consignor matches"
            action={<Button onClick={() => setParams({ q: undefined })}>Clear</Button>}
          />
        ) : (
          <EmptyState icon={ReportIcon} title="No consignor has sales or money in this period">
            Choose another period.
          </EmptyState>
        )
      }
      more={read}
      countText={first === undefined ? undefined : formatQuantity(first.count, "consignor")}
      {...(first === undefined || isSearched
        ? {}
        : {
            totals: {
              name: "Total",
              ...figureTotals(shownOf(numbers, first.total), first.total, scope),
            },
          })}
    />
  );
}
