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
import { isSettled, pendingQueryOf, settledQueryOf, type PayoutFilters } from "./payout-filters.ts";
import { markPaid } from "#web/shared/payout/payout-api.ts";

const pageLimit = 200;

const payoutsOf = (page: PendingResponse): readonly PendingPayout[] => page.payouts;
const hasMorePayouts = (page: PendingResponse): boolean => page.nextCursor !== null;

/** Reads nothing while settled payouts are listed instead. */
export function usePendingPayouts(
  filters: PayoutFilters,
  sort: ListSort<PendingSort> | undefined,
): PagedRead<PendingPayout> {
  return usePagedRead({
    pathOf: isSettled(filters)
      ? undefined
      : (_, previous) =>
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

/** Everybody's payouts that match, the last settled first; the first page has their sum. Nothing for pending ones. */
export function useSettledPayouts(filters: PayoutFilters): PagedRead<PayoutView, SettledResponse> {
  return usePagedRead({
    pathOf: isSettled(filters)
      ? (_, previous: SettledResponse | undefined) =>
          pathOf("/payouts/settled", {
            ...settledQueryOf(filters),
            cursor: previous?.nextCursor ?? undefined,
          })
      : undefined,
    schema: settledResponse,
    rowsOf: settledOf,
    hasMoreAfter: hasMoreSettled,
  });
}

/** Count, sums and age of all pending requests, regardless of the list's filters. */
export function usePendingTotals(): Read<PendingResponse> {
  return useRead(pathOf("/payouts/pending", { limit: 1 }), pendingResponse);
}

/** `unsent`: the person did not want to confirm who they are, for this one or for one before it. */
export type Outcome = { readonly payout: PendingPayout } & (
  | { readonly kind: "paid" | "unsent" }
  | { readonly kind: "failed"; readonly error: ApiError }
);

async function markOne(payout: PendingPayout, key: string): Promise<Outcome> {
  try {
    await markPaid(payout, key);
    return { payout, kind: "paid" };
  } catch (thrown) {
    const error = asApiError(thrown);
    return error.code === "confirmation_required"
      ? { payout, kind: "unsent" }
      : { payout, kind: "failed", error };
  }
}

/**
 * Marks each payout as paid with its own command, one after the other. Continues after a refusal, because the others
 * are other people's money, but not after a confirmation that the person closed: each large payout would ask again.
 * `key` belongs to the batch; each payout's key is derived from it. A batch that is sent again has a new key: what it
 * had marked before is refused as paid already. `onStep` reports how many are done.
 */
export async function markAllPaid(
  payouts: readonly PendingPayout[],
  key: string,
  onStep: (done: number) => void,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const payout of payouts) {
    const outcome = await markOne(payout, `${key}:${payout.id}`);
    if (outcome.kind === "unsent") {
      const rest = payouts.slice(outcomes.length);
      return [...outcomes, ...rest.map((left) => ({ payout: left, kind: "unsent" as const }))];
    }
    outcomes.push(outcome);
    onStep(outcomes.length);
  }
  return outcomes;
}
