// The fields of a shipping address. That some are empty is said once, and at each of them which one it is.
import {
  ADDRESS_MESSAGE,
  shippingAddress,
  type ShippingAddress,
} from "#features/trades/contract.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Field } from "#web/ui/field.tsx";
import { TextInput } from "#web/ui/text-input.tsx";

const fields = [
  { name: "name", label: "Name", autoComplete: "shipping name", width: "col-span-6" },
  { name: "street", label: "Street", autoComplete: "shipping street-address", width: "col-span-6" },
  { name: "city", label: "City", autoComplete: "shipping address-level2", width: "col-span-6" },
  { name: "state", label: "State", autoComplete: "shipping address-level1", width: "col-span-2" },
  { name: "zip", label: "ZIP code", autoComplete: "shipping postal-code", width: "col-span-2" },
  { name: "country", label: "Country", autoComplete: "shipping country-name", width: "col-span-2" },
] as const;

/** "Enter the city" */
function emptyText(label: string): string {
  return `Enter the ${label === "ZIP code" ? label : label.toLowerCase()}`;
}

type AddressFieldsProps = {
  readonly address: ShippingAddress;
  /** By field name. */
  readonly errors: FieldErrors;
  readonly onChange: (address: ShippingAddress) => void;
};

export function AddressFields({ address, errors, onChange }: AddressFieldsProps) {
  return (
    <>
      <div className="grid grid-cols-6 items-start gap-x-3 gap-y-3">
        {fields.map(({ name, label, autoComplete, width }) => (
          <Field
            key={name}
            label={label}
            typed={{ text: address[name] ?? "", into: shippingAddress.shape[name] }}
            error={errors[name] === ADDRESS_MESSAGE ? emptyText(label) : errors[name]}
            className={width}
          >
            {(control) => (
              <TextInput
                {...control}
                autoComplete={autoComplete}
                value={address[name] ?? ""}
                onValue={(value) => onChange({ ...address, [name]: value })}
              />
            )}
          </Field>
        ))}
      </div>
      <ErrorLine>
        {fields.some(({ name }) => errors[name] === ADDRESS_MESSAGE) ? ADDRESS_MESSAGE : undefined}
      </ErrorLine>
    </>
  );
}
