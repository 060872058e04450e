// A form on its way: checked before it is sent, sent once, and what is wrong afterwards sorted to its fields.
import { useMemo, useState } from "react";
import { useAction } from "./action.ts";
import type { ApiError } from "./api-error.ts";
import { errorsFrom, hasErrors, noErrors, type FieldErrors } from "./form-errors.ts";

export type Submission<Body, Result> = {
  /** By field; the same object until it is checked or refused anew. */
  readonly errors: FieldErrors;
  /** The refusal that belongs to no field. */
  readonly error: ApiError | undefined;
  readonly isBusy: boolean;
  /** Sends `body` unless something is wrong with it already; undefined where it was not carried out. */
  readonly submit: (wrong: FieldErrors, body: Body) => Promise<Result | undefined>;
  /** After a field was changed, what was wrong is no longer said. */
  readonly clear: () => void;
};

/** `fieldOf` sends refusals by their code to a field: `{ not_enough_stock: "quantity" }`. */
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
