// "Sign in with Google": a pop-up that goes to Google, returns to our own page, and hands over the result.
import {
  googleCallbackMessage,
  googleSignInChannel,
  googleStartResponse,
  messages,
  type GoogleCallbackMessage,
  type GoogleRequest,
} from "#features/sign-in/contract.ts";
import { ApiError, asApiError } from "#web/lib/api-error.ts";
import { postIdentity } from "#web/lib/id-token.ts";

/** Refusals that say more than that the sign-in failed. */
const ownSentences = new Set(["account_deactivated", "too_many_attempts", "second_step_left"]);

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

/** The answer for the pop-up with this `state`. Waits until it arrives or `signal` aborts (undefined). */
function messageFor(
  state: string,
  signal: AbortSignal,
): Promise<GoogleCallbackMessage | undefined> {
  const channel = new BroadcastChannel(googleSignInChannel);
  const heard = Promise.withResolvers<GoogleCallbackMessage | undefined>();
  channel.addEventListener("message", ({ data }) => {
    const message = googleCallbackMessage.safeParse(data);
    if (message.success && message.data.state === state) {
      heard.resolve(message.data);
    }
  });
  signal.addEventListener("abort", () => heard.resolve(undefined));
  return heard.promise.finally(() => channel.close());
}

/**
 * The body to post to `google`; undefined if `signal` ended the wait, as the next attempt does. We cannot know
 * whether the pop-up was closed, because the browser may cut its link to this page while it is at Google.
 * Throws ApiError.
 */
export async function googleRequestBy(
  popup: Window,
  signal: AbortSignal,
): Promise<GoogleRequest | undefined> {
  try {
    const start = googleStartResponse.parse(await (await postIdentity("google/start", {})).json());
    if (signal.aborted) {
      return undefined;
    }
    const message = messageFor(start.state, signal);
    popup.location.replace(start.authorizeUrl);
    const told = await message;
    if (told === undefined) {
      return undefined;
    }
    if (told.code === undefined) {
      throw new Error(told.error ?? "Google sent no code");
    }
    const { code, state, iss } = told;
    return iss === undefined ? { code, state } : { code, state, iss };
  } catch (error) {
    popup.close();
    throw googleFailure(error);
  }
}
