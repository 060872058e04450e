// The form for the store's rates. It asks once more before saving, because every later sale and trade depends on them.
import { useState } from "react";
import { changeRatesRequest, type SettingsResponse } from "#features/settings/contract.ts";
import { errorsIn, hasErrors, noErrors, type FieldErrors } from "#web/lib/form-errors.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { MoneyInput } from "#web/ui/money-input.tsx";
import { NumberInput } from "#web/ui/number-input.tsx";
import { ChangedSettings } from "./changed-settings.tsx";
import { ChangedValue } from "./changed-value.tsx";
import { saveRates } from "./settings-api.ts";
import {
  changesSince,
  ratesChanged,
  ratesDraft,
  ratesRequest,
  type ChangedValue as Change,
  type RatesDraft,
} from "./settings-draft.ts";
import { useSettingsForm } from "./use-settings-form.ts";

type RatesFormProps = { readonly settings: SettingsResponse; readonly onClose: () => void };

export function RatesForm({ settings, onClose }: RatesFormProps) {
  const form = useSettingsForm({
    settings,
    base: ratesDraft(settings.rates),
    version: settings.rates.version,
    requestOf: ratesRequest,
    send: saveRates,
    onSaved: onClose,
  });
  const { draft, set, submission, newsSince, body } = form;
  const [isConfirming, setConfirming] = useState(false);

  function ask(): void {
    const wrong = errorsIn(changeRatesRequest, body);
    if (hasErrors(wrong)) {
      void form.save(wrong);
    } else {
      setConfirming(true);
    }
  }

  return (
    <>
      <FormDialog
        title="Edit rates"
        description="Changes apply from now on. Recorded sales and trades keep their rates."
        isDirty={form.isDirty}
        submission={submission}
        errorPrefix="Error saving the rates"
        saveLabel="Save rates"
        canSave={form.isDirty}
        onClose={onClose}
        onSubmit={ask}
      >
        {newsSince === undefined ? null : (
          <ChangedSettings news={changesSince(settings.changes, "rates", newsSince)} />
        )}
        <RateFields draft={draft} errors={submission.errors} onChange={set} />
      </FormDialog>
      {isConfirming ? (
        <ConfirmRates
          changes={ratesChanged(settings.rates, body)}
          onKeep={() => setConfirming(false)}
          onAct={() => {
            setConfirming(false);
            void form.save(noErrors);
          }}
        />
      ) : null}
    </>
  );
}

type RateFieldsProps = {
  readonly draft: RatesDraft;
  readonly errors: FieldErrors;
  readonly onChange: (changes: Partial<RatesDraft>) => void;
};

function RateFields({ draft, errors, onChange }: RateFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
      <Field
        label="Tax rate"
        error={errors["taxRateBasisPoints"]}
        help="Included in the prices at the till"
      >
        {(control) => (
          <NumberInput
            {...control}
            inputMode="decimal"
            after="%"
            value={draft.taxRate}
            onValue={(taxRate) => onChange({ taxRate })}
          />
        )}
      </Field>
      <Field
        label="Default consignor share"
        error={errors["defaultConsignorPercentage"]}
        help="For consignors without an agreed share"
      >
        {(control) => (
          <NumberInput
            {...control}
            after="%"
            value={draft.share}
            onValue={(share) => onChange({ share })}
          />
        )}
      </Field>
      <Field label="Trade commission" error={errors["tradeCommissionPercentage"]}>
        {(control) => (
          <NumberInput
            {...control}
            after="%"
            value={draft.commission}
            onValue={(commission) => onChange({ commission })}
          />
        )}
      </Field>
      <Field label="Trade shipping fee" error={errors["tradeShippingFee"]}>
        {(control) => (
          <MoneyInput {...control} value={draft.fee} onValue={(fee) => onChange({ fee })} />
        )}
      </Field>
    </div>
  );
}

type ConfirmRatesProps = {
  readonly changes: readonly Change[];
  readonly onKeep: () => void;
  readonly onAct: () => void;
};

function ConfirmRates({ changes, onKeep, onAct }: ConfirmRatesProps) {
  return (
    <ConfirmDialog
      title="Change the rates from now on?"
      act="Change rates"
      keep="Keep editing"
      isHarmless
      onKeep={onKeep}
      onAct={onAct}
    >
      <ul className="flex flex-col gap-1 text-text">
        {changes.map((change) => (
          <li key={change.what}>
            <ChangedValue change={change} />
          </li>
        ))}
      </ul>
      <p className="mt-3">
        Recorded sales and trades keep their rates. A till that is offline uses the old ones until
        it is back online, and its sales are marked.
      </p>
    </ConfirmDialog>
  );
}
