// What is wrong with a backup password before it is sent.
import { linkPasswordRequest } from "#features/sign-in/contract.ts";
import { errorsIn, type FieldErrors } from "#web/lib/form-errors.ts";

/** By field: `password`, or `repeated` where both are long enough and differ. */
export function passwordErrors(password: string, repeated: string): FieldErrors {
  const found = errorsIn(linkPasswordRequest, { password });
  return "password" in found || password === repeated
    ? found
    : { repeated: "Passwords do not match" };
}
