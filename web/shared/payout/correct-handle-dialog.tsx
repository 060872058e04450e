// Corrects where one's own requested payout goes, until the store begins to pay it.
import { useState } from "react";
import {
  correctHandleRequest,
  type PaymentInfoResponse,
  type PayoutView,
} from "#features/payouts/contract.ts";
import { toCents } from "#ledger/money.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { useNow } from "#web/lib/use-now.ts";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { showToast } from "#web/ui/toast.ts";
import { cameBackText } from "./came-back.ts";
import { whereTo, type HandleDraft } from "./handle-draft.ts";
import { HandleFields } from "./handle-fields.tsx";
import { correctHandle, useNewestPayouts, useOwnPending } from "./own-payout-api.ts";
import type { OwnPayout } from "./own-payout-acts.tsx";
import { usePaymentInfo } from "./payment-info.ts";

type CorrectHandleDialogProps = { readonly payout: OwnPayout; readonly onClose: () => void };

/** The request's own handle, and for the other method the one that was used last. */
function draftFrom(
  view: Pick<PayoutView, "method" | "handle"> | undefined,
  known: PaymentInfoResponse | undefined,
): HandleDraft {
  const handles = { cashapp: known?.cashtag ?? "$", venmo: known?.venmoUsername ?? "@" };
  return view === undefined
    ? { method: "", handles }
    : {
        method: view.method,
        handles: { ...handles, [view.method]: view.handle ?? handles[view.method] },
      };
}

/** Why there is nothing left to correct; undefined if there is. */
function overText(view: PayoutView | undefined, isKnown: boolean): string | undefined {
  if (view === undefined) {
    return isKnown ? "This request was withdrawn, paid or deleted in the meantime." : undefined;
  }
  return view.claim === null
    ? undefined
    : "The store is paying this, so it can no longer be changed. Ask the store if something is wrong.";
}

export function CorrectHandleDialog({ payout, onClose }: CorrectHandleDialogProps) {
  const pending = useOwnPending(payout.consignorID);
  const known = usePaymentInfo(payout.consignorID);
  const newest = useNewestPayouts(payout.consignorID);
  const view = pending.data?.payouts.find(({ id }) => id === payout.id);
  const isLoading = [pending, known].some(
    ({ data, error }) => data === undefined && error === undefined,
  );
  const over = overText(view, pending.data !== undefined);
  // Handles can still be typed if they could not be read.
  return isLoading ? null : (
    <CorrectHandleForm
      payout={payout}
      kept={draftFrom(view, known.data)}
      payouts={newest.data?.payouts ?? []}
      over={over}
      onClose={onClose}
    />
  );
}

type CorrectHandleFormProps = CorrectHandleDialogProps & {
  readonly kept: HandleDraft;
  /** Own ones, also those that came back. */
  readonly payouts: readonly PayoutView[];
  readonly over: string | undefined;
};

function CorrectHandleForm({ payout, kept, payouts, over, onClose }: CorrectHandleFormProps) {
  const [typed, setTyped] = useState<HandleDraft>();
  const draft = typed ?? kept;
  const submission = useSubmission(correctHandle);
  const now = useNow();
  async function save(): Promise<void> {
    const wrong = errorsIn(correctHandleRequest, whereTo(draft));
    const answer = await submission.submit(wrong, { payout, draft });
    if (answer !== undefined) {
      const { message, warning } = answer;
      showToast(warning === null ? message : `${message}. ${warning}`);
      onClose();
    }
  }
  return (
    <FormDialog
      title={`Change where ${formatMoney(toCents(payout.amount))} goes`}
      description={
        over === undefined
          ? "The store pays it to the handle below. Once it begins to pay, this can no longer be changed."
          : undefined
      }
      isDirty={typed !== undefined}
      submission={submission}
      errorPrefix="Error changing where it goes"
      overText={over}
      onClose={onClose}
      onSubmit={() => void save()}
    >
      <HandleFields
        draft={draft}
        errors={submission.errors}
        advice="Check it before you save."
        doubt={cameBackText(draft, payouts, now)}
        onChange={(changes) => {
          setTyped({ ...draft, ...changes });
          submission.clear();
        }}
      />
    </FormDialog>
  );
}
