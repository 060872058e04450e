// What a person sent to the store, the newest first.
import { Link } from "react-router-dom";
import { paths } from "#web/paths.ts";
import { useShipments } from "#web/shared/shipment/shipment-api.ts";
import { ShipmentChip } from "#web/shared/shipment/shipment-chip.tsx";
import { countsOf } from "#web/shared/shipment/shipment-words.ts";
import { Tracking } from "#web/shared/shipment/tracking.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { ShipmentIcon } from "#web/ui/thing-icons.ts";
import { DrawerLines } from "./drawer-lines.tsx";

export function DrawerShipments({ uid }: { readonly uid: string }) {
  const shipments = useShipments(uid);
  return (
    <DrawerLines
      label="Shipments"
      read={shipments}
      rowId={(shipment) => shipment.id}
      empty={{ icon: ShipmentIcon, title: "No shipments yet" }}
      whole={{
        to: `${paths.adminShipments}?consignor=${uid}&completed=yes`,
        label: "Open the shipments",
      }}
    >
      {(shipment) => (
        <span className="flex flex-col gap-0.5">
          <span className="flex items-baseline justify-between gap-4">
            <Link
              to={`${paths.adminShipments}?consignor=${uid}&completed=yes&shipment=${shipment.id}`}
              className="font-mono text-accent hover:underline"
            >
              {shipment.shortId}
            </Link>
            <ShipmentChip shipment={shipment} />
          </span>
          <span className="flex flex-wrap items-baseline justify-between gap-x-4 text-12 text-muted">
            <DateTime at={shipment.timestamp} />
            <span>{countsOf(shipment)}</span>
          </span>
          <span className="text-12">
            <Tracking shipment={shipment} />
          </span>
        </span>
      )}
    </DrawerLines>
  );
}
