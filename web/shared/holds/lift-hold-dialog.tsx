// Lifts a payout hold although its rows are not right yet: an admin's decision, with a reason.
import { useState } from "react";
import { liftHoldRequest, type PayoutHold } from "#features/holds/contract.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { showToast } from "#web/ui/toast.ts";
import { liftHold } from "./holds-api.ts";

type LiftHoldDialogProps = { readonly hold: PayoutHold; readonly onClose: () => void };

export function LiftHoldDialog({ hold, onClose }: LiftHoldDialogProps) {
  const [reason, setReason] = useState("");
  const submission = useSubmission(liftHold);

  async function lift(): Promise<void> {
    const { consignorID, reference } = hold;
    const body = { consignorID, reference, reason: reason.trim() };
    const answer = await submission.submit(errorsIn(liftHoldRequest, body), body);
    if (answer !== undefined) {
      showToast(answer.message);
      onClose();
    }
  }

  return (
    <FormDialog
      title="Lift payout hold"
      description={`${hold.description}. Payouts can be requested again although this is not repaired, and the same fault does not hold them again. Compare the balance with the ledger first.`}
      isDirty={reason.trim() !== ""}
      submission={submission}
      errorPrefix="The hold was not lifted"
      saveLabel="Lift hold"
      busyLabel="Lifting..."
      onClose={onClose}
      onSubmit={() => void lift()}
    >
      <Field
        label="Reason"
        help="Kept in the ledger with your name"
        typed={{ text: reason, into: liftHoldRequest.shape.reason }}
        error={submission.errors["reason"]}
      >
        {(control) => (
          <TextArea
            {...control}
            value={reason}
            onValue={(value) => {
              setReason(value);
              submission.clear();
            }}
          />
        )}
      </Field>
    </FormDialog>
  );
}
