// The calls with which the signed-in person confirms who they are.
import {
  confirmedResponse,
  confirmWaysResponse,
  type ConfirmRequest,
  type ConfirmWaysResponse,
} from "#features/sign-in/contract-confirm.ts";
import { send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";

export function useConfirmWays(): Read<ConfirmWaysResponse> {
  return useRead("/identity/confirm", confirmWaysResponse);
}

/** Counts for ten minutes, in this browser's session. Throws ApiError. */
export async function confirmIdentity(body: ConfirmRequest, key: string): Promise<true> {
  const path = "/identity/confirm";
  return (await send({ method: "POST", path, body, answer: confirmedResponse, key })).confirmed;
}
