// The filters of the payout requests and of settled payouts, as the address and the API name them.
import {
  payoutMethod,
  type PayoutMethodName,
  type SettledStatus,
} from "#features/payouts/contract.ts";
import type { Query } from "#web/lib/http.ts";
import { dayIn } from "#web/shared/sale/sales-filters.ts";

export type PayoutFilters = {
  /** Undefined for the pending ones. */
  readonly status: SettledStatus | undefined;
  readonly q: string | undefined;
  readonly method: PayoutMethodName | undefined;
  /** Days of the store, `2026-11-21`, the last one included; empty for none. Pending ones have no period. */
  readonly from: string;
  readonly to: string;
};

export type SettledFilters = PayoutFilters & { readonly status: SettledStatus };

const settled: readonly SettledStatus[] = ["paid", "returned", "deleted"];

export const settledNames: Readonly<Record<SettledStatus, string>> = {
  paid: "Paid payouts",
  returned: "Returned payouts",
  deleted: "Deleted requests",
};

/** When it was settled, in the words of each list. */
export const settledAtNames: Readonly<Record<SettledStatus, string>> = {
  paid: "Paid",
  returned: "Came back",
  deleted: "Deleted",
};

export function payoutFiltersIn(params: URLSearchParams): PayoutFilters {
  const method = payoutMethod.safeParse(params.get("method"));
  const status = settled.find((value) => value === params.get("status"));
  const dayOf = (name: string): string => (status === undefined ? "" : dayIn(params.get(name)));
  return {
    status,
    q: params.get("q")?.trim() || undefined,
    method: method.success ? method.data : undefined,
    from: dayOf("from"),
    to: dayOf("to"),
  };
}

export function isSettled(filters: PayoutFilters): filters is SettledFilters {
  return filters.status !== undefined;
}

export function pendingQueryOf({ q, method }: Pick<PayoutFilters, "q" | "method">): Query {
  return { q, method };
}

export function settledQueryOf({ status, q, method, from, to }: SettledFilters): Query {
  return { status, q, method, from: from || undefined, to: to || undefined };
}

/** The filters of an address without parameters. The status is not a filter: it says which list it is. */
export const noFilters = { q: undefined, method: undefined, from: undefined, to: undefined };

export function isFiltered({ q, method, from, to }: PayoutFilters): boolean {
  return q !== undefined || method !== undefined || from !== "" || to !== "";
}
