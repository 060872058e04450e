// One action: sent once however often the button is pressed, and repeated with the same key if its result is unknown.
import { useRef, useState } from "react";
import { asApiError, type ApiError } from "./api-error.ts";
import { randomId } from "./random-id.ts";

export type Action<Input, Result> = {
  /** Carries out the action. Returns undefined if it failed (see `error`) or is already under way. */
  readonly run: (input: Input) => Promise<Result | undefined>;
  readonly isBusy: boolean;
  readonly error: ApiError | undefined;
  readonly clearError: () => void;
};

type Uncertain = { readonly key: string; readonly input: string };

/** `carryOut` gets the action's idempotency key: a new one each time, or the last one after an unknown result with equal input. */
export function useAction<Input, Result>(
  carryOut: (input: Input, key: string) => Promise<Result>,
): Action<Input, Result> {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const running = useRef(false);
  const uncertain = useRef<Uncertain | undefined>(undefined);

  async function run(input: Input): Promise<Result | undefined> {
    if (running.current) {
      return undefined;
    }
    running.current = true;
    setBusy(true);
    setError(undefined);
    const text = JSON.stringify(input) ?? "";
    const key = uncertain.current?.input === text ? uncertain.current.key : randomId();
    try {
      const result = await carryOut(input, key);
      uncertain.current = undefined;
      return result;
    } catch (thrown) {
      const failure = asApiError(thrown);
      uncertain.current = failure.isUncertain ? { key, input: text } : undefined;
      // Somebody who closes the sign-in question has changed their mind: nothing failed.
      setError(failure.code === "confirmation_required" ? undefined : failure);
      return undefined;
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  return { run, isBusy, error, clearError: () => setError(undefined) };
}
