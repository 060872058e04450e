// Records that sales tax went to the tax authority.
import { useState } from "react";
import { remitSalesTaxRequest } from "#features/months/contract.ts";
import type { TaxMonth } from "#features/months/contract-tax.ts";
import { dollarsText, dollarsToSend, parseDollars } from "#web/lib/amount.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { useNow } from "#web/lib/use-now.ts";
import { RehearsalPart } from "#web/shared/rehearsal/rehearsal-part.tsx";
import { DateInput } from "#web/ui/date-input.tsx";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { Select, type Choice } from "#web/ui/select.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { showToast } from "#web/ui/toast.ts";
import { monthName } from "./month-words.ts";
import { remitCall, remitSalesTax, useTaxReport } from "./months-api.ts";
import { monthsOf, monthToRemit, owedFor, paidOn } from "./remit-draft.ts";

type RemitFormProps = {
  /** The months that are on screen. */
  readonly shown: readonly TaxMonth[];
  readonly onClose: () => void;
};

/** The months on screen, and those of this year and the one before. Undefined while they are loading. */
function useMonthsToRemit(shown: readonly TaxMonth[]) {
  const now = useNow();
  const year = useTaxReport(undefined);
  const before = useTaxReport(String(now.getFullYear() - 1));
  const isLoading = [year, before].some(({ data, error }) => data === undefined && !error);
  const [current, last] = [year.data?.months ?? [], before.data?.months ?? []];
  const months = monthsOf([shown, last, current]);
  return isLoading ? undefined : { months, first: monthToRemit(months, current[0]?.month) };
}

function choiceOf({ month }: { readonly month: string }): Choice<string> {
  return { value: month, label: monthName(month) };
}

export function RemitForm({ shown, onClose }: RemitFormProps) {
  const known = useMonthsToRemit(shown);
  const [chosen, setChosen] = useState<string>();
  const [typed, setTyped] = useState<string>();
  const [day, setDay] = useState("");
  const [reference, setReference] = useState("");
  // The month and amount of the last question: another month or amount is asked about again.
  const [asked, setAsked] = useState("");
  const submission = useSubmission(remitSalesTax);
  const month = chosen ?? known?.first ?? "";
  const owedCents = owedFor(known?.months ?? [], month);
  const amount = typed ?? (owedCents === 0 ? "" : dollarsText(owedCents));
  const body = {
    month,
    amount: dollarsToSend(amount),
    reference: reference.trim(),
    ...paidOn(day),
  };
  const wrong = errorsIn(remitSalesTaxRequest, body);
  const isAbove = (parseDollars(amount) ?? 0) > owedCents;
  const question = `${month} ${amount}`;
  const isAsking = isAbove && asked === question;
  const isWhole = Object.keys(wrong).length === 0;
  async function save(): Promise<void> {
    if (isWhole && isAbove && !isAsking) {
      setAsked(question);
      return;
    }
    const answer = await submission.submit(wrong, body);
    if (answer !== undefined) {
      showToast(answer.message);
      onClose();
    }
  }
  return (
    <FormDialog
      title="Record remittance"
      description="Collected sales tax that you paid to the tax authority."
      onClose={onClose}
      isDirty={[chosen, typed].some((one) => one !== undefined) || reference !== "" || day !== ""}
      submission={submission}
      errorPrefix="Error recording the remittance"
      saveLabel={isAsking ? "Record it anyway" : "Record remittance"}
      busyLabel="Recording..."
      canSave={known !== undefined}
      onSubmit={() => void save()}
    >
      <Field label="For month" error={submission.errors["month"]}>
        {(control) => (
          <Select
            {...control}
            value={month}
            choices={(known?.months ?? []).map(choiceOf)}
            onValue={setChosen}
          />
        )}
      </Field>
      <Field label="Amount" error={submission.errors["amount"]}>
        {(control) => <MoneyInput {...control} value={amount} onValue={setTyped} />}
      </Field>
      {isAsking ? (
        <p role="alert" className="text-pending">
          {`${monthName(month)} owes ${formatMoney(owedCents)}, less than this amount.`}
        </p>
      ) : null}
      <Field label="Paid on" isOptional error={submission.errors["remittedAt"]}>
        {(control) => <DateInput {...control} value={day} onValue={setDay} />}
      </Field>
      <TextField
        label="Reference"
        isOptional
        error={submission.errors["reference"]}
        value={reference}
        onValue={setReference}
        into={remitSalesTaxRequest.shape.reference}
      />
      <RehearsalPart call={isWhole ? remitCall(body) : undefined} rows={1} />
    </FormDialog>
  );
}
