// Marks a shipment as processed, with what was received and what was refused. The consignor reads both.
import { useState } from "react";
import { shipmentStatusRequest, type ShipmentView } from "#features/shipments/contract.ts";
import { parseWhole } from "#web/lib/amount.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { useShipment } from "#web/shared/shipment/shipment-api.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { showToast } from "#web/ui/toast.ts";
import { markShipment } from "./admin-shipments-api.ts";

type Draft = { readonly received: string; readonly refused: string; readonly reason: string };

/** Prefers the units taken in to those declared. */
function startOf({
  receivedUnits,
  intakeUnits,
  declaredUnits,
  refusedUnits,
  reason,
}: ShipmentView) {
  const received = receivedUnits ?? (intakeUnits > 0 ? intakeUnits : declaredUnits);
  return {
    received: received === null ? "" : String(received),
    refused: refusedUnits === 0 ? "" : String(refusedUnits),
    reason: reason ?? "",
  };
}

function wrongIn({ received, refused, reason }: Draft): FieldErrors {
  const isCount = (text: string) => text.trim() === "" || parseWhole(text) !== undefined;
  const refusedUnits = parseWhole(refused) ?? 0;
  return {
    ...(isCount(received) ? {} : { receivedUnits: "Enter a whole number, or leave it blank" }),
    ...(isCount(refused) ? {} : { refusedUnits: "Enter a whole number, or leave it blank" }),
    ...(refusedUnits > 0 && reason.trim() === "" ? { reason: "Say why units are refused" } : {}),
  };
}

function knownOf({ declaredUnits, intakeUnits }: ShipmentView): string {
  const declared =
    declaredUnits === null
      ? "Nothing declared"
      : `${formatQuantity(declaredUnits, "unit")} declared`;
  return `${declared}, ${formatQuantity(intakeUnits, "unit")} taken in.`;
}

type ProcessDialogProps = { readonly shipment: ShipmentView; readonly onClose: () => void };

export function ProcessDialog({ shipment: listed, onClose }: ProcessDialogProps) {
  // The list may be older than the last intake.
  const shipment = useShipment(listed.id, undefined).data?.shipment ?? listed;
  const [typed, setTyped] = useState<Partial<Draft>>({});
  const draft: Draft = { ...startOf(shipment), ...typed };
  const submission = useSubmission(markShipment);
  const { errors } = submission;
  const refusedUnits = parseWhole(draft.refused) ?? 0;

  function change(changes: Partial<Draft>): void {
    setTyped((last) => ({ ...last, ...changes }));
    submission.clear();
  }

  async function save(): Promise<void> {
    const done = await submission.submit(wrongIn(draft), {
      id: shipment.id,
      body: {
        delivered: "yes",
        processed: "yes",
        receivedUnits: parseWhole(draft.received) ?? null,
        refusedUnits,
        ...(refusedUnits > 0 ? { reason: draft.reason } : {}),
      },
    });
    if (done !== undefined) {
      showToast(`Shipment ${shipment.shortId} processed`);
      onClose();
    }
  }

  return (
    <FormDialog
      title={`Process shipment ${shipment.shortId}`}
      description={`${shipment.displayName}. ${knownOf(shipment)}`}
      isDirty={Object.keys(typed).length > 0}
      submission={submission}
      errorPrefix="Error updating shipment"
      saveLabel="Mark as processed"
      onClose={onClose}
      onSubmit={() => void save()}
    >
      <div className="grid grid-cols-2 gap-4">
        <Field label="Received units" isOptional error={errors["receivedUnits"]}>
          {(control) => (
            <NumberInput
              {...control}
              value={draft.received}
              onValue={(received) => change({ received })}
            />
          )}
        </Field>
        <Field label="Refused units" isOptional error={errors["refusedUnits"]}>
          {(control) => (
            <NumberInput
              {...control}
              value={draft.refused}
              onValue={(refused) => change({ refused })}
            />
          )}
        </Field>
      </div>
      {refusedUnits > 0 ? (
        <TextField
          label="Reason"
          error={errors["reason"]}
          help="The consignor reads it"
          value={draft.reason}
          onValue={(reason) => change({ reason })}
          into={shipmentStatusRequest.shape.reason}
        />
      ) : null}
    </FormDialog>
  );
}
