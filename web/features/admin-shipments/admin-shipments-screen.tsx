// /admin-shipments: all shipments by status, and what an admin does with them.
import { Plus, ScanBarcode } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { shipmentSort, type ShipmentTab, type ShipmentView } from "#features/shipments/contract.ts";
import { asApiError } from "#web/lib/api-error.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { randomId } from "#web/lib/random-id.ts";
import { sortIn } from "#web/lib/list-sort.ts";
import { useParams } from "#web/lib/search-param.ts";
import { ConsignorParam } from "#web/shared/consignor/consignor-param.tsx";
import { ShipmentDrawer } from "#web/shared/shipment/shipment-drawer.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { FilterBar } from "#web/ui/filter-bar.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Page } from "#web/ui/page.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { Tabs } from "#web/ui/tabs.tsx";
import { ShipmentIcon } from "#web/ui/thing-icons.ts";
import { showErrorToast, showToast } from "#web/ui/toast.ts";
import {
  adminExportPath,
  markShipment,
  useAdminShipments,
  useShipmentTotals,
  type AdminFilters,
} from "./admin-shipments-api.ts";
import { menuOf, shipmentColumns, type OnShipmentAct } from "./shipment-columns.tsx";
import type { OpenShipmentForm } from "./shipment-forms.tsx";

const ShipmentForms = onDemand(() =>
  import("./shipment-forms.tsx").then((file) => file.ShipmentForms),
);

const idOf = (shipment: ShipmentView): string => shipment.id;
const noFilters = { q: undefined, completed: undefined, consignor: undefined };

/** Marks it and shows a toast, with Undo if `undo` is given. */
async function mark(
  { id, shortId }: ShipmentView,
  body: Parameters<typeof markShipment>[0]["body"],
  said: string,
  undo?: () => void,
): Promise<void> {
  try {
    await markShipment({ id, body }, randomId());
    showToast(`Shipment ${shortId} ${said}`, undo === undefined ? {} : { undo });
  } catch (error) {
    showErrorToast(`Error updating shipment: ${asApiError(error).message}`);
  }
}

function toggleDelivered(shipment: ShipmentView): Promise<void> {
  const isDelivered = shipment.delivered === "yes";
  const back = { delivered: shipment.delivered };
  return mark(
    shipment,
    { delivered: isDelivered ? "no" : "yes" },
    isDelivered ? "is not delivered after all" : "delivered",
    () => void mark(shipment, back, isDelivered ? "delivered" : "is not delivered after all"),
  );
}

export function AdminShipmentsScreen() {
  const [params, setParams] = useParams();
  const [form, setForm] = useState<OpenShipmentForm>();
  const totals = useShipmentTotals();
  const counts = totals.data?.totals;
  const onAct = useCallback<OnShipmentAct>((act, shipment) => {
    if (act === "toggle-delivered") {
      void toggleDelivered(shipment);
    } else if (act === "toggle-processed" && shipment.processed === "yes") {
      void mark(shipment, { processed: "no" }, "is not processed after all");
    } else {
      setForm({ kind: act === "toggle-processed" ? "process" : act, shipment });
    }
  }, []);
  const openId = params.get("shipment") ?? undefined;
  const list = (tab: ShipmentTab | undefined) => <ShipmentList tab={tab} onAct={onAct} />;
  return (
    <Page
      title="Shipments"
      subtitle={<FreshnessLine freshness={totals.freshness} />}
      isWide
      actions={
        <Button
          variant="primary"
          icon={Plus}
          onPointerEnter={ShipmentForms.preload}
          onFocus={ShipmentForms.preload}
          onClick={() => setForm({ kind: "enter" })}
        >
          Enter shipment
        </Button>
      }
    >
      <Tabs
        label="Shipments"
        clears={["sort", "order", "shipment"]}
        tabs={[
          { id: "all", label: "All", content: list(undefined) },
          {
            id: "in_transit",
            label: "In transit",
            count: counts?.inTransit,
            content: list("in_transit"),
          },
          {
            id: "to_process",
            label: "To process",
            count: counts?.toProcess,
            content: list("to_process"),
          },
          {
            id: "label",
            label: "Label requests",
            count: counts?.labelsRequested,
            content: list("label"),
          },
          { id: "done", label: "Done", count: counts?.done, content: list("done") },
        ]}
      />
      {openId === undefined ? null : <OpenShipment id={openId} onAct={onAct} />}
      {form === undefined ? null : (
        <ShipmentForms
          form={form}
          onClose={() => setForm(undefined)}
          onDeleted={() => {
            setForm(undefined);
            setParams({ shipment: undefined });
          }}
        />
      )}
    </Page>
  );
}

