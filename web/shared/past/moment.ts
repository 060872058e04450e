// Which moment of the past the address names: a local day, an instant, or a position of the ledger (`?at=…&by=…`).
import type { ViewBy } from "#features/accounts/contract-as-of.ts";

/** Every parameter of the past, for what leads back to now. */
export const noPast = { at: undefined, by: undefined } as const;

/** The first instant after a local day: "2026-03-05" → the 6th at 00:00. Undefined if it is not a day. */
export function dayAfter(day: string | null): Date | undefined {
  if (day === null || !/^\d{4}-\d{2}-\d{2}$/u.test(day)) {
    return undefined;
  }
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + 1);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** As the calls take it: a position, or an instant. A day counts until its end. Undefined for now. */
export function momentIn(params: URLSearchParams): string | undefined {
  const at = params.get("at") ?? "";
  if (/^[1-9]\d{0,14}$/u.test(at)) {
    return at;
  }
  const after = dayAfter(at);
  if (after !== undefined) {
    return new Date(after.getTime() - 1).toISOString();
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
