// Says how the customer really paid: for all sales of the receipt, so that the till's day has it right.
import { useState } from "react";
import {
  correctTenderRequest,
  type CorrectTenderRequest,
  type SaleView,
  type Tender,
} from "#features/sales/contract.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { tenderWords } from "#web/shared/receipt/receipt-content.ts";
import { correctTender } from "#web/shared/sale/sale-api.ts";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { ChangedMeanwhile } from "./changed-meanwhile.tsx";

type TenderFormProps = {
  readonly sale: SaleView;
  readonly onClose: () => void;
  /** Reads the sale again after somebody else changed it. */
  readonly onReload: () => void;
};

const choices = (["cash", "card", "other"] as const).map((value) => ({
  value,
  label: tenderWords[value],
}));

export function TenderForm({ sale, onClose, onReload }: TenderFormProps) {
  const [tender, setTender] = useState<Tender | "">(sale.tender ?? "");
  const [reason, setReason] = useState("");
  const submission = useSubmission((body: CorrectTenderRequest, key: string) =>
    correctTender(sale.saleID, body, key),
  );

  async function save(): Promise<void> {
    const known = tender === "" ? undefined : tender;
    const given = { tender: known, reason, expectedVersion: sale.version };
    const errors =
      known === undefined
        ? { tender: "Choose how the customer paid" }
        : errorsIn(correctTenderRequest, given);
    const request = { tender: known ?? "other", reason, expectedVersion: sale.version } as const;
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
      title="Correct payment"
      description={
        sale.receiptID === null
          ? "No balance changes. The till's day has the sale under the payment chosen here."
          : "For all sales of this receipt. No balance changes. The till's day has them under the payment chosen here; a day that was counted already can be counted again."
      }
      onClose={onClose}
      isDirty={tender !== (sale.tender ?? "") || reason !== ""}
      submission={submission}
      errorPrefix="Error correcting payment"
      saveLabel="Save payment"
      onSubmit={() => void save()}
    >
      <ChoiceGroup
        label="Paid by"
        value={tender}
        onValue={(next) => {
          setTender(next);
          submission.clear();
        }}
        choices={choices}
        error={submission.errors["tender"]}
      />
      <Field label="Reason" isOptional error={submission.errors["reason"]}>
        {(control) => (
          <TextInput {...control} value={reason} onValue={setReason} autoComplete="off" />
        )}
      </Field>
      <ChangedMeanwhile error={submission.error} onReload={onReload} />
    </FormDialog>
  );
}
