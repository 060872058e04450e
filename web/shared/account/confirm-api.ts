// The calls with which the signed-in person confirms who they are.
import {
  confirmedResponse,
  confirmWaysResponse,
  type ConfirmWaysResponse,
} from "#features/sign-in/contract-confirm.ts";
import { send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";
import { answerOfOwnPasskey } from "./passkeys.ts";
import type { Proof } from "./proof-dialog.tsx";

export function useConfirmWays(): Read<ConfirmWaysResponse> {
  return useRead("/identity/confirm", confirmWaysResponse);
}

/** Counts for ten minutes, in this browser's session. Throws ApiError. */
export async function confirmIdentity(proof: Proof, key: string): Promise<true> {
  const body =
    proof.way === "passkey"
      ? { passkey: await answerOfOwnPasskey("confirm/passkey") }
      : proof.way === "totp"
        ? { code: proof.typed }
        : { password: proof.typed };
  const path = "/identity/confirm";
  return (await send({ method: "POST", path, body, answer: confirmedResponse, key })).confirmed;
}
