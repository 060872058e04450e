// The contract's refusals of signing in, as errors to throw.
import { HttpError } from "#http/errors.ts";
import { signInRefusals, type SignInRefusal } from "#features/sign-in/contract.ts";

/** `path` names the invalid field, if there is one. */
export function refuse(code: SignInRefusal, path?: string): HttpError {
  const { status, message } = signInRefusals[code];
  return new HttpError(
    status,
    code,
    message,
    path === undefined ? {} : { details: [{ path, message }] },
  );
}
