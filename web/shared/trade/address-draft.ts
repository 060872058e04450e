// A shipping address while it is typed: empty, checked, compared, and as lines.
import { shippingAddress, type ShippingAddress } from "#features/trades/contract.ts";
import { errorsIn, noErrors, type FieldErrors } from "#web/lib/form-errors.ts";

export const emptyAddress: ShippingAddress = {
  name: "",
  street: "",
  city: "",
  state: "",
  zip: "",
  country: "USA",
};

/** Errors by field. */
export function addressErrors(address: ShippingAddress): FieldErrors {
  const errors = errorsIn(shippingAddress, address);
  return Object.keys(errors).length === 0 ? noErrors : errors;
}

export function sameAddress(one: ShippingAddress, other: ShippingAddress): boolean {
  return addressLines(one).join("\n") === addressLines(other).join("\n");
}

/** As on a parcel. */
export function addressLines({
  name,
  street,
  city,
  state,
  zip,
  country,
}: ShippingAddress): readonly string[] {
  return [name, street, `${city}, ${state} ${zip}`, country];
}
