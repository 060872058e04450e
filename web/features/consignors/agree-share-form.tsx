// Agrees a share of sales with one consignor: it prefills the sale form and the till, and moves nothing that is on record.
import { useState } from "react";
import { agreeShareRequest } from "#features/settings/contract.ts";
import { wholeToSend } from "#web/lib/amount.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { agreedShareOf, useSellingTerms } from "#web/shared/sale/selling-terms.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { agreeShare } from "./consignors-api.ts";

type AgreeShareFormProps = {
  readonly user: { readonly uid: string; readonly name: string };
  readonly onClose: () => void;
};

export function AgreeShareForm({ user, onClose }: AgreeShareFormProps) {
  const { data: terms } = useSellingTerms();
  const agreed = terms === undefined ? undefined : agreedShareOf(terms, user.uid);
  const before = agreed?.toString() ?? "";
  const [touched, setTouched] = useState<string>();
  const typed = touched ?? before;
  const submission = useSubmission(agreeShare);

  async function save(): Promise<void> {
    const percentage = typed.trim() === "" ? null : wholeToSend(typed);
    const wrong = errorsIn(agreeShareRequest, { percentage });
    const saved = await submission.submit(wrong, { uid: user.uid, percentage });
    if (saved !== undefined) {
      const share =
        saved.percentage === null ? "the store's default share" : `${saved.percentage}%`;
      showToast(`${user.name} gets ${share} from now on`);
      onClose();
    }
  }

  return (
    <FormDialog
      title={`${user.name}'s share`}
      description="The sale form and the till use it from now on. Past sales keep their share."
      isDirty={typed !== before}
      submission={submission}
      errorPrefix="Error saving the share"
      saveLabel="Save share"
      canSave={typed !== before}
      onClose={onClose}
      onSubmit={() => void save()}
    >
      <Field
        label="Agreed share"
        isOptional
        error={submission.errors["percentage"]}
        help={
          terms === undefined
            ? undefined
            : `Leave blank for the store's default, now ${terms.defaultConsignorPercentage}%`
        }
      >
        {(control) => (
          <NumberInput
            {...control}
            after="%"
            value={typed}
            onValue={(text) => {
              setTouched(text);
              submission.clear();
            }}
          />
        )}
      </Field>
    </FormDialog>
  );
}
