// The confirmation before a payout is marked as paid. It names person, amount and consequence, and takes the transfer's number.
import { useState } from "react";
import { markPaidRequest, type PendingPayout } from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { useNow } from "#web/lib/use-now.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { showToast } from "#web/ui/toast.ts";
import { claimStateOf } from "./claim-state.ts";
import { ClaimLine } from "./claim-line.tsx";
import { handleChange, isSettled, routeOf, SETTLED_MEANWHILE } from "./paid-to.ts";
import { LastReturn } from "./last-return.tsx";
import { methodWords } from "./method-words.ts";
import { markPaidWith, useAllPendingOf } from "./payout-api.ts";

type PayDialogProps = {
  /** As it was when the dialog opened: its handle is on screen, and is what is recorded. */
  readonly payout: PendingPayout;
  /** The requests as the list behind has them by now. It may be filtered, and has only some pages. */
  readonly listed: readonly PendingPayout[];
  readonly onClose: () => void;
};

export function PayDialog({ payout, listed, onClose }: PayDialogProps) {
  const own = useAllPendingOf(payout.consignorID).data?.payouts;
  const changed = handleChange(payout, [...listed, ...(own ?? [])]);
  const amount = formatMoney(toCents(payout.amount));
  const [reference, setReference] = useState("");
  const submission = useSubmission(markPaidWith);
  const claim = claimStateOf(payout.claim, useNow());
  const isOver = isSettled(payout, listed, own);
  async function pay(): Promise<void> {
    const body = { reference: reference.trim() };
    const settled = await submission.submit(errorsIn(markPaidRequest, body), { payout, body });
    if (settled !== undefined) {
      showToast("Payout marked as paid");
      onClose();
    }
  }
  return (
    <ConfirmDialog
      title={`Mark ${amount} to ${payout.displayName} as paid?`}
      act="Mark as paid"
      busyAct="Saving..."
      keep="Not yet"
      overText={isOver ? `${SETTLED_MEANWHILE} Nothing is left to send.` : undefined}
      isHarmless
      isBusy={submission.isBusy}
      error={
        submission.error === undefined
          ? undefined
          : `Error marking as paid: ${submission.error.message}`
      }
      field={
        <TextField
          label="Transfer reference"
          isOptional
          help={`The number that ${methodWords[payout.method]} gave the transfer`}
          error={submission.errors["reference"]}
          value={reference}
          onValue={(text) => {
            setReference(text);
            submission.clear();
          }}
          into={markPaidRequest.shape.reference}
        />
      }
      onAct={() => void pay()}
      onKeep={onClose}
    >
      <p>
        {withIsolatedNames(
          `Confirm that you sent ${amount} by ${routeOf(payout)}. The request leaves the list, and ${payout.displayName}'s total payouts increase by ${amount}. If the transfer fails later, mark the payout as returned.`,
        )}
      </p>
      <LastReturn payout={payout} />
      {changed === undefined ? null : (
        <p className="mt-2 font-medium text-text">{withIsolatedNames(changed)}</p>
      )}
      {claim.kind === "taken" ? (
        <p className="mt-2">
          <ClaimLine state={claim} />
        </p>
      ) : null}
      {payout.requestedBy === null ? null : (
        <p className="mt-2 font-medium text-text">
          {withIsolatedNames(
            `It was requested by ${payout.requestedBy}, not by ${payout.displayName}.`,
          )}
        </p>
      )}
    </ConfirmDialog>
  );
}
