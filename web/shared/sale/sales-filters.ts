// The filters of the list of sales, as the address and as the API name them.
import { looksLikeUid } from "#web/shared/consignor/consignor-api.ts";
import type { Query } from "#web/lib/http.ts";

export const kindChoices = [
  { value: "all", label: "All kinds" },
  { value: "consignor", label: "Consignors' items" },
  { value: "master", label: "Store's items" },
  { value: "custom", label: "Custom sales" },
] as const;

export const statusChoices = [
  { value: "all", label: "Any status" },
  { value: "sold", label: "Sold" },
  { value: "partly_refunded", label: "Partly refunded" },
  { value: "refunded", label: "Refunded" },
  { value: "unpriced", label: "Without a price" },
] as const;

export const paidChoices = [
  { value: "all", label: "Any payment" },
  { value: "cash", label: "Cash" },
  { value: "card", label: "Card" },
  { value: "other", label: "Other" },
  { value: "unsaid", label: "Not recorded" },
] as const;

export type KindChoice = (typeof kindChoices)[number]["value"];
export type StatusChoice = (typeof statusChoices)[number]["value"];

export type PaidChoice = (typeof paidChoices)[number]["value"];

export type SalesFilters = {
  readonly searchTerm: string;
  /** A uid; undefined for all. */
  readonly consignor: string | undefined;
  readonly kind: KindChoice;
  readonly status: StatusChoice;
  readonly paid: PaidChoice;
  /** Days of the store, `2026-11-21`, the last one included, or exact instants, the last one excluded; empty for none. */
  readonly from: string;
  readonly to: string;
};

function choiceIn<Value extends string>(
  choices: readonly { readonly value: Value }[],
  text: string | null,
  fallback: Value,
): Value {
  return choices.find(({ value }) => value === text)?.value ?? fallback;
}

/** A day of an address; empty if it is none. */
export function dayIn(text: string | null): string {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : "";
}

/** A day of an address, or the exact instant that a link from the store's day has; empty if it is neither. */
export function boundIn(text: string | null): string {
  return text !== null &&
    /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) &&
    !Number.isNaN(Date.parse(text))
    ? text
    : dayIn(text);
}

function isInstant(bound: string): boolean {
  return bound.includes("T");
}

/** The day of a bound, for the field that shows it. */
export function dayOf(bound: string, isEnd: boolean, timeZone?: string): string {
  return isInstant(bound)
    ? new Date(Date.parse(bound) - (isEnd ? 1 : 0)).toLocaleDateString("sv-SE", { timeZone })
    : bound;
}

/**
 * The parameters of whole days of the store; exact instants for other periods, as after a change of the time
 * zone. Without a time zone it is that of this browser: a midnight of both is the same day's.
 */
export function storeDayParams(from: string, to: string, timeZone?: string): string {
  const isMidnight = (at: string) =>
    new Date(at).toLocaleTimeString("sv-SE", { timeZone }) === "00:00:00";
  return isMidnight(from) && isMidnight(to)
    ? `from=${dayOf(from, false, timeZone)}&to=${dayOf(to, true, timeZone)}`
    : `from=${from}&to=${to}`;
}

export function salesFiltersIn(params: URLSearchParams): SalesFilters {
  const consignor = params.get("consignor")?.trim() ?? "";
  return {
    searchTerm: params.get("q")?.trim() ?? "",
    consignor: looksLikeUid(consignor) ? consignor : undefined,
    kind: choiceIn(kindChoices, params.get("kind"), "all"),
    status: choiceIn(statusChoices, params.get("status"), "all"),
    paid: choiceIn(paidChoices, params.get("paid"), "all"),
    from: boundIn(params.get("from")),
    to: boundIn(params.get("to")),
  };
}

export function queryOf({
  searchTerm,
  consignor,
  kind,
  status,
  paid,
  from,
  to,
}: SalesFilters): Query {
  return {
    searchTerm,
    consignor,
    kind: kind === "all" ? undefined : kind,
    status: status === "all" ? undefined : status,
    paidBy: paid === "all" ? undefined : paid,
    from: from || undefined,
    to: to || undefined,
  };
}

/** The filters of an address without parameters. */
export const noFilters = {
  q: undefined,
  consignor: undefined,
  kind: undefined,
  status: undefined,
  paid: undefined,
  from: undefined,
  to: undefined,
};

export function isFiltered(filters: SalesFilters): boolean {
  return Object.values(queryOf(filters)).some((value) => value !== undefined && value !== "");
}
