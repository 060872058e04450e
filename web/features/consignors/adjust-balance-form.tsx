// Sets a person's balance: before, after, the change, and a reason. The difference is posted; nothing is overwritten.
import { useState } from "react";
import {
  balanceChangedCurrent,
  setBalanceRequest,
  type SetBalanceRequest,
  type SetBalanceResponse,
} from "#features/accounts/contract.ts";
import { toCents, toDollars, type Cents } from "#ledger/money.ts";
import { dollarsText, dollarsToSend } from "#web/lib/amount.ts";
import { ApiError } from "#web/lib/api-error.ts";
import { errorsIn, type FieldErrors } from "#web/lib/form-errors.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { BeforeAfter } from "#web/ui/before-after.tsx";
import { parseBalance } from "./balance-draft.ts";
import { BalanceChanged } from "./balance-changed.tsx";
import { RehearsalPart } from "#web/shared/rehearsal/rehearsal-part.tsx";
import { setBalance, setBalanceCall, type Change } from "./consignors-api.ts";

type AdjustBalanceFormProps = {
  readonly user: { readonly uid: string; readonly name: string };
  /** The balance that the list or drawer showed. */
  readonly balanceCents: Cents;
  readonly onClose: () => void;
};

type Adjusted =
  | { readonly kind: "saved"; readonly balance: SetBalanceResponse["balance"] }
  /** The balance changed since the form was opened; nothing was saved. */
  | { readonly kind: "changed"; readonly nowCents: Cents };

async function adjust(change: Change<SetBalanceRequest>, key: string): Promise<Adjusted> {
  try {
    return { kind: "saved", balance: (await setBalance(change, key)).balance };
  } catch (error) {
    const current = balanceChangedCurrent.safeParse(
      error instanceof ApiError && error.code === "balance_changed" ? error.current : undefined,
    );
    if (!current.success) {
      throw error;
    }
    return { kind: "changed", nowCents: current.data.balanceCents };
  }
}

export function AdjustBalanceForm({ user, balanceCents, onClose }: AdjustBalanceFormProps) {
  // The balance may change while the form is open. The server compares it with the one that the form shows.
  const [before, setBefore] = useState(balanceCents);
  const [shownBefore, setShownBefore] = useState<Cents>();
  const [typed, setTyped] = useState(dollarsText(before));
  const [reason, setReason] = useState("");
  const submission = useSubmission(adjust);
  const after = parseBalance(typed);

  async function save(): Promise<void> {
    const body = {
      balance: dollarsToSend(typed),
      expectedBalance: toDollars(before),
      ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
    };
    const wrong = {
      ...errorsIn(setBalanceRequest, body),
      ...(reason.trim() === "" ? { reason: "Enter a reason. It stays in the ledger." } : {}),
    };
    const answer = await submission.submit(wrong, { uid: user.uid, body });
    if (answer === undefined) {
      return;
    }
    if (answer.kind === "saved") {
      showToast(`${user.name} now has ${formatMoney(toCents(answer.balance))}`);
      onClose();
      return;
    }
    setShownBefore(before);
    setBefore(answer.nowCents);
  }

  return (
    <FormDialog
      title={`Adjust ${user.name}'s balance`}
      description="The difference is booked as an adjustment by the store. Both sides appear in the ledger."
      onClose={onClose}
      isDirty={typed !== dollarsText(before) || reason !== ""}
      submission={submission}
      errorPrefix="Error adjusting balance"
      saveLabel="Adjust balance"
      canSave={after !== before}
      onSubmit={() => void save()}
    >
      {shownBefore === undefined ? null : (
        <BalanceChanged key={`${shownBefore} ${before}`} was={shownBefore} now={before} />
      )}
      <AdjustFields
        typed={typed}
        reason={reason}
        errors={submission.errors}
        onTyped={(text) => {
          setTyped(text);
          submission.clear();
        }}
        onReason={(text) => {
          setReason(text);
          submission.clear();
        }}
      />
      <RehearsalPart
        call={
          after === undefined || after === before
            ? undefined
            : setBalanceCall(user.uid, {
                balance: toDollars(after),
                expectedBalance: toDollars(before),
              })
        }
        estimate={<BeforeAfter rows={[{ label: user.name, before, after }]} isBalance />}
        rows={1}
      />
    </FormDialog>
  );
}

type AdjustFieldsProps = {
  readonly typed: string;
  readonly reason: string;
  readonly errors: FieldErrors;
  readonly onTyped: (text: string) => void;
  readonly onReason: (text: string) => void;
};

function AdjustFields({ typed, reason, errors, onTyped, onReason }: AdjustFieldsProps) {
  return (
    <>
      <Field
        label="New balance"
        error={errors["balance"]}
        help="A negative balance is owed to the store"
      >
        {(control) => <MoneyInput {...control} value={typed} onValue={onTyped} />}
      </Field>
      <Field label="Reason" error={errors["reason"]}>
        {(control) => (
          <TextInput
            {...control}
            autoComplete="off"
            maxLength={500}
            value={reason}
            onValue={onReason}
          />
        )}
      </Field>
    </>
  );
}
