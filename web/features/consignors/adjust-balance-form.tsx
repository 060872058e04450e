// Adjusts a person's balance, by an amount or to a new balance, with a reason. The difference is posted; nothing is overwritten.
import { useState } from "react";
import {
  balanceChangedCurrent,
  setBalanceRequest,
  type SetBalanceRequest,
  type SetBalanceResponse,
} from "#features/accounts/contract.ts";
import { toCents, toDollars, type Cents } from "#ledger/money.ts";
import { dollarsToSend } from "#web/lib/amount.ts";
import { ApiError } from "#web/lib/api-error.ts";
import { errorsIn, type FieldErrors } from "#web/lib/form-errors.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { showToast } from "#web/ui/toast.ts";
import { BeforeAfter } from "#web/ui/before-after.tsx";
import { balanceAfter, fieldTexts, withOtherSign, type BalanceDraft } from "./balance-draft.ts";
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

const nothingTyped: BalanceDraft = { field: "change", text: "" };

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
  const [draft, setDraft] = useState<BalanceDraft>(nothingTyped);
  const [reason, setReason] = useState("");
  const submission = useSubmission(adjust);
  const after = balanceAfter(draft, before);

  async function save(): Promise<void> {
    const body = {
      balance: after === undefined ? dollarsToSend(draft.text) : toDollars(after),
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
      isDirty={after !== before || reason !== ""}
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
        draft={draft}
        before={before}
        reason={reason}
        errors={submission.errors}
        onDraft={(next) => {
          setDraft(next);
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
  readonly draft: BalanceDraft;
  readonly before: Cents;
  readonly reason: string;
  readonly errors: FieldErrors;
  readonly onDraft: (draft: BalanceDraft) => void;
  readonly onReason: (text: string) => void;
};

function AdjustFields({ draft, before, reason, errors, onDraft, onReason }: AdjustFieldsProps) {
  const texts = fieldTexts(draft, before);
  const errorOf = (field: BalanceDraft["field"]) =>
    draft.field === field ? errors["balance"] : undefined;
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-3 max-sm:grid-cols-1">
        <Field label="Change by" error={errorOf("change")} help="+ adds, − takes away">
          {(control) => (
            <span className="grid grid-cols-[1fr_auto] gap-2">
              <MoneyInput
                {...control}
                placeholder="+0.00"
                value={texts.change}
                onValue={(text) => onDraft({ field: "change", text })}
              />
              <Button
                aria-label="Change the sign"
                onClick={() => onDraft({ field: "change", text: withOtherSign(texts.change) })}
              >
                ±
              </Button>
            </span>
          )}
        </Field>
        <Field
          label="New balance"
          error={errorOf("balance")}
          help="Below zero it is owed to the store"
        >
          {(control) => (
            <MoneyInput
              {...control}
              value={texts.balance}
              onValue={(text) => onDraft({ field: "balance", text })}
            />
          )}
        </Field>
      </div>
      <TextField
        label="Reason"
        takesNoScans
        error={errors["reason"]}
        value={reason}
        onValue={onReason}
        into={setBalanceRequest.shape.reason}
      />
    </>
  );
}
