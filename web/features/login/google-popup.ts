// The pop-up of "Sign in with Google", and how its failures read. The rest is loaded once it is open.
import { messages } from "#features/sign-in/contract.ts";
import { ApiError, asApiError } from "#web/lib/api-error.ts";

/** Refusals that say more than that the sign-in failed. */
const ownSentences = new Set([
  "account_deactivated",
  "provider_unlinked",
  "invitation_ended",
  "too_many_attempts",
  "second_step_left",
]);

/** Any other failure, with the specified sentence. */
export function googleFailure(error: unknown): ApiError {
  const { status, code, message, requestId } = asApiError(error);
  const said = ownSentences.has(code) ? message : messages.googleFailed;
  return new ApiError(status, code, said, { requestId });
}

/** Must be called directly in the click handler: browsers block pop-ups that open later. Throws ApiError if one does. */
export function openGooglePopup(): Window {
  const left = Math.max(0, (screen.width - 480) / 2);
  const popup = window.open("", "google-sign-in", `popup,width=480,height=640,left=${left},top=80`);
  if (popup === null) {
    throw googleFailure(new Error("The pop-up was blocked"));
  }
  return popup;
}
