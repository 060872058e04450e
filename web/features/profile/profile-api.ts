// The profile's reads and calls: where notifications go, the payout handles used last, and the download of one's own data.
import {
  paymentInfoResponse,
  type ChooseHandlesRequest,
  type PaymentInfoResponse,
} from "#features/payouts/contract.ts";
import { userResponse, type UserResponse } from "#features/users/contract.ts";
import {
  updateOwnProfileRequest,
  type UpdateOwnProfileRequest,
} from "#features/users/contract-own.ts";
import { download } from "#web/lib/download.ts";
import { errorsIn, type FieldErrors } from "#web/lib/form-errors.ts";
import { send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";

/** Throws ApiError. */
export function updateOwnProfile(
  body: UpdateOwnProfileRequest,
  key: string,
): Promise<UserResponse> {
  return send({ method: "PUT", path: "/auth/me", body, answer: userResponse, key });
}

/** A typed Discord ID as it is sent. Empty input removes it. */
export function discordOf(id: string): UpdateOwnProfileRequest {
  return { discord: id.trim() === "" ? null : { id: id.trim() } };
}

export function discordErrors(id: string): FieldErrors {
  return errorsIn(updateOwnProfileRequest, discordOf(id));
}

export function usePaymentHandles(uid: string): Read<PaymentInfoResponse> {
  return useRead(`/payouts/${uid}/payment-info`, paymentInfoResponse);
}

/** Sets what payout requests suggest. Throws ApiError. */
export function chooseHandles(
  { uid, body }: { readonly uid: string; readonly body: ChooseHandlesRequest },
  key: string,
): Promise<PaymentInfoResponse> {
  const path = `/payouts/${uid}/payment-info`;
  return send({ method: "PUT", path, body, answer: paymentInfoResponse, key });
}

/** Downloads everything that the store knows about the person. Throws ApiError. */
export function downloadOwnData(): Promise<void> {
  const day = new Date().toLocaleDateString("sv-SE");
  return download("/auth/me/export", `consignment-ledger-my-data-${day}.json`);
}
