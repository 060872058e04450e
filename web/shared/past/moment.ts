// Which moment of the past the address names: a day of the store, an instant, or a position of the ledger (`?at=…&by=…`).
import type { ViewBy } from "#features/accounts/contract-as-of.ts";
import { isDay } from "#ledger/day-text.ts";

/** Every parameter of the past, for what leads back to now. */
export const noPast = { at: undefined, by: undefined } as const;

/** The day that the address names, with this browser's midnight, for showing it. Undefined if it names none. */
export function dayIn(params: URLSearchParams): Date | undefined {
  const at = params.get("at") ?? "";
  return isDay(at) ? new Date(`${at}T00:00`) : undefined;
}

/** As the calls take it: a position, an instant, or a day, which the server ends where the store's does. Undefined for now. */
export function momentIn(params: URLSearchParams): string | undefined {
  const at = params.get("at") ?? "";
  if (/^[1-9]\d{0,14}$/u.test(at) || isDay(at)) {
    return at;
  }
  const time = /^\d{4}-.*T/u.test(at) ? Date.parse(at) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** How the past is looked at; `compare` shows the difference of the other two. */
export type PastView = ViewBy | "compare";

const views: readonly PastView[] = ["recorded", "effective", "compare"];

export function viewIn(params: URLSearchParams): PastView {
  return views.find((view) => view === params.get("by")) ?? "recorded";
}
