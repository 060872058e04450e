// Records that sales tax went to the tax authority.
import { useState } from "react";
import { remitSalesTaxRequest } from "#features/months/contract.ts";
import { dollarsToSend } from "#web/lib/amount.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { useNow } from "#web/lib/use-now.ts";
import { RehearsalPart } from "#web/shared/rehearsal/rehearsal-part.tsx";
import { DateInput } from "#web/ui/date-input.tsx";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { Select } from "#web/ui/select.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { monthName } from "./month-words.ts";
import { remitCall, remitSalesTax } from "./months-api.ts";

type RemitFormProps = {
  /** The newest month with tax that is not remitted. */
  readonly month: string;
  /** What is owed for it, in dollars. */
  readonly amount: number | undefined;
  readonly onClose: () => void;
};

const MONTHS_OFFERED = 24;

/** This month and those before it: "2026-11", "2026-10" … */
function monthsUntil(last: Date): readonly string[] {
  return Array.from({ length: MONTHS_OFFERED }, (_, index) =>
    new Date(Date.UTC(last.getFullYear(), last.getMonth() - index, 1)).toISOString().slice(0, 7),
  );
}

export function RemitForm({ month: first, amount: owed, onClose }: RemitFormProps) {
  const now = useNow();
  const [month, setMonth] = useState(first === "" ? (monthsUntil(now)[0] ?? "") : first);
  const [amount, setAmount] = useState(owed === undefined ? "" : owed.toFixed(2));
  const [day, setDay] = useState("");
  const [reference, setReference] = useState("");
  const submission = useSubmission(remitSalesTax);
  const months = [...new Set([...monthsUntil(now), first])].filter((one) => one !== "");
  const body = {
    month,
    amount: dollarsToSend(amount),
    reference: reference.trim(),
    ...(day === "" ? {} : { remittedAt: new Date(`${day}T00:00:00`).toISOString() }),
  };
  const wrong = errorsIn(remitSalesTaxRequest, body);
  async function save(): Promise<void> {
    const answer = await submission.submit(wrong, body);
    if (answer !== undefined) {
      showToast(answer.message);
      onClose();
    }
  }
  const isWhole = Object.keys(wrong).length === 0;
  return (
    <FormDialog
      title="Record remittance"
      description="Collected sales tax that you paid to the tax authority."
      onClose={onClose}
      isDirty={reference !== "" || day !== ""}
      submission={submission}
      errorPrefix="Error recording the remittance"
      saveLabel="Record remittance"
      busyLabel="Recording..."
      onSubmit={() => void save()}
    >
      <Field label="For month" error={submission.errors["month"]}>
        {(control) => (
          <Select
            {...control}
            value={month}
            choices={months.map((value) => ({ value, label: monthName(value) }))}
            onValue={setMonth}
          />
        )}
      </Field>
      <Field label="Amount" error={submission.errors["amount"]}>
        {(control) => <MoneyInput {...control} value={amount} onValue={setAmount} />}
      </Field>
      <Field label="Paid on (optional)" error={submission.errors["remittedAt"]}>
        {(control) => <DateInput {...control} value={day} onValue={setDay} />}
      </Field>
      <Field label="Reference (optional)" error={submission.errors["reference"]}>
        {(control) => <TextInput {...control} value={reference} onValue={setReference} />}
      </Field>
      <RehearsalPart call={isWhole ? remitCall(body) : undefined} rows={1} />
    </FormDialog>
  );
}
