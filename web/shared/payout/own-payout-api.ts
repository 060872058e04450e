// The reads and calls of consignors who change or request a payout. Loaded with the dialogs.
import { summaryResponse, type SummaryResponse } from "#features/accounts/contract-summary.ts";
import {
  correctHandleRequest,
  correctHandleResponse,
  payoutHistoryResponse,
  type CorrectHandleRequest,
  type CorrectHandleResponse,
  type PayoutHistoryResponse,
} from "#features/payouts/contract.ts";
import { pathOf, send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";
import { whereTo, type HandleDraft } from "./handle-draft.ts";
import { payoutPath, type NamedPayout } from "./payout-api.ts";

const MOST = 1000;

export function useOwnPending(uid: string): Read<PayoutHistoryResponse> {
  const query = { status: "pending", sort: "date", limit: MOST };
  return useRead(pathOf(`/sales/payouts/${uid}`, query), payoutHistoryResponse);
}

/** The newest of the person's own payouts, of any status. */
export function useNewestPayouts(uid: string): Read<PayoutHistoryResponse> {
  return useRead(pathOf(`/sales/payouts/${uid}`, { limit: 50 }), payoutHistoryResponse);
}

export function useOwnSummary(uid: string): Read<SummaryResponse> {
  return useRead(`/accounts/${uid}/summary`, summaryResponse);
}

type Correction = { readonly payout: NamedPayout; readonly draft: HandleDraft };

/** Call it only if the contract refuses nothing of the draft. */
export function correctHandle(
  { payout, draft }: Correction,
  key: string,
): Promise<CorrectHandleResponse> {
  const path = `${payoutPath(payout)}/handle`;
  const body: CorrectHandleRequest = correctHandleRequest.parse(whereTo(draft));
  return send({ method: "PUT", path, body, answer: correctHandleResponse, key });
}
