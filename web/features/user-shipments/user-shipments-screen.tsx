// /user-shipments: a consignor's shipments and their progress, the address to send to, and the packing slip.
import { Pencil, Printer, Trash2 } from "lucide-react";
import { useState } from "react";
import {
  shipmentSort,
  type ShipmentSort,
  type ShipmentView,
  type ShipTo,
} from "#features/shipments/contract.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import type { PagedRead } from "#web/lib/read.ts";
import { sortIn } from "#web/lib/list-sort.ts";
import { useParams } from "#web/lib/search-param.ts";
import { AdminButton } from "#web/shared/account/admin-button.tsx";
import { useProfile } from "#web/shared/account/session.tsx";
import { shipmentExportPath, useShipments } from "#web/shared/shipment/shipment-api.ts";
import { ShipmentDrawer } from "#web/shared/shipment/shipment-drawer.tsx";
import { ShipmentSteps } from "#web/shared/shipment/shipment-steps.tsx";
import { isLocked } from "#web/shared/shipment/shipment-words.ts";
import { ShipToCard } from "#web/shared/shipment/ship-to-card.tsx";
import { Tracking } from "#web/shared/shipment/tracking.tsx";
import { Button } from "#web/ui/button.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Page } from "#web/ui/page.tsx";
import { SearchParamInput } from "#web/ui/search-param-input.tsx";
import { ShipmentIcon } from "#web/ui/thing-icons.ts";

const ShipmentForm = onDemand(() =>
  import("#web/shared/shipment/shipment-form.tsx").then((file) => file.ShipmentForm),
);
const DeleteShipmentDialog = onDemand(() =>
  import("#web/shared/shipment/delete-shipment-dialog.tsx").then(
    (file) => file.DeleteShipmentDialog,
  ),
);
const PackingSlip = onDemand(() =>
  import("#web/shared/shipment/packing-slip.tsx").then((file) => file.PackingSlip),
);

type Open =
  | { readonly kind: "submit" }
  | { readonly kind: "edit" | "delete"; readonly shipment: ShipmentView }
  | { readonly kind: "slip"; readonly shipment: ShipmentView; readonly shipTo: ShipTo };

const columns: readonly Column<ShipmentView, ShipmentSort>[] = [
  {
    id: "shipment",
    header: "Shipment",
    card: "title",
    cell: (shipment) => <span className="font-mono font-medium">{shipment.shortId}</span>,
  },
  {
    id: "date",
    header: "Submitted",
    card: "line",
    sortAs: "date",
    cell: (shipment) => <DateTime at={shipment.timestamp} />,
  },
  {
    id: "tracking",
    header: "Tracking",
    card: "line",
    sortAs: "carrier",
    width: "min-w-52 w-[36%]",
    cell: (shipment) => <Tracking shipment={shipment} />,
  },
  {
    id: "progress",
    header: "Progress",
    card: "foot",
    sortAs: "status",
    width: "w-84",
    cell: (shipment) => (
      <span className="block py-1">
        <ShipmentSteps shipment={shipment} />
      </span>
    ),
  },
];

const idOf = (shipment: ShipmentView): string => shipment.id;

export function UserShipmentsScreen() {
  const { uid } = useProfile();
  const [params, setParams] = useParams();
  const q = params.get("q") ?? undefined;
  const sort = sortIn(params, shipmentSort);
  const shipments = useShipments(uid, { q, sort });
  const [open, setOpen] = useState<Open>();
  const openId = params.get("shipment") ?? undefined;
  const openIndex = shipments.rows?.findIndex(({ id }) => id === openId) ?? -1;
  const openRow = (id: string | undefined, push: boolean) => setParams({ shipment: id }, { push });
  const neighbor = (step: number) => {
    const row = openIndex === -1 ? undefined : shipments.rows?.[openIndex + step];
    return row === undefined ? undefined : () => openRow(row.id, false);
  };
  return (
    <Page
      title="Shipments"
      subtitle={<FreshnessLine freshness={shipments.freshness} />}
      actions={
        <>
          <AdminButton />
          <Button
            variant="primary"
            icon={ShipmentIcon}
            onPointerEnter={ShipmentForm.preload}
            onFocus={ShipmentForm.preload}
            onClick={() => setOpen({ kind: "submit" })}
          >
            Submit Shipment
          </Button>
        </>
      }
    >
      {shipments.pages === undefined && shipments.error !== undefined ? null : (
        <ShipToCard shipTo={shipments.pages?.[0]?.shipTo} />
      )}
      <OwnList uid={uid} shipments={shipments} onSubmit={() => setOpen({ kind: "submit" })} />
      {openId === undefined ? null : (
        <ShipmentDrawer
          id={openId}
          uid={uid}
          known={shipments.rows?.[openIndex]}
          onClose={() => openRow(undefined, false)}
          onPrevious={neighbor(-1)}
          onNext={neighbor(1)}
        >
          {({ shipment, shipTo }) => (
            <OwnActs shipment={shipment} shipTo={shipTo} onOpen={setOpen} />
          )}
        </ShipmentDrawer>
      )}
      <OpenForm
        open={open}
        uid={uid}
        onClose={() => setOpen(undefined)}
        onDeleted={() => {
          setOpen(undefined);
          openRow(undefined, false);
        }}
      />
    </Page>
  );
}

