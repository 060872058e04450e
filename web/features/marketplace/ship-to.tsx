// The shipping address of a trade request: one of the saved addresses, or another one.
import type { ShippingAddress } from "#features/trades/contract.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { isolated } from "#web/lib/isolated.ts";
import { addressLines, emptyAddress, sameAddress } from "#web/shared/trade/address-draft.ts";
import { AddressFields } from "#web/shared/trade/address-fields.tsx";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";

type ShipToProps = {
  readonly address: ShippingAddress;
  readonly saved: readonly ShippingAddress[];
  readonly errors: FieldErrors;
  readonly onChange: (address: ShippingAddress) => void;
};

/** The errors of the fields inside this one, by their own names. */
function below(errors: FieldErrors, name: string): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, message]) =>
      path.startsWith(`${name}.`) ? [[path.slice(name.length + 1), message]] : [],
    ),
  );
}

export function ShipTo({ address, saved, errors, onChange }: ShipToProps) {
  const index = saved.findIndex((one) => sameAddress(one, address));
  const problems = below(errors, "shippingAddress");
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-3 font-semibold">Ship to</legend>
      {saved.length === 0 ? null : (
        <Field label="Saved addresses">
          {(control) => (
            <Select
              {...control}
              value={index === -1 ? "other" : String(index)}
              choices={[
                ...saved.map((one, number) => ({
                  value: String(number),
                  label: addressLines(one).slice(0, 3).map(isolated).join(", "),
                })),
                { value: "other", label: "Another address" },
              ]}
              onValue={(value) => onChange(saved[Number(value)] ?? emptyAddress)}
            />
          )}
        </Field>
      )}
      {index === -1 ? (
        <AddressFields address={address} errors={problems} onChange={onChange} />
      ) : (
        <address className="text-muted not-italic">
          {addressLines(address).map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </address>
      )}
    </fieldset>
  );
}
