// Says who sent a shipment that was entered without a sender. It cannot be changed afterwards.
import { useState } from "react";
import type { ShipmentView } from "#features/shipments/contract.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { ConsignorField } from "#web/shared/consignor/consignor-field.tsx";
import { pickError, pickOf } from "#web/shared/consignor/consignor-pick.ts";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { showToast } from "#web/ui/toast.ts";
import { assignShipment } from "./admin-shipments-api.ts";

type AssignSenderFormProps = { readonly shipment: ShipmentView; readonly onClose: () => void };

const noPick = pickOf(undefined);

export function AssignSenderForm({ shipment, onClose }: AssignSenderFormProps) {
  const [pick, setPick] = useState(noPick);
  const submission = useSubmission(assignShipment);

  async function save(): Promise<void> {
    const error = pickError(pick, "Please select a consignor");
    const body = { id: shipment.id, consignorID: pick.chosen?.uid ?? "" };
    const wrong = error === undefined ? {} : { consignorID: error };
    if ((await submission.submit(wrong, body)) !== undefined) {
      showToast(`Shipment ${shipment.shortId} assigned to ${pick.chosen?.label ?? "its sender"}`);
      onClose();
    }
  }

  return (
    <FormDialog
      title="Assign sender"
      description={`Shipment ${shipment.shortId}`}
      isDirty={pick !== noPick}
      submission={submission}
      errorPrefix="Error assigning shipment"
      saveLabel="Assign sender"
      onClose={onClose}
      onSubmit={() => void save()}
    >
      <ConsignorField
        pick={pick}
        onPick={(next) => {
          setPick(next);
          submission.clear();
        }}
        error={submission.errors["consignorID"]}
      />
      <p className="text-muted">
        The shipment then appears in this consignor&apos;s list, for good. Goods that were taken in
        already stay in the master inventory: allocate them there.
      </p>
    </FormDialog>
  );
}
