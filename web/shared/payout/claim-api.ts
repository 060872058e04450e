// The calls of an admin who pays a request: having it for a while, and saying that no money was sent.
import {
  claimResponse,
  pendingResponse,
  type ClaimResponse,
  type PendingPayout,
} from "#features/payouts/contract.ts";
import { ApiError, asApiError } from "#web/lib/api-error.ts";
import { useAction, type Action } from "#web/lib/action.ts";
import { pathOf, read, send } from "#web/lib/http.ts";
import { showErrorToast } from "#web/ui/toast.ts";
import { payoutPath, type NamedPayout } from "./payout-api.ts";

const MOST = 1000;

/**
 * Claims the request, and reads where it goes now: the list may be from before the consignor corrected it, which they
 * cannot do any more. Throws ApiError.
 */
async function beginToPay(payout: NamedPayout, key: string): Promise<PendingPayout> {
  const path = `${payoutPath(payout)}/claim`;
  await send({ method: "POST", path, answer: claimResponse, key });
  const { value, isStale } = await read(
    pathOf("/payouts/pending", { consignor: payout.consignorID, limit: MOST }),
    pendingResponse,
  );
  const found = value.payouts.find(({ id }) => id === payout.id);
  if (isStale || found === undefined) {
    throw new ApiError(409, "payout_unread", "The list is behind the ledger. Press Pay again");
  }
  return found;
}

function release(payout: NamedPayout, key: string): Promise<ClaimResponse> {
  const path = `${payoutPath(payout)}/claim`;
  return send({ method: "DELETE", path, answer: claimResponse, key });
}

/** An action of a row, which has no place for a refusal: it is a message at the edge of the screen. */
function useToldAction<Result>(
  carryOut: (payout: NamedPayout, key: string) => Promise<Result>,
): Action<NamedPayout, Result> {
  return useAction(async ({ id, consignorID }: NamedPayout, key: string) => {
    try {
      return await carryOut({ id, consignorID }, key);
    } catch (thrown) {
      showErrorToast(asApiError(thrown).message);
      throw thrown;
    }
  });
}

export function useBeginToPay(): Action<NamedPayout, PendingPayout> {
  return useToldAction(beginToPay);
}

export function useRelease(): Action<NamedPayout, ClaimResponse> {
  return useToldAction(release);
}
