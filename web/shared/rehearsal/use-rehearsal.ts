// Asks the server what a form would do, while it is filled in and again whenever the ledger advances.
import { useEffect, useEffectEvent } from "react";
import useSWR from "swr";
import { rehearsalResponse, type RehearsalResponse } from "#features/rehearsal/contract.ts";
import { asApiError, type ApiError } from "#web/lib/api-error.ts";
import { useDebounced } from "#web/lib/debounced.ts";
import { call, untilNextSend, type Method } from "#web/lib/http.ts";
import { watch } from "#web/lib/live.ts";

/** The call that the form would send. */
export type RehearsedCall = {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
};

export type Rehearsal =
  /** The form is not complete yet. */
  | { readonly kind: "none" }
  | { readonly kind: "loading" }
  | { readonly kind: "ready"; readonly outcome: RehearsalResponse }
  /** The ledger would refuse the call now. */
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  /** It is unknown what the call would do; it can be sent anyway. */
  | { readonly kind: "failed"; readonly retry: () => void };

/** So that a call is not asked for every letter that is typed. */
const settleMs = 250;

/** `form` is undefined while the form is incomplete. What was rehearsed last is not shown for another call. */
export function useRehearsal(form: RehearsedCall | undefined): Rehearsal {
  const asked = form === undefined ? undefined : JSON.stringify(form);
  const settled = useDebounced(asked, settleMs);
  const { data, error, mutate } = useSWR<RehearsalResponse, unknown>(
    settled === undefined ? null : ["rehearsal", settled],
    ([, text]: readonly [string, string]) => rehearse(text),
    { shouldRetryOnError: false, revalidateOnFocus: false, dedupingInterval: 0 },
  );
  const refresh = useEffectEvent(async () => (untilNextSend().aborted ? undefined : mutate()));
  const position = useEffectEvent(() => data?.position);
  useEffect(
    () =>
      settled === undefined
        ? undefined
        : watch({ refresh: () => refresh(), freshTo: () => position() }),
    [settled],
  );
  if (asked === undefined) {
    return { kind: "none" };
  }
  if (asked !== settled || (data === undefined && error === undefined)) {
    return { kind: "loading" };
  }
  if (error !== undefined) {
    const failure = asApiError(error);
    return isRefusal(failure)
      ? { kind: "refused", code: failure.code, message: failure.message }
      : { kind: "failed", retry: () => void mutate() };
  }
  return data === undefined ? { kind: "loading" } : { kind: "ready", outcome: data };
}

/**
 * Nothing is done, so nothing on screen is read again. Throws ApiError. While the form is sent it never answers: the
 * ledger may have the call by then, and would refuse it a second time. A form that was refused asks again.
 */
async function rehearse(text: string): Promise<RehearsalResponse> {
  // It was written by `useRehearsal`.
  const { method, path, body } = JSON.parse(text) as RehearsedCall;
  const signal = untilNextSend();
  try {
    const response = await call(path, {
      method,
      headers: { "Content-Type": "application/json", "Ledger-Rehearsal": "true" },
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return rehearsalResponse.parse(await response.json());
  } catch (error) {
    if (signal.aborted) {
      return new Promise(() => undefined);
    }
    throw error;
  }
}

function isRefusal({ status }: ApiError): boolean {
  return status === 400 || status === 404 || status === 409;
}
