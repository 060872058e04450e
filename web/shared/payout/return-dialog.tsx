// Marks a paid payout as returned: its transfer failed. It asks for the reason, and shows what becomes of the balance.
import { useState } from "react";
import { returnPayoutRequest } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { RehearsalBox } from "#web/shared/rehearsal/rehearsal-part.tsx";
import { useRehearsal } from "#web/shared/rehearsal/use-rehearsal.ts";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { showToast } from "#web/ui/toast.ts";
import { methodWords } from "./method-words.ts";
import { markReturned, returnCall, type PaidPayout } from "./payout-api.ts";

type ReturnDialogProps = {
  readonly payout: PaidPayout;
  readonly onClose: () => void;
};

/** The effect does not depend on the reason, so it is shown before one is typed. */
const anyReason = { reason: "None yet" };

const ALREADY = "payout_already_returned";

export function ReturnDialog({ payout, onClose }: ReturnDialogProps) {
  const [reason, setReason] = useState("");
  const submission = useSubmission(markReturned);
  const rehearsal = useRehearsal(returnCall(payout, anyReason));
  const title = `Mark payout of ${formatMoney(toCents(payout.amount))} to ${payout.displayName} as returned`;
  const { isConsignorDeleted } = payout;
  const isOver =
    (rehearsal.kind === "refused" && rehearsal.code === ALREADY) ||
    submission.error?.code === ALREADY;
  const whose = isConsignorDeleted
    ? "The consignor was deleted, so the store keeps the amount: it is booked to the store's adjustments."
    : "The amount is available again.";

  async function save(): Promise<void> {
    const body = { reason: reason.trim() };
    const answer = await submission.submit(errorsIn(returnPayoutRequest, body), { payout, body });
    if (answer !== undefined) {
      showToast(answer.message);
      onClose();
    }
  }

  return (
    <FormDialog
      title={title}
      description={`For a transfer by ${methodWords[payout.method]} that failed after it was marked as paid. ${whose} Total payouts fall by it. This cannot be undone.`}
      isDirty={reason.trim() !== ""}
      submission={submission}
      errorPrefix="Error marking as returned"
      saveLabel="Mark as returned"
      overText={
        isOver
          ? "This payout was marked as returned in the meantime, so nothing is left to do."
          : undefined
      }
      onClose={onClose}
      onSubmit={() => void save()}
    >
      <TextField
        label="Reason"
        takesNoScans
        help={isConsignorDeleted ? undefined : "The consignor reads it"}
        error={submission.errors["reason"]}
        value={reason}
        onValue={(text) => {
          setReason(text);
          submission.clear();
        }}
        into={returnPayoutRequest.shape.reason}
      />
      <RehearsalBox rehearsal={rehearsal} rows={1} />
    </FormDialog>
  );
}