function OpenShipment({ id, onAct }: { readonly id: string; readonly onAct: OnShipmentAct }) {
  const [, setParams] = useParams();
  return (
    <ShipmentDrawer id={id} known={undefined} onClose={() => setParams({ shipment: undefined })}>
      {({ shipment }) => (
        <>
          <Menu
            label="More"
            variant="secondary"
            items={[
              {
                label:
                  shipment.delivered === "yes" ? "Not delivered after all" : "Mark as delivered",
                onSelect: () => onAct("toggle-delivered", shipment),
              },
              ...menuOf(shipment, onAct),
            ]}
          />
          {shipment.processed === "yes" ? null : (
            <>
              <Button icon={ScanBarcode} onClick={() => onAct("intake", shipment)}>
                Start intake
              </Button>
              <Button variant="primary" onClick={() => onAct("toggle-processed", shipment)}>
                Mark as processed
              </Button>
            </>
          )}
        </>
      )}
    </ShipmentDrawer>
  );
}

type ShipmentListProps = { readonly tab: ShipmentTab | undefined; readonly onAct: OnShipmentAct };

function ShipmentList({ tab, onAct }: ShipmentListProps) {
  const [params, setParams] = useParams();
  const filters: AdminFilters = {
    tab,
    q: params.get("q") ?? undefined,
    consignor: params.get("consignor") ?? undefined,
    showCompleted: params.get("completed") === "yes",
  };
  const sort = sortIn(params, shipmentSort);
  const shipments = useAdminShipments(filters, sort);
  const columns = useMemo(() => shipmentColumns(onAct), [onAct]);
  const isFiltered = filters.q !== undefined || filters.consignor !== undefined;
  const used = [filters.consignor !== undefined, tab === undefined && filters.showCompleted];
  return (
    <div className="flex flex-col gap-3">
      <FilterBar
        main={
          <SearchParamInput
            param="q"
            label="Search shipments"
            placeholder="Consignor, number or contents"
          />
        }
        usedCount={used.filter(Boolean).length}
        canClear={isFiltered || used.includes(true)}
        onClear={() => setParams(noFilters)}
        end={<ExportButton path={adminExportPath(filters)} name="shipments" />}
      >
        <div className="max-sm:col-span-2 sm:w-44">
          <ConsignorParam uid={filters.consignor} onUid={(consignor) => setParams({ consignor })} />
        </div>
        {tab === undefined ? (
          <span className="flex h-(--control) items-center max-sm:col-span-2">
            <Checkbox
              label="Show completed"
              isChecked={filters.showCompleted}
              onChecked={(shown) => setParams({ completed: shown ? "yes" : undefined })}
            />
          </span>
        ) : null}
      </FilterBar>
      <DataTable
        label="Shipments"
        columns={columns}
        rows={shipments.rows}
        rowId={idOf}
        sort={sort}
        opening={{
          onOpen: ({ id }) => setParams({ shipment: id }, { push: true }),
          openId: params.get("shipment") ?? undefined,
        }}
        error={shipments.error}
        errorTitle="The shipments could not be loaded"
        onRetry={shipments.refresh}
        more={shipments}
        countText={
          shipments.rows === undefined || shipments.hasMore
            ? undefined
            : formatQuantity(shipments.rows.length, "shipment")
        }
        empty={
          isFiltered ? (
            <EmptyState
              icon={ShipmentIcon}
              title="No shipments match"
              action={<Button onClick={() => setParams(noFilters)}>Clear</Button>}
            />
          ) : (
            <NothingHere tab={tab} />
          )
        }
      />
    </div>
  );
}

const nothingTexts: Readonly<Record<ShipmentTab | "all", string>> = {
  all: "No open shipments",
  in_transit: "Nothing is in transit",
  to_process: "Nothing to process",
  label: "No label requests",
  done: "No shipments done yet",
};

function NothingHere({ tab = "all" as const }: { readonly tab: ShipmentTab | "all" | undefined }) {
  return (
    <EmptyState icon={ShipmentIcon} title={nothingTexts[tab]}>
      A consignor's shipment appears here as soon as it is submitted.
    </EmptyState>
  );
}
