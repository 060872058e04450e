// Sends a receipt to the address that a customer says. The store does not keep the address.
import { useState } from "react";
import { emailReceiptRequest, type EmailReceiptRequest } from "#features/sales/contract-receipt.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { emailReceipt } from "./receipt-api.ts";

type EmailReceiptDialogProps = {
  readonly receiptID: string;
  readonly onClose: () => void;
};

export function EmailReceiptDialog({ receiptID, onClose }: EmailReceiptDialogProps) {
  const [email, setEmail] = useState("");
  const submission = useSubmission((body: EmailReceiptRequest, key: string) =>
    emailReceipt(receiptID, body, key),
  );

  async function sendIt(): Promise<void> {
    const request = { email: email.trim() };
    const sent = await submission.submit(errorsIn(emailReceiptRequest, request), request);
    if (sent !== undefined) {
      showToast(`Receipt sent to ${request.email}`);
      onClose();
    }
  }

  return (
    <FormDialog
      title="Email receipt"
      description="The address is used once and not kept."
      isDirty={email !== ""}
      submission={submission}
      errorPrefix="Error sending the receipt"
      saveLabel="Send receipt"
      busyLabel="Sending..."
      onClose={onClose}
      onSubmit={() => void sendIt()}
    >
      <Field label="Customer's email" error={submission.errors["email"]}>
        {(control) => (
          <TextInput
            {...control}
            type="email"
            inputMode="email"
            autoComplete="off"
            value={email}
            onValue={(text) => {
              setEmail(text);
              submission.clear();
            }}
          />
        )}
      </Field>
    </FormDialog>
  );
}
