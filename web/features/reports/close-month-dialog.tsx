// Closes a month, after showing the totals that it will keep.
import { useState } from "react";
import type { CloseMonthRequest } from "#features/months/contract-months.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { RehearsalPart } from "#web/shared/rehearsal/rehearsal-part.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { SumLines } from "#web/ui/sum-lines.tsx";
import { showToast } from "#web/ui/toast.ts";
import { monthName } from "./month-words.ts";
import { closeMonth, closeMonthCall, type SeenMonth } from "./months-api.ts";

type CloseMonthDialogProps = { readonly opened: SeenMonth; readonly onClose: () => void };

export function CloseMonthDialog({ opened, onClose }: CloseMonthDialogProps) {
  // The totals on screen. They change only after a refusal, so that nothing is closed unseen.
  const [{ month, position }, setSeen] = useState(opened);
  const submission = useSubmission((body: CloseMonthRequest, key: string) =>
    closeMonth(body, key, setSeen),
  );
  const name = monthName(month.month);
  const body = { month: month.month, seenPosition: position };
  const { own, consigned, consignorCents, shippingCents } = month.totals;
  async function save(): Promise<void> {
    const answer = await submission.submit({}, body);
    if (answer !== undefined) {
      showToast(answer.message);
      onClose();
    }
  }
  return (
    <FormDialog
      title={`Close ${name}?`}
      description="Its totals stay as they are now, and every month before it is closed with it. This cannot be undone. Entries dated into a closed month later are booked in the open one."
      onClose={onClose}
      isDirty={false}
      submission={submission}
      errorPrefix="Error closing the month"
      saveLabel="Close month"
      busyLabel="Closing..."
      onSubmit={() => void save()}
    >
      <SumLines
        lines={[
          { label: "Own goods sold", cents: own.soldCents },
          { label: "Consigned goods sold", cents: consigned.soldCents },
          { label: "Refunds", cents: -(own.refundedCents + consigned.refundedCents) },
          { label: "Corrections", cents: own.correctedCents + consigned.correctedCents },
          { label: "Shipping", cents: -shippingCents },
          { label: "Consignors' share", cents: -consignorCents },
        ]}
        total={{ label: "Store keeps", cents: own.storeCents + consigned.storeCents }}
      />
      <RehearsalPart call={closeMonthCall(body)} rows={1} />
    </FormDialog>
  );
}
