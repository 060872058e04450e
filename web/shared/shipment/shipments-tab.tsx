// The Shipments tab of the sales history.
import {
  shipmentSort,
  type ShipmentSort,
  type ShippedShipment,
} from "#features/shipments/contract.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { sortIn } from "#web/lib/list-sort.ts";
import { useParams } from "#web/lib/search-param.ts";
import { Button } from "#web/ui/button.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { FreshnessLine, HeldNotice } from "#web/ui/freshness-line.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { ShipmentIcon } from "#web/ui/thing-icons.ts";
import { Unknown } from "#web/ui/unknown.tsx";
import { shipmentExportPath, useShippedShipments } from "./shipment-api.ts";
import { ShipmentChip } from "./shipment-chip.tsx";
import { countsOf } from "./shipment-words.ts";
import { Tracking } from "./tracking.tsx";

const columns: readonly Column<ShippedShipment, ShipmentSort>[] = [
  {
    id: "date",
    header: "Shipped",
    cell: (shipment) => <DateTime at={shipment.shippedDate} />,
    sortAs: "date",
    card: "line",
  },
  {
    id: "shipment",
    header: "Shipment",
    cell: (shipment) => <span className="font-mono">{shipment.shortId}</span>,
    card: "title",
  },
  {
    id: "tracking",
    header: "Tracking",
    cell: (shipment) => <Tracking shipment={shipment} />,
    sortAs: "carrier",
    card: "line",
  },
  {
    id: "status",
    header: "Status",
    cell: (shipment) => <ShipmentChip shipment={shipment} />,
    sortAs: "status",
    card: "chip",
  },
  {
    id: "units",
    header: "Units",
    cell: (shipment) => countsOf(shipment) ?? <Unknown reason="not counted" />,
    sortAs: "units",
    align: "end",
    card: "end-line",
  },
];

const idOf = (shipment: ShippedShipment): string => shipment.id;

type ShipmentsTabProps = {
  readonly uid: string;
  /** False if an admin looks at another person's. */
  readonly isOwn?: boolean;
};

export function ShipmentsTab({ uid, isOwn = true }: ShipmentsTabProps) {
  const [params, setParams] = useParams();
  const q = params.get("q") ?? undefined;
  const sort = sortIn(params, shipmentSort);
  const shipments = useShippedShipments(uid, { q, sort });
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-2 no-print">
        <SearchParamInput
          param="q"
          label="Search shipments"
          placeholder="Number, carrier or contents"
          className="grow sm:max-w-80"
        />
        <span className="ms-auto">
          <ExportButton path={shipmentExportPath(uid, q)} name="shipments" />
        </span>
      </div>
      <HeldNotice freshness={shipments.freshness} />
      <DataTable
        label="Shipments"
        columns={columns}
        rows={shipments.rows}
        rowId={idOf}
        sort={sort}
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
          q === undefined ? (
            <EmptyState icon={ShipmentIcon} title="No shipments yet">
              {isOwn
                ? "Submit a shipment on the dashboard when you send goods."
                : "The consignor's shipments appear here with their status."}
            </EmptyState>
          ) : (
            <EmptyState
              icon={ShipmentIcon}
              title="No shipments match"
              action={<Button onClick={() => setParams({ q: undefined })}>Clear</Button>}
            />
          )
        }
      />
      <FreshnessLine freshness={shipments.freshness} isBelow />
    </div>
  );
}
