// The errors of a backup password, found before it is sent.
import { linkPasswordRequest } from "#features/sign-in/contract.ts";
import { errorsIn, type FieldErrors } from "#web/lib/form-errors.ts";

/** By field: `password`, or `repeated` if both are long enough but differ. */
export function passwordErrors(password: string, repeated: string): FieldErrors {
  const found = errorsIn(linkPasswordRequest, { password });
  return "password" in found || password === repeated
    ? found
    : { repeated: "Passwords do not match" };
}
