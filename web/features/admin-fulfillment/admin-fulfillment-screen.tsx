// /admin-fulfillment: the trades that the store has to ship, and those it fulfilled recently.
import { Printer } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { isInTab, isOrderWith, orderTab } from "#features/trades/contract-orders.ts";
import type { FulfillmentOrder, FulfillmentsResponse } from "#features/trades/contract-orders.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { pathOf } from "#web/lib/http.ts";
import type { Read } from "#web/lib/read.ts";
import { useParams } from "#web/lib/search-param.ts";
import { useFulfillments } from "#web/shared/trade/trade-api.ts";
import { Button } from "#web/ui/button.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Page } from "#web/ui/page.tsx";
import { RowFocus } from "#web/ui/row-focus.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { Tabs } from "#web/ui/tabs.tsx";
import { OrderIcon } from "#web/ui/thing-icons.ts";
import type { OrderAct } from "./order-acts.ts";
import { orderColumns } from "./order-columns.tsx";
import { views, type OrderView } from "./order-views.ts";
import { PickingList } from "./picking-list.tsx";
import { printLabel } from "./print-label.ts";

const OrderDialog = onDemand(() => import("./order-dialog.tsx").then((file) => file.OrderDialog));
const TradeDrawer = onDemand(() =>
  import("#web/shared/trade/trade-drawer.tsx").then((file) => file.TradeDrawer),
);

type Open = { readonly act: Exclude<OrderAct, "print">; readonly order: FulfillmentOrder };

const idOf = (order: FulfillmentOrder): string => order.tradeId;

type OrderListProps = {
  readonly view: OrderView;
  readonly columns: readonly Column<FulfillmentOrder>[];
  readonly read: Read<FulfillmentsResponse>;
};

function OrderList({ view, columns, read }: OrderListProps) {
  const [params, setParams] = useParams();
  const search = params.get("q") ?? "";
  const rows = read.data?.orders.filter(
    (order) => isInTab(order, view.id) && isOrderWith(order, search),
  );
  return (
    <RowFocus main='[aria-label^="Fulfill"], [aria-label^="Upload"], [aria-label^="Refund"]'>
      <DataTable
        label={view.label}
        columns={columns}
        rows={rows}
        rowId={idOf}
        opening={{
          onOpen: ({ tradeId }) => setParams({ trade: tradeId }, { push: true }),
          openId: params.get("trade") ?? undefined,
        }}
        error={read.error}
        errorTitle="The orders could not be loaded"
        onRetry={read.refresh}
        countText={rows === undefined ? undefined : formatQuantity(rows.length, "order")}
        empty={
          search === "" ? (
            <EmptyState icon={OrderIcon} title={view.empty}>
              {view.hint}
            </EmptyState>
          ) : (
            <EmptyState
              icon={OrderIcon}
              title="No order matches"
              action={<Button onClick={() => setParams({ q: undefined })}>Clear</Button>}
            />
          )
        }
      />
    </RowFocus>
  );
}

export function AdminFulfillmentScreen() {
  const [params, setParams] = useParams();
  const read = useFulfillments();
  const [open, setOpen] = useState<Open>();
  const orders = read.data?.orders;
  const hasPicks = orders?.some((order) => isInTab(order, "open")) ?? false;
  const openId = params.get("trade") ?? undefined;
  const onAct = useCallback((act: OrderAct, order: FulfillmentOrder) => {
    if (act === "print") {
      void printLabel(order.tradeId);
    } else {
      setOpen({ act, order });
    }
  }, []);
  const columns = useMemo(() => orderColumns(onAct), [onAct]);
  const [first, ...rest] = views;
  const tabOf = (view: OrderView) => ({
    id: view.id,
    label: view.label,
    count: orders?.filter((order) => isInTab(order, view.id)).length,
    content: <OrderList view={view} columns={columns} read={read} />,
  });
  return (
    <Page
      title="Fulfillment Orders"
      subtitle={<FreshnessLine freshness={read.freshness} />}
      isWide
      actions={
        <Button icon={Printer} disabled={!hasPicks} onClick={() => print()}>
          Print picking list
        </Button>
      }
    >
      <div className="flex flex-col gap-4 no-print">
        <div className="flex items-center justify-between gap-2">
          <SearchParamInput
            param="q"
            label="Search orders"
            placeholder="Order, buyer, item, tracking number"
            className="grow sm:max-w-80"
          />
          <ExportButton
            path={pathOf("/trades/fulfillments/export", {
              tab: orderTab.safeParse(params.get("tab")).data,
              q: params.get("q") ?? undefined,
            })}
            name="fulfillment-orders"
          />
        </div>
        <Tabs label="Orders" tabs={[tabOf(first), ...rest.map(tabOf)]} />
      </div>
      <PickingList orders={orders ?? []} />
      {openId === undefined ? null : (
        <TradeDrawer
          tradeId={openId}
          known={orders?.find(({ tradeId }) => tradeId === openId)}
          onClose={() => setParams({ trade: undefined })}
        />
      )}
      {open === undefined ? null : (
        <OrderDialog
          key={`${open.act}:${open.order.tradeId}`}
          act={open.act}
          // As it is now: the buyer's balance may have changed since the dialog was opened.
          order={orders?.find(({ tradeId }) => tradeId === open.order.tradeId) ?? open.order}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Page>
  );
}
