// Closes a month, after showing the totals that it will keep.
import { useRef, useState } from "react";
import type { CloseMonthRequest } from "#features/months/contract-months.ts";
import { useAction } from "#web/lib/action.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { RehearsalBox } from "#web/shared/rehearsal/rehearsal-part.tsx";
import { useRehearsal } from "#web/shared/rehearsal/use-rehearsal.ts";
import { Button } from "#web/ui/button.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { SumLines } from "#web/ui/sum-lines.tsx";
import { showToast } from "#web/ui/toast.ts";
import { monthName } from "./month-words.ts";
import {
  closeMonth,
  closeMonthCall,
  MONTH_CHANGED,
  readMonth,
  type SeenMonth,
} from "./months-api.ts";

type CloseMonthDialogProps = { readonly opened: SeenMonth; readonly onClose: () => void };

export function CloseMonthDialog({ opened, onClose }: CloseMonthDialogProps) {
  // The totals on screen. They change only after a refusal or when asked for, so that nothing is closed unseen.
  const [{ month, position }, setSeen] = useState(opened);
  const submission = useSubmission((body: CloseMonthRequest, key: string) =>
    closeMonth(body, key, setSeen),
  );
  const name = monthName(month.month);
  const body = { month: month.month, seenPosition: position };
  const rehearsal = useRehearsal(closeMonthCall(body));
  const totals = useRef<HTMLDivElement>(null);
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
      <div ref={totals} tabIndex={-1} className="outline-none">
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
      </div>
      {rehearsal.kind === "refused" && rehearsal.code === MONTH_CHANGED ? (
        <ChangedTotals
          month={month.month}
          onShown={(seen) => {
            setSeen(seen);
            submission.clear();
            // The button that had the focus is gone.
            totals.current?.focus();
          }}
        />
      ) : (
        <RehearsalBox rehearsal={rehearsal} rows={1} />
      )}
    </FormDialog>
  );
}

type ChangedTotalsProps = {
  readonly month: string;
  readonly onShown: (seen: SeenMonth) => void;
};

/** Instead of what closing does: with the totals above it would be refused. */
function ChangedTotals({ month, onShown }: ChangedTotalsProps) {
  const action = useAction(readMonth);
  async function show(): Promise<void> {
    const seen = await action.run(month);
    if (seen !== undefined) {
      onShown(seen);
    }
  }
  return (
    <div className="flex shrink-0 flex-col items-start gap-2 rounded-card bg-fill p-4 max-sm:p-3">
      <output className="text-pending">
        {`Something was recorded into ${monthName(month)} just now, so these totals are not its totals any more.`}
      </output>
      <Button isBusy={action.isBusy} busyLabel="Loading..." onClick={() => void show()}>
        Show the new totals
      </Button>
      <ErrorLine>{action.error?.message}</ErrorLine>
    </div>
  );
}
