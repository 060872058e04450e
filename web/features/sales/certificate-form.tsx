// Erases the number of the customer's tax certificate: from this receipt, or wherever the store has it.
import { useState } from "react";
import type { SaleView } from "#features/sales/contract.ts";
import type { EraseCertificateRequest } from "#features/sales/contract-commands.ts";
import { formatQuantity } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { eraseCertificate } from "#web/shared/sale/sale-api.ts";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { showToast } from "#web/ui/toast.ts";

type CertificateFormProps = { readonly sale: SaleView; readonly onClose: () => void };

export function CertificateForm({ sale, onClose }: CertificateFormProps) {
  const [everywhere, setEverywhere] = useState(false);
  const submission = useSubmission((body: EraseCertificateRequest, key: string) =>
    eraseCertificate(sale.saleID, body, key),
  );

  async function erase(): Promise<void> {
    const answer = await submission.submit({}, { everywhere });
    if (answer !== undefined) {
      showToast(
        answer.isComplete
          ? `Certificate number erased from ${formatQuantity(answer.numbers, "sale")}`
          : `Erased from ${formatQuantity(answer.numbers, "sale")}. There are more: erase it again`,
      );
      onClose();
    }
  }

  return (
    <FormDialog
      title="Erase certificate number"
      description="The number is erased for good, and receipts no longer show it. The sale stays tax exempt. A tax office may ask for the number: keep a copy if you have to."
      onClose={onClose}
      isDirty={false}
      submission={submission}
      errorPrefix="Nothing was erased"
      saveLabel="Erase number"
      onSubmit={() => void erase()}
    >
      <Checkbox
        label="Also from all other receipts with this number"
        isChecked={everywhere}
        onChecked={(next) => {
          setEverywhere(next);
          submission.clear();
        }}
      />
    </FormDialog>
  );
}
