// The dialogs of /admin-shipments, loaded together when the first one is needed.
import type { ShipmentView } from "#features/shipments/contract.ts";
import { MassInputForm } from "#web/shared/intake/mass-input-form.tsx";
import { DeleteShipmentDialog } from "#web/shared/shipment/delete-shipment-dialog.tsx";
import { ShipmentForm } from "#web/shared/shipment/shipment-form.tsx";
import { AssignSenderForm } from "./assign-sender-form.tsx";
import { EnterShipmentForm } from "./enter-shipment-form.tsx";
import { LabelUploadDialog } from "./label-upload-dialog.tsx";
import { ProcessDialog } from "./process-dialog.tsx";

export type OpenShipmentForm =
  | { readonly kind: "enter" }
  | {
      readonly kind: "intake" | "label" | "process" | "assign" | "edit" | "delete";
      readonly shipment: ShipmentView;
    };

type ShipmentFormsProps = {
  readonly form: OpenShipmentForm;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
};

export function ShipmentForms({ form, onDeleted, onClose }: ShipmentFormsProps) {
  switch (form.kind) {
    case "enter": {
      return <EnterShipmentForm onClose={onClose} />;
    }
    case "intake": {
      return <MassInputForm shipment={form.shipment} onClose={onClose} />;
    }
    case "label": {
      return <LabelUploadDialog shipment={form.shipment} onClose={onClose} />;
    }
    case "process": {
      return <ProcessDialog shipment={form.shipment} onClose={onClose} />;
    }
    case "assign": {
      return <AssignSenderForm shipment={form.shipment} onClose={onClose} />;
    }
    case "edit": {
      return <ShipmentForm whose="admin" shipment={form.shipment} onClose={onClose} />;
    }
    default: {
      return (
        <DeleteShipmentDialog
          whose="admin"
          shipment={form.shipment}
          onDeleted={onDeleted}
          onClose={onClose}
        />
      );
    }
  }
}
