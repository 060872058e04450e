// /admin/sales: every sale of the store, to find, correct or refund it.
import { Plus } from "lucide-react";
import { useState } from "react";
import { saleSort, type SaleView } from "#features/sales/contract.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { pathOf } from "#web/lib/http.ts";
import { sortIn, sortParams } from "#web/lib/list-sort.ts";
import { useParams } from "#web/lib/search-param.ts";
import { paths } from "#web/paths.ts";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Page } from "#web/ui/page.tsx";
import { ExplainHost } from "#web/shared/explain/explain-host.tsx";
import { SaleIcon } from "#web/ui/thing-icons.ts";
import { useSales } from "#web/shared/sale/sale-api.ts";
import { saleColumns } from "./sale-columns.tsx";
import { isFiltered, noFilters, queryOf, salesFiltersIn } from "#web/shared/sale/sales-filters.ts";
import { MonthNote } from "./month-note.tsx";
import { SalesTotals } from "./sales-totals.tsx";
import { SalesSearch } from "./sales-search.tsx";

const SaleDrawer = onDemand(() => import("./sale-drawer.tsx").then((file) => file.SaleDrawer));
const CustomSaleForm = onDemand(() =>
  import("#web/shared/sale/custom-sale-form.tsx").then((file) => file.CustomSaleForm),
);

const idOf = (sale: SaleView): string => sale.saleID;

export function SalesScreen() {
  const [params, setParams] = useParams();
  const filters = salesFiltersIn(params);
  const query = queryOf(filters);
  const sort = sortIn(params, saleSort);
  const sales = useSales(query, sort);
  const count = sales.pages?.[0]?.count;
  const [isAdding, setAdding] = useState(false);
  const openId = params.get("sale") ?? undefined;
  const openIndex = sales.rows?.findIndex((sale) => sale.saleID === openId) ?? -1;

  function openRow(id: string | undefined, push: boolean): void {
    setParams({ sale: id }, { push });
  }
  function neighbor(step: number): (() => void) | undefined {
    const row = openIndex === -1 ? undefined : sales.rows?.[openIndex + step];
    return row === undefined ? undefined : () => openRow(row.saleID, false);
  }

  return (
    <Page
      title="Sales"
      subtitle={<FreshnessLine freshness={sales.freshness} />}
      isWide
      actions={
        <>
          <ExportButton
            path={pathOf("/sales/export", { ...query, ...sortParams(sort) })}
            name="sales"
          />
          <Button icon={Plus} variant="primary" onClick={() => setAdding(true)}>
            Custom sale
          </Button>
        </>
      }
    >
      <SalesSearch filters={filters} onChange={setParams} onClear={() => setParams(noFilters)} />
      <MonthNote filters={filters} />
      <SalesTotals query={query} />
      {openId === undefined ? <ExplainHost /> : null}
      <DataTable
        label="Sales"
        columns={saleColumns}
        rows={sales.rows}
        rowId={idOf}
        sort={sort}
        opening={{ onOpen: (sale) => openRow(sale.saleID, true), openId }}
        error={sales.error}
        errorTitle="The sales could not be loaded"
        onRetry={sales.refresh}
        empty={<NoSales isFiltered={isFiltered(filters)} onClear={() => setParams(noFilters)} />}
        more={sales}
        countText={
          count === undefined
            ? undefined
            : count.capped
              ? `${formatCount(count.value)}+ sales`
              : formatQuantity(count.value, "sale")
        }
      />
      {openId === undefined ? null : (
        <SaleDrawer
          id={openId}
          known={sales.rows?.[openIndex]}
          listFreshness={sales.freshness}
          onClose={() => openRow(undefined, false)}
          onPrevious={neighbor(-1)}
          onNext={neighbor(1)}
        />
      )}
      {isAdding ? <CustomSaleForm onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}

type NoSalesProps = { readonly isFiltered: boolean; readonly onClear: () => void };

function NoSales({ isFiltered: isNarrowed, onClear }: NoSalesProps) {
  return isNarrowed ? (
    <EmptyState
      icon={SaleIcon}
      title="No sales match"
      action={<Button onClick={onClear}>Clear</Button>}
    />
  ) : (
    <EmptyState
      icon={SaleIcon}
      title="No sales yet"
      action={<ButtonLink to={paths.admin}>Open inventory</ButtonLink>}
    >
      Record a sale from an item in the inventory.
    </EmptyState>
  );
}
