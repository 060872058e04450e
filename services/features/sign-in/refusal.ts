// The refusals of signing in as the contract lists them, ready to be thrown.
import { HttpError } from "#http/errors.ts";
import { signInRefusals, type SignInRefusal } from "#features/sign-in/contract.ts";

/** `path` names the field that is wrong, where one is. */
export function refuse(code: SignInRefusal, path?: string): HttpError {
  const { status, message } = signInRefusals[code];
  return new HttpError(
    status,
    code,
    message,
    path === undefined ? {} : { details: [{ path, message }] },
  );
}
