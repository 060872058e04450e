// Sets somebody's balance: before, after, the change between, and why. The difference is posted, nothing is overwritten.
import { useState } from "react";
import { setBalanceRequest } from "#features/accounts/contract.ts";
import { toCents, toDollars, type Cents } from "#ledger/money.ts";
import { dollarsText } from "#web/lib/amount.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showToast } from "#web/ui/toast.tsx";
import { BeforeAfter } from "../sale/before-after.tsx";
import { parseBalance } from "./balance-draft.ts";
import { setBalance } from "./consignors-api.ts";

type AdjustBalanceFormProps = {
  readonly user: { readonly uid: string; readonly name: string };
  /** What the list or drawer showed. */
  readonly balanceCents: Cents;
  readonly onClose: () => void;
};

export function AdjustBalanceForm({ user, balanceCents, onClose }: AdjustBalanceFormProps) {
  // The balance may move while the form is open; what it began with is what the server compares.
  const [before] = useState(balanceCents);
  const [typed, setTyped] = useState(dollarsText(before));
  const [reason, setReason] = useState("");
  const submission = useSubmission(setBalance, { balance_changed: "balance" });
  const { errors } = submission;
  const after = parseBalance(typed);

  async function save(): Promise<void> {
    const body = {
      balance: after === undefined ? Number.NaN : toDollars(after),
      expectedBalance: toDollars(before),
      ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
    };
    const wrong = {
      ...errorsIn(setBalanceRequest, body),
      ...(after === undefined ? { balance: "Please enter a valid amount" } : {}),
      ...(reason.trim() === "" ? { reason: "Say why: it stays in the ledger" } : {}),
    };
    const answer = await submission.submit(wrong, { uid: user.uid, body });
    if (answer !== undefined) {
      showToast(`${user.name} now has ${formatMoney(toCents(answer.balance))}`);
      onClose();
    }
  }

  return (
    <FormDialog
      title={`Adjust ${user.name}'s balance`}
      description="The difference is booked as an adjustment of the store's; both sides show in the ledger."
      onClose={onClose}
      isDirty={typed !== dollarsText(before) || reason !== ""}
      submission={submission}
      errorPrefix="Error adjusting balance"
      saveLabel="Adjust balance"
      canSave={after !== before}
      onSubmit={() => void save()}
    >
      <Field
        label="New balance"
        error={errors["balance"]}
        help="Below zero means that it is owed to the store"
      >
        {(control) => (
          <MoneyInput
            {...control}
            value={typed}
            onValue={(text) => {
              setTyped(text);
              submission.clear();
            }}
          />
        )}
      </Field>
      <Field label="Reason" error={errors["reason"]}>
        {(control) => (
          <TextInput
            {...control}
            autoComplete="off"
            maxLength={500}
            value={reason}
            onValue={(text) => {
              setReason(text);
              submission.clear();
            }}
          />
        )}
      </Field>
      <BeforeAfter rows={[{ label: user.name, before, after }]} isBalance />
    </FormDialog>
  );
}
