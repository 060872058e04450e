// Submits a form: checks it, sends it once, and assigns the errors to its fields.
import { useMemo, useState } from "react";
import { useAction } from "./action.ts";
import type { ApiError } from "./api-error.ts";
import { errorsFrom, hasErrors, noErrors, type FieldErrors } from "./form-errors.ts";

export type Submission<Body, Result> = {
  /** By field. The same object until the form is checked or refused again. */
  readonly errors: FieldErrors;
  /** The refusal that belongs to no field. */
  readonly error: ApiError | undefined;
  readonly isBusy: boolean;
  /** Sends `body` unless it is already invalid. Returns undefined if it was not carried out. */
  readonly submit: (wrong: FieldErrors, body: Body) => Promise<Result | undefined>;
  /** Clears the errors after a field was changed. */
  readonly clear: () => void;
};

/** `fieldOf` assigns refusals to fields by their code: `{ not_enough_stock: "quantity" }`. */
export function useSubmission<Body, Result>(
  send: (body: Body, key: string) => Promise<Result>,
  fieldOf: Readonly<Record<string, string>> = {},
): Submission<Body, Result> {
  const [found, setFound] = useState<FieldErrors>(noErrors);
  const action = useAction(send);
  const field = action.error === undefined ? undefined : fieldOf[action.error.code];
  const refused = useMemo(
    () =>
      action.error !== undefined && field !== undefined
        ? { [field]: action.error.message }
        : errorsFrom(action.error),
    [action.error, field],
  );
  return {
    errors: hasErrors(found) ? found : refused,
    error: hasErrors(refused) ? undefined : action.error,
    isBusy: action.isBusy,
    async submit(wrong, body) {
      setFound(wrong);
      if (hasErrors(wrong)) {
        action.clearError();
        return undefined;
      }
      return action.run(body);
    },
    clear() {
      setFound(noErrors);
      action.clearError();
    },
  };
}
