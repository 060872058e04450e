// After a restore from a back-up: says that payouts wait, and lets an admin confirm that they were checked.
import { DatabaseBackup } from "lucide-react";
import { useState } from "react";
import {
  checkRestoredRequest,
  checkRestoredResponse,
  restoredResponse,
  type CheckRestoredRequest,
  type UncheckedRestore,
} from "#features/restores/contract.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { send } from "#web/lib/http.ts";
import { useRead } from "#web/lib/read.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Button } from "#web/ui/button.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { showToast } from "#web/ui/toast.ts";

const restoredPath = "/payouts/restored";

/** Nothing in a store that was not restored, or whose payouts were checked since. */
export function RestoreBanner() {
  const { data, refresh } = useRead(restoredPath, restoredResponse);
  const [isOpen, setOpen] = useState(false);
  const unchecked = data?.unchecked ?? null;
  if (unchecked === null) {
    return null;
  }
  return (
    <section
      aria-label="Payouts wait"
      className="flex items-start gap-3 rounded-card bg-pending-tint p-4 max-sm:flex-col"
    >
      <div className="flex grow items-start gap-2 text-pending">
        <Icon of={DatabaseBackup} size={16} className="mt-0.5 shrink-0" />
        <div className="flex flex-col gap-1">
          <p className="font-medium">Payouts wait: the store was restored from a back-up</p>
          <p>
            <LostWords unchecked={unchecked} /> Compare the open requests, and what was paid since
            then, with CashApp and Venmo. Delete requests that were paid already. Until you confirm
            this, no payout can be requested or marked as paid.
          </p>
        </div>
      </div>
      <Button className="shrink-0" onClick={() => setOpen(true)}>
        Confirm payouts checked
      </Button>
      {isOpen ? (
        <CheckDialog
          restoreId={unchecked.restoreId}
          onClose={() => {
            setOpen(false);
            refresh();
          }}
        />
      ) : null}
    </section>
  );
}

function LostWords({ unchecked }: { readonly unchecked: UncheckedRestore }) {
  const { backedUpAt, lostEvents } = unchecked;
  return (
    <>
      The back-up is from <DateTime at={backedUpAt} />
      {lostEvents === null
        ? ". What happened after that may be lost."
        : `; ${formatQuantity(lostEvents, "event")} after that ${lostEvents === 1 ? "is" : "are"} lost.`}
    </>
  );
}

function sendCheck(body: CheckRestoredRequest, key: string) {
  const path = `${restoredPath}/check`;
  return send({ method: "POST", path, body, answer: checkRestoredResponse, key });
}

type CheckDialogProps = { readonly restoreId: string; readonly onClose: () => void };

function CheckDialog({ restoreId, onClose }: CheckDialogProps) {
  const [reason, setReason] = useState("");
  const submission = useSubmission(sendCheck);

  async function confirm(): Promise<void> {
    const body = { restoreId, reason };
    if ((await submission.submit(errorsIn(checkRestoredRequest, body), body)) !== undefined) {
      showToast("Payouts confirmed as checked");
      onClose();
    }
  }

  return (
    <FormDialog
      title="Confirm payouts checked"
      description="From then on, payouts can be requested and marked as paid again."
      isDirty={reason !== ""}
      submission={submission}
      errorPrefix="Error confirming"
      saveLabel="Confirm payouts checked"
      onClose={onClose}
      onSubmit={() => void confirm()}
    >
      <Field
        label="What you checked"
        typed={{ text: reason, into: checkRestoredRequest.shape.reason }}
        error={submission.errors["reason"]}
      >
        {(control) => (
          <TextArea
            {...control}
            value={reason}
            onValue={(next) => {
              setReason(next);
              submission.clear();
            }}
          />
        )}
      </Field>
    </FormDialog>
  );
}
