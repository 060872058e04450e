// A consignor's sales, on the history screen and on the dashboard.
import {
  saleSort,
  type OwnSaleListResponse,
  type SaleSort,
  type OwnSaleView,
} from "#features/sales/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { sortIn } from "#web/lib/list-sort.ts";
import { useParams } from "#web/lib/search-param.ts";
import { Button } from "#web/ui/button.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { FreshnessLine, HeldNotice } from "#web/ui/freshness-line.tsx";
import { Money } from "#web/ui/money.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { Select, type Choice } from "#web/ui/select.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { PayoutIcon } from "#web/ui/thing-icons.ts";
import { Unknown } from "#web/ui/unknown.tsx";
import { shareLeft } from "#web/shared/sale/refund-sums.ts";
import { PicturedName } from "#web/shared/item/pictured-name.tsx";
import { SalePrice } from "#web/shared/sale/sale-price.tsx";
import { SaleChip } from "./line-chip.tsx";
import { OldAppPart } from "./old-app-part.tsx";
import { saleExportPath, saleFiltersIn, useSales, type SaleStatus } from "./history-api.ts";

const OwnTotals = onDemand(() => import("./own-totals.tsx").then((file) => file.OwnTotals), {
  fallback: <Skeleton className="h-13" />,
  ifMissing: "fallback",
});
const SaleDrawer = onDemand(() => import("./sale-drawer.tsx").then((file) => file.SaleDrawer));

const ownColumns: readonly Column<OwnSaleView, SaleSort>[] = [
  {
    id: "date",
    header: "Sold",
    cell: (sale) => <DateTime at={sale.dateSold} />,
    sortAs: "date",
    width: "w-36",
    card: "line",
  },
  {
    id: "item",
    header: "Item",
    cell: (sale) => <PicturedName url={sale.imageUrl ?? ""}>{sale.itemName}</PicturedName>,
    sortAs: "item",
    isTruncated: true,
    width: "min-w-48",
    card: "title",
  },
  {
    id: "quantity",
    header: "Quantity",
    cell: (sale) => formatCount(sale.soldQuantity),
    sortAs: "quantity",
    align: "end",
    width: "w-24",
    card: "none",
  },
  {
    id: "price",
    header: "Sale price",
    cell: (sale) => <SalePrice sale={sale} unknown="no price" />,
    sortAs: "price",
    align: "end",
    width: "w-28",
    card: "none",
  },
  {
    id: "shipping",
    header: "Shipping",
    cell: (sale) => <Money cents={toCents(sale.shippingCost)} />,
    sortAs: "shipping",
    align: "end",
    width: "w-24",
    card: "none",
  },
  {
    id: "percentage",
    header: "Share",
    cell: (sale) =>
      sale.consignorPercentage === null ? (
        <Unknown reason="no percentage" />
      ) : (
        `${sale.consignorPercentage}%`
      ),
    sortAs: "percentage",
    align: "end",
    width: "w-20",
    card: "none",
  },
  {
    id: "payout",
    header: "Your share",
    cell: (sale) => <Money cents={shareLeft(sale)} />,
    sortAs: "payout",
    align: "end",
    width: "w-28",
    card: "amount",
  },
  {
    id: "status",
    header: "Status",
    cell: (sale) => <SaleChip status={sale.status} />,
    width: "w-36",
    card: "chip",
  },
];

/** The columns for admins who look at another person's sales. */
const foreignColumns = ownColumns.map((column) =>
  column.id === "payout" ? { ...column, header: "Consignor share" } : column,
);

const statusChoices: readonly Choice<SaleStatus | "all">[] = [
  { value: "all", label: "All sales" },
  { value: "sold", label: "Sold" },
  { value: "partly_refunded", label: "Partly refunded" },
  { value: "refunded", label: "Refunded" },
];

function countText(page: OwnSaleListResponse | undefined): string | undefined {
  if (page === undefined) {
    return undefined;
  }
  const { value, capped } = page.count;
  return capped ? `${formatCount(value)}+ sales` : formatQuantity(value, "sale");
}

function saleId(sale: OwnSaleView): string {
  return sale.saleID;
}

type SalesListProps = {
  readonly uid: string;
  /** False if an admin looks at another person's sales. */
  readonly isOwn?: boolean;
};

type NoSalesProps = {
  readonly isFiltered: boolean;
  readonly isOwn: boolean;
  readonly onClear: () => void;
};

function NoSales({ isFiltered, isOwn, onClear }: NoSalesProps) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={PayoutIcon}
        title="No sales match"
        action={<Button onClick={onClear}>Clear</Button>}
      />
    );
  }
  return (
    <EmptyState icon={PayoutIcon} title="No sales yet">
      {`Each sale appears here with its price and ${isOwn ? "your" : "the consignor's"} share.`}
    </EmptyState>
  );
}

export function SalesList({ uid, isOwn = true }: SalesListProps) {
  const [params, setParams] = useParams();
  const filters = saleFiltersIn(params);
  const sort = sortIn(params, saleSort);
  const sales = useSales(uid, filters, sort);
  const { rows } = sales;
  const openId = params.get("sale") ?? undefined;
  const openIndex = rows?.findIndex((sale) => sale.saleID === openId) ?? -1;
  const isFiltered = filters.status !== undefined || filters.searchTerm !== undefined;

  /** Opening from the list adds a history entry for Back. Moving between sales and closing do not. */
  function open(sale: OwnSaleView | undefined, push = false): void {
    setParams({ sale: sale?.saleID }, { push });
  }
  /** Undefined at an end of the list, and for a sale that is not on the loaded pages. */
  function goBy(step: number): (() => void) | undefined {
    const sale = openIndex === -1 ? undefined : rows?.[openIndex + step];
    return sale === undefined ? undefined : () => open(sale);
  }

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2 no-print">
        <SearchParamInput
          param="q"
          label="Search sales"
          placeholder="Item or barcode"
          className="w-64 max-sm:w-full"
        />
        <span className="max-sm:grow">
          <Select
            aria-label="Status"
            value={filters.status ?? "all"}
            choices={statusChoices}
            onValue={(status) => setParams({ status: status === "all" ? undefined : status })}
          />
        </span>
        <span className="ms-auto">
          <ExportButton path={saleExportPath(uid, filters, sort)} name="sales" />
        </span>
      </div>
      <HeldNotice freshness={sales.freshness} />
      <OwnTotals uid={uid} filters={filters} isOwn={isOwn} />
      <DataTable
        label="Sales"
        columns={isOwn ? ownColumns : foreignColumns}
        rows={rows}
        rowId={saleId}
        sort={sort}
        opening={{ onOpen: (sale) => open(sale, true), openId }}
        error={sales.error}
        errorTitle="The sales could not be loaded"
        onRetry={sales.refresh}
        more={sales}
        countText={countText(sales.pages?.[0])}
        empty={
          <NoSales
            isFiltered={isFiltered}
            isOwn={isOwn}
            onClear={() => setParams({ q: undefined, status: undefined })}
          />
        }
      />
      <FreshnessLine freshness={sales.freshness} isBelow />
      {isFiltered ? null : <OldAppPart uid={uid} kind="sales" />}
      {openId === undefined ? null : (
        <SaleDrawer
          id={openId}
          known={rows?.[openIndex]}
          isOwn={isOwn}
          listFreshness={sales.freshness}
          onClose={() => open(undefined)}
          onPrevious={goBy(-1)}
          onNext={goBy(1)}
        />
      )}
    </div>
  );
}
