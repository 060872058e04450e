// How far the proof of the books is, and asking for one now. For admins.
import {
  alertDoneResponse,
  proofResponse,
  type AlertDoneResponse,
  type ProofResponse,
} from "#features/alerts/contract.ts";
import { send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";

export function useProof(): Read<ProofResponse> {
  return useRead("/proof", proofResponse);
}

/** Throws ApiError. */
export async function runProof(_nothing: undefined, key: string): Promise<AlertDoneResponse> {
  return await send({ method: "POST", path: "/proof/run", answer: alertDoneResponse, key });
}
