// The form for the store's name, address and texts. The help below each field says where it is shown.
import { changeDetailsRequest, type SettingsResponse } from "#features/settings/contract.ts";
import { errorsIn, type FieldErrors } from "#web/lib/form-errors.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { ChangedSettings } from "./changed-settings.tsx";
import { saveDetails } from "./settings-api.ts";
import { changesSince, detailsDraft, detailsRequest, type DetailsDraft } from "./settings-draft.ts";
import { useSettingsForm } from "./use-settings-form.ts";

type DetailsFormProps = { readonly settings: SettingsResponse; readonly onClose: () => void };

export function DetailsForm({ settings, onClose }: DetailsFormProps) {
  const form = useSettingsForm({
    settings,
    base: detailsDraft(settings.details),
    version: settings.details.version,
    requestOf: detailsRequest,
    send: saveDetails,
    onSaved: onClose,
  });
  const { draft, set, submission, newsSince } = form;
  const fields = { draft, errors: submission.errors, onChange: set };
  return (
    <FormDialog
      title="Edit store details"
      description="Changes apply from now on. What you leave empty is not shown."
      isWide
      isDirty={form.isDirty}
      submission={submission}
      errorPrefix="Error saving the details"
      saveLabel="Save details"
      canSave={form.isDirty}
      onClose={onClose}
      onSubmit={() => void form.save(errorsIn(changeDetailsRequest, form.body))}
    >
      {newsSince === undefined ? null : (
        <ChangedSettings news={changesSince(settings.changes, "details", newsSince)} />
      )}
      <div className="grid grid-cols-2 gap-x-6 gap-y-4 max-sm:grid-cols-1">
        <Texts {...fields} />
        <Address {...fields} />
      </div>
    </FormDialog>
  );
}

type FieldsProps = {
  readonly draft: DetailsDraft;
  readonly errors: FieldErrors;
  readonly onChange: (changes: Partial<DetailsDraft>) => void;
};

function Texts({ draft, errors, onChange }: FieldsProps) {
  return (
    <div className="flex flex-col gap-4">
      <Field
        label="Store name"
        isOptional
        typed={{ text: draft.storeName, into: changeDetailsRequest.shape.storeName }}
        error={errors["storeName"]}
        help="On every screen, receipt, statement and email"
      >
        {(control) => (
          <TextInput
            {...control}
            autoComplete="organization"
            value={draft.storeName}
            onValue={(storeName) => onChange({ storeName })}
          />
        )}
      </Field>
      <Field
        label="Return policy"
        isOptional
        typed={{ text: draft.returnPolicy, into: changeDetailsRequest.shape.returnPolicy }}
        error={errors["returnPolicy"]}
        help="Printed below each receipt"
      >
        {(control) => (
          <TextArea
            {...control}
            value={draft.returnPolicy}
            onValue={(returnPolicy) => onChange({ returnPolicy })}
          />
        )}
      </Field>
      <Field
        label="Community chat link"
        isOptional
        error={errors["chatLink"]}
        help="An invitation that does not expire"
      >
        {(control) => (
          <TextInput
            {...control}
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder="https://"
            value={draft.chatLink}
            onValue={(chatLink) => onChange({ chatLink })}
          />
        )}
      </Field>
      <Field
        label="Venmo name"
        isOptional
        error={errors["venmoName"]}
        help="Consignors charge this account for their payouts"
      >
        {(control) => (
          <TextInput
            {...control}
            before="@"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={draft.venmoName}
            onValue={(typed) => onChange({ venmoName: typed.replace(/^@+/u, "") })}
          />
        )}
      </Field>
    </div>
  );
}

const addressFields = [
  { name: "name", label: "Recipient", autoComplete: "organization", className: "col-span-2" },
  { name: "street", label: "Street", autoComplete: "street-address", className: "col-span-2" },
  { name: "city", label: "City", autoComplete: "address-level2", className: "col-span-2" },
  { name: "state", label: "State", autoComplete: "address-level1", className: "" },
  { name: "zip", label: "ZIP code", autoComplete: "postal-code", className: "" },
  { name: "country", label: "Country", autoComplete: "country-name", className: "col-span-2" },
] as const;

function Address({ draft, errors, onChange }: FieldsProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 font-medium">Shipping address</legend>
      <p className="text-12 text-muted">
        Where consignors send their boxes and trades their items; also on receipts.
      </p>
      <div className="grid grid-cols-2 content-start gap-3">
        {addressFields.map(({ name, label, autoComplete, className }) => (
          <Field
            key={name}
            label={label}
            isOptional={name === "name" || name === "country"}
            className={className}
            error={errors[`shippingAddress.${name}`]}
          >
            {(control) => (
              <TextInput
                {...control}
                autoComplete={autoComplete}
                value={draft[name]}
                onValue={(typed) => onChange({ [name]: typed })}
              />
            )}
          </Field>
        ))}
      </div>
    </fieldset>
  );
}
