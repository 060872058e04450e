// The fields that say where a payout goes: the payment method, and the handle there.
import { TriangleAlert } from "lucide-react";
import type { PayoutMethodName } from "#features/payouts/contract.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { Field } from "#web/ui/field.tsx";
import { Icon } from "#web/ui/icon.tsx";
import type { Choice } from "#web/ui/select.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { forcePrefix } from "./force-prefix.ts";
import { seemsUnusual, type HandleDraft } from "./handle-draft.ts";
import { methodWords } from "./method-words.ts";

const methods: readonly Choice<PayoutMethodName>[] = [
  { value: "cashapp", label: methodWords.cashapp },
  { value: "venmo", label: methodWords.venmo },
];

const handleLabels = { cashapp: "Cashtag", venmo: "Venmo username" } as const;

type HandleFieldsProps = {
  readonly draft: HandleDraft;
  readonly errors: FieldErrors;
  /** "Check it before you request." */
  readonly advice: string;
  /** What is known against the entered handle. */
  readonly doubt?: string | undefined;
  readonly onChange: (changes: Partial<HandleDraft>) => void;
};

export function HandleFields({ draft, errors, advice, doubt, onChange }: HandleFieldsProps) {
  return (
    <>
      <ChoiceGroup
        label="Payment method"
        value={draft.method}
        onValue={(method) => onChange({ method })}
        choices={methods}
        error={errors["method"]}
      />
      {draft.method === "" ? null : (
        <HandleField
          key={draft.method}
          draft={draft}
          method={draft.method}
          error={errors["paymentUsername"]}
          advice={advice}
          doubt={doubt}
          onChange={onChange}
        />
      )}
    </>
  );
}

type HandleFieldProps = Omit<HandleFieldsProps, "errors"> & {
  readonly method: PayoutMethodName;
  readonly error: string | undefined;
};

function HandleField({ draft, method, error, advice, doubt, onChange }: HandleFieldProps) {
  const warning = doubt ?? (seemsUnusual(draft) ? "This looks unusual." : undefined);
  return (
    <Field
      label={handleLabels[method]}
      error={error}
      help={
        warning === undefined ? undefined : (
          <span className="flex items-start gap-1 text-pending">
            <Icon of={TriangleAlert} size={14} className="mt-px" />
            {`${warning} ${advice}`}
          </span>
        )
      }
    >
      {(control) => (
        <TextInput
          {...control}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={draft.handles[method]}
          onValue={(typed) =>
            onChange({ handles: { ...draft.handles, [method]: forcePrefix(method, typed) } })
          }
        />
      )}
    </Field>
  );
}
