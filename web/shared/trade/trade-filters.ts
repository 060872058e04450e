// The filters of the viewer's trades and offers, as the address and the API name them.
import { tradeStatus, type TradeStatus } from "#features/trades/contract.ts";
import type { Query } from "#web/lib/http.ts";
import { dayIn } from "#web/shared/sale/sales-filters.ts";

export type TradeFilters = {
  readonly q: string | undefined;
  /** Days of the store, `2026-11-21`, the last one included; empty for none. */
  readonly from: string;
  readonly to: string;
  /** Undefined for any. Offers have tabs instead. */
  readonly status: TradeStatus | undefined;
};

export function tradeFiltersIn(params: URLSearchParams): TradeFilters {
  const status = tradeStatus.safeParse(params.get("status"));
  return {
    q: params.get("q")?.trim() || undefined,
    from: dayIn(params.get("from")),
    to: dayIn(params.get("to")),
    status: status.success ? status.data : undefined,
  };
}

export function queryOf({ q, from, to, status }: TradeFilters): Query {
  return { q, from: from || undefined, to: to || undefined, status };
}

/** The filters of an address without parameters. */
export const noFilters = { q: undefined, from: undefined, to: undefined, status: undefined };

export function isFiltered(filters: TradeFilters): boolean {
  return Object.values(queryOf(filters)).some((value) => value !== undefined);
}
