// The calls for one's own passkeys, authenticator app, recovery codes and password.
import {
  factorAddedResponse,
  factorRemovedResponse,
  factorsResponse,
  recoveryCodesResponse,
  totpStartedResponse,
  type FactorAdded,
  type FactorsResponse,
  type TotpStarted,
} from "#features/sign-in/contract-factors.ts";
import { passwordChangedResponse } from "#features/sign-in/contract-account.ts";
import { send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";
import { newPasskey } from "#web/shared/account/passkeys.ts";

export function useFactors(): Read<FactorsResponse> {
  return useRead("/identity/factors", factorsResponse);
}

/** What the app scans. Throws ApiError. */
export function startTotp(_: undefined, key: string): Promise<TotpStarted> {
  const path = "/identity/factors/totp/start";
  return send({ method: "POST", path, body: {}, answer: totpStartedResponse, key });
}

/** Throws ApiError. */
export function addTotp(body: { readonly code: string }, key: string): Promise<FactorAdded> {
  const path = "/identity/factors/totp";
  return send({ method: "POST", path, body, answer: factorAddedResponse, key });
}

/** Opens the browser's dialog. Throws ApiError. */
export async function addPasskey(
  { name }: { readonly name: string },
  key: string,
): Promise<FactorAdded> {
  const body = { name, passkey: await newPasskey() };
  const path = "/identity/factors/passkey";
  return send({ method: "POST", path, body, answer: factorAddedResponse, key });
}

/** Throws ApiError. */
export async function removeFactor(id: string, key: string): Promise<true> {
  const path = `/identity/factors/${id}`;
  return (await send({ method: "DELETE", path, answer: factorRemovedResponse, key })).removed;
}

/** Replaces all recovery codes. Throws ApiError. */
export async function newRecoveryCodes(_: undefined, key: string): Promise<readonly string[]> {
  const path = "/identity/factors/recovery-codes";
  const answer = recoveryCodesResponse;
  return (await send({ method: "POST", path, body: {}, answer, key })).recoveryCodes;
}

/** Returns how many other sessions it ended. Throws ApiError. */
export async function changePassword(
  body: { readonly oldPassword: string; readonly newPassword: string },
  key: string,
): Promise<number> {
  const path = "/identity/change-password";
  return (await send({ method: "POST", path, body, answer: passwordChangedResponse, key })).ended;
}