type OwnListProps = {
  readonly uid: string;
  readonly shipments: PagedRead<ShipmentView>;
  readonly onSubmit: () => void;
};

function OwnList({ uid, shipments, onSubmit }: OwnListProps) {
  const [params, setParams] = useParams();
  const q = params.get("q") ?? undefined;
  const sort = sortIn(params, shipmentSort);
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <SearchParamInput
          param="q"
          label="Search shipments"
          placeholder="Number, carrier or contents"
          className="grow sm:max-w-80"
        />
        <ExportButton path={shipmentExportPath(uid, q)} name="shipments" />
      </div>
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
          <NoShipments
            isSearched={q !== undefined}
            onClear={() => setParams({ q: undefined })}
            onSubmit={onSubmit}
          />
        }
      />
    </>
  );
}

type NoShipmentsProps = {
  readonly isSearched: boolean;
  readonly onClear: () => void;
  readonly onSubmit: () => void;
};

function NoShipments({ isSearched, onClear, onSubmit }: NoShipmentsProps) {
  return isSearched ? (
    <EmptyState
      icon={ShipmentIcon}
      title="No shipments match"
      action={<Button onClick={onClear}>Clear</Button>}
    />
  ) : (
    <EmptyState
      icon={ShipmentIcon}
      title="No shipments yet"
      action={<Button onClick={onSubmit}>Submit Shipment</Button>}
    >
      Tell the store what you are sending, and follow it here.
    </EmptyState>
  );
}

type OwnActsProps = {
  readonly shipment: ShipmentView;
  readonly shipTo: ShipTo | null;
  readonly onOpen: (open: Open) => void;
};

/** Edit and delete are disabled for a locked shipment; the drawer says why. */
function OwnActs({ shipment, shipTo, onOpen }: OwnActsProps) {
  const locked = isLocked(shipment);
  return (
    <>
      <Button icon={Trash2} disabled={locked} onClick={() => onOpen({ kind: "delete", shipment })}>
        Delete
      </Button>
      {shipTo === null ? null : (
        <Button icon={Printer} onClick={() => onOpen({ kind: "slip", shipment, shipTo })}>
          Print slip
        </Button>
      )}
      <Button
        icon={Pencil}
        variant="primary"
        disabled={locked}
        onClick={() => onOpen({ kind: "edit", shipment })}
      >
        Edit
      </Button>
    </>
  );
}

type OpenFormProps = {
  readonly open: Open | undefined;
  readonly uid: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
};

function OpenForm({ open, uid, onClose, onDeleted }: OpenFormProps) {
  const whose = { uid };
  if (open === undefined) {
    return null;
  }
  switch (open.kind) {
    case "submit": {
      return <ShipmentForm whose={whose} onClose={onClose} />;
    }
    case "edit": {
      return <ShipmentForm whose={whose} shipment={open.shipment} onClose={onClose} />;
    }
    case "delete": {
      return (
        <DeleteShipmentDialog
          whose={whose}
          shipment={open.shipment}
          onDeleted={onDeleted}
          onClose={onClose}
        />
      );
    }
    default: {
      return <PackingSlip shipment={open.shipment} shipTo={open.shipTo} onClose={onClose} />;
    }
  }
}
