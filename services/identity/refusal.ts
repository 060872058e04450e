// Identity's refusals as its contract lists them, ready to be thrown.
import { HttpError } from "#http/errors.ts";
import { identityRefusals, type IdentityRefusal } from "#identity/contract.ts";

/** `path` names the field that is wrong, where one is. */
export function refuse(code: IdentityRefusal, path?: string): HttpError {
  const { status, message } = identityRefusals[code];
  return new HttpError(
    status,
    code,
    message,
    path === undefined ? {} : { details: [{ path, message }] },
  );
}
