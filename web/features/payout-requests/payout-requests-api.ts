// The calls for payout requests: the pending ones, and settling one or many, each with its own command.
import {
  pendingResponse,
  settledResponse,
  type PayoutView,
  type PendingPayout,
  type PendingSort,
  type PendingResponse,
  type SettledResponse,
} from "#features/payouts/contract.ts";
import { asApiError, type ApiError } from "#web/lib/api-error.ts";
import { pathOf } from "#web/lib/http.ts";
import { sortParams, type ListSort } from "#web/lib/list-sort.ts";
import { usePagedRead, useRead, type PagedRead, type Read } from "#web/lib/read.ts";
import {
  pendingQueryOf,
  settledQueryOf,
  type PayoutFilters,
  type SettledFilters,
} from "./payout-filters.ts";
import { markPaid } from "#web/shared/payout/payout-api.ts";

const pageLimit = 200;

const payoutsOf = (page: PendingResponse): readonly PendingPayout[] => page.payouts;
const hasMorePayouts = (page: PendingResponse): boolean => page.nextCursor !== null;

export function usePendingPayouts(
  filters: Pick<PayoutFilters, "q" | "method">,
  sort: ListSort<PendingSort> | undefined,
): PagedRead<PendingPayout> {
  return usePagedRead({
    pathOf: (_, previous) =>
      pathOf("/payouts/pending", {
        ...pendingQueryOf(filters),
        ...sortParams(sort),
        limit: pageLimit,
        cursor: previous?.nextCursor ?? undefined,
      }),
    schema: pendingResponse,
    rowsOf: payoutsOf,
    hasMoreAfter: hasMorePayouts,
  });
}

const settledOf = (page: SettledResponse): readonly PayoutView[] => page.payouts;
const hasMoreSettled = (page: SettledResponse): boolean => page.nextCursor !== null;

/** Everybody's payouts that match, the last settled first; the first page has their sum. */
export function useSettledPayouts(filters: SettledFilters): PagedRead<PayoutView, SettledResponse> {
  return usePagedRead({
    pathOf: (_, previous: SettledResponse | undefined) =>
      pathOf("/payouts/settled", {
        ...settledQueryOf(filters),
        cursor: previous?.nextCursor ?? undefined,
      }),
    schema: settledResponse,
    rowsOf: settledOf,
    hasMoreAfter: hasMoreSettled,
  });
}

/** Count, sums and age of all pending requests, regardless of the list's filters. */
export function usePendingTotals(): Read<PendingResponse> {
  return useRead(pathOf("/payouts/pending", { limit: 1 }), pendingResponse);
}

export type Outcome = {
  readonly payout: PendingPayout;
  /** Undefined if it was paid. */
  readonly error: ApiError | undefined;
};

/**
 * Marks each payout as paid with its own command, one after the other. Continues after a refusal, because the others
 * are other people's money. `key` belongs to the batch; each payout's key is derived from it, so that the same batch
 * can be sent again. `onStep` reports how many are done.
 */
export async function markAllPaid(
  payouts: readonly PendingPayout[],
  key: string,
  onStep: (done: number) => void,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const payout of payouts) {
    const error = await markPaid(payout, `${key}:${payout.id}`).then(
      () => undefined,
      (thrown: unknown) => asApiError(thrown),
    );
    outcomes.push({ payout, error });
    onStep(outcomes.length);
  }
  return outcomes;
}
