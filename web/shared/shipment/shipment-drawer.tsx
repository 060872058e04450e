// A drawer with one shipment: its progress, contents, items and history.
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import type {
  ShipmentChange,
  ShipmentDetailResponse,
  ShipmentItem,
  ShipmentView,
} from "#features/shipments/contract.ts";
import { useAction } from "#web/lib/action.ts";
import { asApiError } from "#web/lib/api-error.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { ConsignorLink } from "#web/shared/consignor/consignor-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { Drawer } from "#web/ui/drawer.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { showErrorToast } from "#web/ui/toast.ts";
import { Unknown } from "#web/ui/unknown.tsx";
import { downloadLabel, useShipment } from "./shipment-api.ts";
import { ShipmentSteps } from "./shipment-steps.tsx";
import { lockReason } from "./shipment-words.ts";
import { Tracking } from "./tracking.tsx";

type ShipmentDrawerProps = {
  readonly id: string;
  /** The owner; admins can leave it out. */
  readonly uid?: string;
  /** The list's row, if it is loaded. */
  readonly known: ShipmentView | undefined;
  /** The buttons in the footer. */
  readonly children: (detail: Pick<ShipmentDetailResponse, "shipment" | "shipTo">) => ReactNode;
  readonly onClose: () => void;
  readonly onPrevious?: (() => void) | undefined;
  readonly onNext?: (() => void) | undefined;
};

export function ShipmentDrawer(props: ShipmentDrawerProps) {
  const { id, uid, known, children, onClose, onPrevious, onNext } = props;
  const { data, error, freshness, refresh } = useShipment(id, uid);
  const shipment = data?.shipment ?? known;
  return (
    <Drawer
      title={shipment === undefined ? "Shipment" : `Shipment ${shipment.shortId}`}
      subtitle={shipment === undefined || uid !== undefined ? undefined : <Sender {...shipment} />}
      freshness={freshness}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      footer={data === undefined ? undefined : children(data)}
    >
      {shipment === undefined ? (
        error === undefined ? (
          <Skeleton className="h-64" />
        ) : (
          <ErrorState
            title="The shipment could not be loaded"
            thing="shipment"
            error={error}
            onRetry={refresh}
          />
        )
      ) : (
        <div className="flex flex-col gap-6">
          <ShipmentSteps shipment={shipment} />
          <LockNote shipment={shipment} isOwn={uid !== undefined} />
          <Facts shipment={shipment} />
          <LabelLine shipment={shipment} />
          <Items items={data?.items} shipment={shipment} />
          <Changes changes={data?.changes} />
        </div>
      )}
    </Drawer>
  );
}

function LockNote({
  shipment,
  isOwn,
}: {
  readonly shipment: ShipmentView;
  readonly isOwn: boolean;
}) {
  const reason = lockReason(shipment);
  return isOwn && reason !== undefined ? <p className="text-muted">{`${reason}.`}</p> : null;
}

function Facts({ shipment }: { readonly shipment: ShipmentView }) {
  const { contents, declaredUnits, receivedUnits, refusedUnits, reason, processed } = shipment;
  return (
    <FactList
      facts={[
        { label: "Tracking", value: <Tracking shipment={shipment} canCopy /> },
        ...(shipment.box === null
          ? []
          : [{ label: "Box", value: `${shipment.box.nth} of ${shipment.box.of}` }]),
        { label: "Submitted", value: <DateTime at={shipment.timestamp} /> },
        { label: "Contents", value: contents ?? <Unknown reason="not stated" /> },
        {
          label: "Declared",
          value:
            declaredUnits === null ? (
              <Unknown reason="not counted" />
            ) : (
              formatQuantity(declaredUnits, "unit")
            ),
        },
        ...(processed === "no"
          ? []
          : [
              {
                label: "Received",
                value:
                  receivedUnits === null ? (
                    <Unknown reason="not counted" />
                  ) : (
                    formatQuantity(receivedUnits, "unit")
                  ),
              },
            ]),
        ...(refusedUnits === 0
          ? []
          : [
              {
                label: "Refused",
                value: `${formatQuantity(refusedUnits, "unit")}${reason === null ? "" : `: ${reason}`}`,
              },
            ]),
      ]}
    />
  );
}

function LabelLine({ shipment }: { readonly shipment: ShipmentView }) {
  const action = useAction(async (of: ShipmentView) => {
    try {
      await downloadLabel(of);
    } catch (error) {
      showErrorToast(`Error downloading label: ${asApiError(error).message}`);
    }
  });
  if (shipment.label === "none") {
    return null;
  }
  return shipment.label === "requested" ? (
    <p className="text-muted">The store was asked for a prepaid label.</p>
  ) : (
    <div>
      <Button
        icon={Download}
        isBusy={action.isBusy}
        busyLabel="Downloading..."
        onClick={() => void action.run(shipment)}
      >
        Download prepaid label
      </Button>
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </section>
  );
}

type ItemsProps = {
  readonly items: readonly ShipmentItem[] | undefined;
  readonly shipment: ShipmentView;
};

function Items({ items, shipment }: ItemsProps) {
  if (items === undefined || items.length === 0) {
    return shipment.processed === "no" && shipment.delivered === "no" ? null : (
      <Part title="Items">
        {items === undefined ? (
          <Skeleton className="h-10" />
        ) : (
          <p className="text-muted">Nothing was taken in from this shipment yet.</p>
        )}
      </Part>
    );
  }
  return (
    <Part title={`Items, ${formatQuantity(shipment.intakeUnits, "unit")}`}>
      <ul className="divide-y divide-border rounded-card border border-border">
        {items.map((item) => (
          <li key={item.itemId} className="flex items-baseline justify-between gap-4 px-4 py-2">
            <span className="min-w-0 wrap-anywhere">
              {item.itemName}
              <span className="ms-2 font-mono text-12 text-muted">{item.barcode1}</span>
            </span>
            <span className="tabular-nums">{formatCount(item.units)}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Changes({ changes }: { readonly changes: readonly ShipmentChange[] | undefined }) {
  return (
    <Part title="History">
      {changes === undefined ? (
        <Skeleton className="h-24" />
      ) : (
        <ul className="flex flex-col gap-2">
          {changes.map((change) => (
            <li key={change.position} className="flex flex-col">
              <span className="wrap-anywhere">{withIsolatedNames(change.description)}</span>
              <span className="text-12 text-muted">
                <DateTime at={change.happenedAt} />
                {` by ${change.actor ?? (change.by === "store" ? "the store" : "you")}`}
              </span>
              {change.note === null ? null : (
                <span className="text-12 wrap-anywhere text-muted">{change.note}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

/** For admins; an unknown sender has no account. */
function Sender({ consignorID, displayName }: Pick<ShipmentView, "consignorID" | "displayName">) {
  return consignorID === null ? (
    displayName
  ) : (
    <ConsignorLink uid={consignorID} name={displayName} />
  );
}
