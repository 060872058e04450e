// The columns of /admin-shipments, with the two flags an admin sets.
import { ScanBarcode, Upload } from "lucide-react";
import type { ShipmentSort, ShipmentView } from "#features/shipments/contract.ts";
import { countsOf, isLocked } from "#web/shared/shipment/shipment-words.ts";
import { Tracking } from "#web/shared/shipment/tracking.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Chip } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Menu, type MenuItem } from "#web/ui/menu.tsx";
import { useIsPhone } from "#web/lib/use-media.ts";
import { Unknown } from "#web/ui/unknown.tsx";

export type ShipmentAct =
  | "toggle-delivered"
  | "toggle-processed"
  | "intake"
  | "label"
  | "assign"
  | "edit"
  | "delete";

export type OnShipmentAct = (act: ShipmentAct, shipment: ShipmentView) => void;

/** Keep `onAct` stable: the rows are drawn again when the columns change. */
export function shipmentColumns(
  onAct: OnShipmentAct,
): readonly Column<ShipmentView, ShipmentSort>[] {
  return [
    {
      id: "consignor",
      header: "Consignor",
      card: "title",
      isTruncated: true,
      width: "min-w-36 w-[15%]",
      sortAs: "consignor",
      cell: (shipment) => <span className="font-medium">{shipment.displayName}</span>,
    },
    {
      id: "shipment",
      header: "Shipment",
      card: "line",
      cell: (shipment) => <span className="font-mono">{shipment.shortId}</span>,
    },
    {
      id: "tracking",
      header: "Tracking",
      card: "chip",
      sortAs: "carrier",
      isTruncated: true,
      width: "min-w-36 w-[27%]",
      cell: (shipment) =>
        isWaitingForLabel(shipment) ? (
          <Chip kind="pending">Waiting for label</Chip>
        ) : (
          <span className="in-data-cards:hidden">
            <Tracking shipment={shipment} />
          </span>
        ),
    },
    {
      id: "units",
      header: "Units",
      card: "none",
      align: "end",
      sortAs: "units",
      shownFrom: "77rem",
      cell: (shipment) => (
        <span className="whitespace-nowrap">
          {countsOf(shipment) ?? <Unknown reason="not counted" />}
        </span>
      ),
    },
    {
      id: "date",
      header: "Submitted",
      card: "line",
      sortAs: "date",
      cell: (shipment) => <DateTime at={shipment.timestamp} />,
    },
    {
      id: "flags",
      header: "Status",
      card: "foot",
      sortAs: "status",
      cell: (shipment) => <Flags shipment={shipment} onAct={onAct} />,
    },
    {
      id: "actions",
      header: "Actions",
      isHeaderHidden: true,
      card: "actions",
      align: "end",
      cell: (shipment) => <RowActs shipment={shipment} onAct={onAct} />,
    },
  ];
}

function isWaitingForLabel(shipment: ShipmentView): boolean {
  return shipment.label === "requested" && !isLocked(shipment);
}

type RowProps = { readonly shipment: ShipmentView; readonly onAct: OnShipmentAct };

function Flags({ shipment, onAct }: RowProps) {
  return (
    <span className="flex items-center gap-x-4">
      <Checkbox
        label="Delivered"
        isChecked={shipment.delivered === "yes"}
        onChecked={() => onAct("toggle-delivered", shipment)}
      />
      <Checkbox
        label="Processed"
        isChecked={shipment.processed === "yes"}
        onChecked={() => onAct("toggle-processed", shipment)}
      />
    </span>
  );
}

/** The other actions on a shipment. */
export function menuOf(shipment: ShipmentView, onAct: OnShipmentAct): readonly MenuItem[] {
  const locked = isLocked(shipment);
  const label = shipment.label === "ready" ? "Replace label" : "Upload label";
  return [
    ...(shipment.label === "none"
      ? []
      : [{ label, isDisabled: locked, onSelect: () => onAct("label", shipment) }]),
    ...(shipment.processed === "yes"
      ? [
          { label: "Not processed after all", onSelect: () => onAct("toggle-processed", shipment) },
          { label: "Start intake", onSelect: () => onAct("intake", shipment) },
        ]
      : []),
    ...(shipment.consignorID === null
      ? [{ label: "Assign sender", onSelect: () => onAct("assign", shipment) }]
      : []),
    { label: "Edit", isDisabled: locked, onSelect: () => onAct("edit", shipment) },
    { label: "Delete", isDanger: true, onSelect: () => onAct("delete", shipment) },
  ];
}

/** Nothing for a shipment that was processed: its intake is done, and can be started again from the menu. */
function MainAct({ shipment, onAct }: RowProps) {
  const isPhone = useIsPhone();
  if (shipment.processed === "yes") {
    return null;
  }
  const [act, icon, words, label] = isWaitingForLabel(shipment)
    ? (["label", Upload, "Upload label", `Upload label for ${shipment.shortId}`] as const)
    : (["intake", ScanBarcode, "Start intake", `Start intake of ${shipment.shortId}`] as const);
  return isPhone ? (
    <IconButton icon={icon} label={label} onClick={() => onAct(act, shipment)} />
  ) : (
    <Button variant="quiet" icon={icon} aria-label={label} onClick={() => onAct(act, shipment)}>
      {words}
    </Button>
  );
}

function RowActs({ shipment, onAct }: RowProps) {
  return (
    <span className="-my-1 flex items-center justify-end gap-1">
      <MainAct shipment={shipment} onAct={onAct} />
      <Menu label={`More for ${shipment.shortId}`} items={menuOf(shipment, onAct)} />
    </span>
  );
}
