// Counts the drawer and closes the day. Shows the expected amount next to the counted one, and the difference at once.
import { useState } from "react";
import {
  closeTillDayRequest,
  type CloseTillDayRequest,
  type TillDayResponse,
} from "#features/till/contract.ts";
import { toCents } from "#ledger/money.ts";
import { dollarsText, parseDollars } from "#web/lib/amount.ts";
import { errorsIn, hasErrors, type FieldErrors } from "#web/lib/form-errors.ts";
import { useSubmission } from "#web/lib/submission.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { SaveQuestion, useSaveCheck } from "#web/ui/save-question.tsx";
import { SumLines } from "#web/ui/sum-lines.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { showToast } from "#web/ui/toast.ts";
import {
  draftOf,
  expectedOf,
  requestOf,
  unlikelyCount,
  usualLeft,
  type CountDraft,
} from "./count-draft.ts";
import { closeDay } from "./end-of-day-api.ts";
import { countWords, differenceText } from "./till-words.ts";

type CountFormProps = { readonly day: TillDayResponse; readonly onClose: () => void };

export function CountForm({ day, onClose }: CountFormProps) {
  const [start] = useState(() => draftOf(day));
  const [draft, setDraft] = useState(start);
  const submission = useSubmission(
    (body: CloseTillDayRequest, key: string) => closeDay(body, key),
    { more_left_than_counted: "leftAmount", note_required: "note" },
  );
  const expected = expectedOf(day, draft);
  const words = countWords(day);
  const check = useSaveCheck(unlikelyCount(day, draft));

  async function save(): Promise<void> {
    const request = requestOf(day, draft);
    const wrong = errorsIn(closeTillDayRequest, request);
    if (!hasErrors(wrong) && !check.passes()) {
      return;
    }
    const closed = await submission.submit(wrong, request);
    if (closed !== undefined) {
      showToast(
        `${words.saved}: ${differenceText(toCents(closed.differenceAmount)).toLowerCase()}`,
      );
      onClose();
    }
  }

  return (
    <FormDialog
      title={words.title}
      description={`${words.what} Consignors' balances do not change.`}
      isDirty={draft !== start}
      submission={submission}
      errorPrefix={words.failed}
      saveLabel={words.save}
      isAsking={check.question !== undefined}
      onClose={onClose}
      onSubmit={() => void save()}
    >
      <CountFields
        draft={draft}
        leftLabel={words.left}
        isExact={
          expected === undefined || [undefined, expected].includes(parseDollars(draft.counted))
        }
        errors={submission.errors}
        onChange={(changes) => {
          setDraft({ ...draft, ...changes });
          submission.clear();
        }}
      />
      <Outcome day={day} draft={draft} expected={expected} />
      <SaveQuestion check={check} onYes={() => void save()} />
    </FormDialog>
  );
}

type CountFieldsProps = {
  readonly draft: CountDraft;
  /** "Stays for tomorrow" */
  readonly leftLabel: string;
  /** False once a count differs: then the note is required. */
  readonly isExact: boolean;
  readonly errors: FieldErrors;
  readonly onChange: (changes: Partial<CountDraft>) => void;
};

function CountFields({ draft, leftLabel, isExact, errors, onChange }: CountFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-4">
      <Field label="Counted" error={errors["countedAmount"]} className="col-span-2">
        {(control) => (
          <MoneyInput
            {...control}
            value={draft.counted}
            onValue={(counted) => onChange({ counted })}
          />
        )}
      </Field>
      <Field label="In the drawer at opening" error={errors["openingAmount"]}>
        {(control) => (
          <MoneyInput
            {...control}
            value={draft.opening}
            onValue={(opening) => onChange({ opening })}
          />
        )}
      </Field>
      <Field
        label={leftLabel}
        isOptional
        error={errors["leftAmount"]}
        help="Blank: as much as at opening"
      >
        {(control) => (
          <MoneyInput
            {...control}
            value={draft.left}
            placeholder={dollarsText(usualLeft(draft))}
            onValue={(left) => onChange({ left })}
          />
        )}
      </Field>
      <Field label="Cash put in" isOptional error={errors["paidInAmount"]}>
        {(control) => (
          <MoneyInput
            {...control}
            value={draft.paidIn}
            placeholder="0.00"
            onValue={(paidIn) => onChange({ paidIn })}
          />
        )}
      </Field>
      <Field label="Cash taken out" isOptional error={errors["paidOutAmount"]}>
        {(control) => (
          <MoneyInput
            {...control}
            value={draft.paidOut}
            placeholder="0.00"
            onValue={(paidOut) => onChange({ paidOut })}
          />
        )}
      </Field>
      <TextField
        label="Note"
        isOptional={isExact}
        error={errors["note"]}
        className="col-span-2"
        value={draft.note}
        onValue={(note) => onChange({ note })}
        into={closeTillDayRequest.shape.note}
        placeholder="Why the count differs"
      />
    </div>
  );
}

type OutcomeProps = {
  readonly day: TillDayResponse;
  readonly draft: CountDraft;
  readonly expected: number | undefined;
};

function Outcome({ day, draft, expected }: OutcomeProps) {
  const cash = day.payments.find(({ tender }) => tender === "cash");
  const counted = parseDollars(draft.counted);
  if (expected === undefined) {
    return null;
  }
  const moved = (parseDollars(draft.paidIn) ?? 0) - (parseDollars(draft.paidOut) ?? 0);
  const back = toCents(cash?.refundedAmount ?? 0);
  return (
    <div className="flex flex-col gap-2">
      <SumLines
        lines={[
          { label: "At opening", cents: parseDollars(draft.opening) ?? 0 },
          { label: "Cash sales", cents: toCents(cash?.soldAmount ?? 0) },
          ...(back === 0 ? [] : [{ label: "Cash refunds", cents: -back }]),
          ...(moved === 0 ? [] : [{ label: "Put in or taken out", cents: moved }]),
        ]}
        total={{ label: "Expected in the drawer", cents: expected }}
      />
      <output className="flex justify-between gap-3 px-4 text-16 font-semibold">
        <span>Difference</span>
        <span className="tabular-nums">
          {counted === undefined ? "Not counted yet" : differenceText(counted - expected)}
        </span>
      </output>
    </div>
  );
}
