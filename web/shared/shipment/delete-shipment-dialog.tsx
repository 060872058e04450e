// Asks for confirmation before a shipment is deleted.
import type { ShipmentView } from "#features/shipments/contract.ts";
import { useAction } from "#web/lib/action.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { showToast } from "#web/ui/toast.ts";
import { deleteShipment, type Whose } from "./shipment-api.ts";

type DeleteShipmentDialogProps = {
  readonly shipment: ShipmentView;
  readonly whose: Whose;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
};

export function DeleteShipmentDialog(props: DeleteShipmentDialogProps) {
  const { shipment, whose, onDeleted, onClose } = props;
  const { id, shortId, carrierName, trackingNumber, label, intakeUnits } = shipment;
  const action = useAction(deleteShipment);
  async function remove(): Promise<void> {
    if ((await action.run({ whose, id })) !== undefined) {
      showToast(`Shipment ${shortId} deleted`);
      onDeleted();
    }
  }
  const parcel =
    trackingNumber === null ? "" : ` (${[carrierName, trackingNumber].filter(Boolean).join(" ")})`;
  return (
    <ConfirmDialog
      title={`Delete shipment ${shortId}?`}
      act="Delete shipment"
      busyAct="Deleting..."
      keep="Keep shipment"
      isBusy={action.isBusy}
      error={
        action.error === undefined ? undefined : `Error deleting shipment: ${action.error.message}`
      }
      onAct={() => void remove()}
      onKeep={onClose}
    >
      {`The shipment${parcel} leaves all lists${label === "ready" ? ", and its prepaid label can no longer be downloaded" : ""}.${intakeUnits > 0 ? " Items that came out of it stay." : ""} This cannot be undone.`}
    </ConfirmDialog>
  );
}
