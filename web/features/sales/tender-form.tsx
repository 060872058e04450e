// Says how the customer really paid, for all sales of the receipt, or got a refund back: the till's day then has it right.
import { useState } from "react";
import { type SaleView, type Tender } from "#features/sales/contract.ts";
import {
  correctTenderRequest,
  type CorrectTenderRequest,
} from "#features/sales/contract-commands.ts";
import type { StoryEntry } from "#features/sales/contract-story.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { correctRefundTender, correctTender } from "#web/shared/sale/sale-api.ts";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { showToast } from "#web/ui/toast.ts";
import { ChangedMeanwhile, withoutChange } from "./changed-meanwhile.tsx";
import { tenderChoices } from "./sale-words.ts";

type TenderFormProps = {
  readonly sale: SaleView;
  /** The refund that went back in another way; without one it is about how the sale was paid. */
  readonly refund?: StoryEntry["refund"] | undefined;
  readonly onClose: () => void;
  /** Reads the sale again after somebody else changed it. */
  readonly onReload: () => void;
};

export function TenderForm({ sale, refund = null, onClose, onReload }: TenderFormProps) {
  const known = refund === null ? sale.tender : refund.tender;
  // The other sales of a receipt may still have another payment.
  const hasOthers = refund === null && sale.receiptID !== null;
  const [tender, setTender] = useState<Tender | "">(known ?? "");
  const [reason, setReason] = useState("");
  const submission = useSubmission(async (body: CorrectTenderRequest, key: string) => {
    const { saleID } = sale;
    return refund === null
      ? correctTender(saleID, body, key)
      : { ...(await correctRefundTender(saleID, refund.number, body, key)), sales: 1 };
  });

  async function save(): Promise<void> {
    const chosen = tender === "" ? undefined : tender;
    const given = { tender: chosen, reason, expectedVersion: sale.version };
    const errors =
      chosen === undefined
        ? { tender: `Choose how the customer ${refund === null ? "paid" : "got it back"}` }
        : errorsIn(correctTenderRequest, given);
    const request = { tender: chosen ?? "other", reason, expectedVersion: sale.version } as const;
    const answer = await submission.submit(errors, request);
    if (answer !== undefined) {
      showToast(
        answer.sales > 1
          ? `Payment updated for ${formatQuantity(answer.sales, "sale")} of the receipt`
          : answer.message,
      );
      onClose();
    }
  }

  return (
    <FormDialog
      title={refund === null ? "Correct payment" : "Correct payment of the refund"}
      description={
        refund !== null
          ? "No balance changes. The till's day has the refund under the payment chosen here; a day that was counted already can be counted again."
          : sale.receiptID === null
            ? "No balance changes. The till's day has the sale under the payment chosen here."
            : "For all sales of this receipt. No balance changes. The till's day has them under the payment chosen here; a day that was counted already can be counted again."
      }
      onClose={onClose}
      isDirty={tender !== (known ?? "") || reason !== ""}
      submission={withoutChange(submission)}
      errorPrefix="Error correcting payment"
      saveLabel={refund === null ? "Save payment" : "Save refund"}
      canSave={tender !== known || hasOthers}
      onSubmit={() => void save()}
    >
      <ChoiceGroup
        label={refund === null ? "Paid by" : "Paid back by"}
        value={tender}
        onValue={(next) => {
          setTender(next);
          submission.clear();
        }}
        choices={tenderChoices}
        error={submission.errors["tender"]}
      />
      <TextField
        label="Reason"
        isOptional
        takesNoScans
        error={submission.errors["reason"]}
        value={reason}
        onValue={setReason}
        into={correctTenderRequest.shape.reason}
      />
      <ChangedMeanwhile
        submission={submission}
        errorPrefix="Error correcting payment"
        onReload={onReload}
      />
    </FormDialog>
  );
}
