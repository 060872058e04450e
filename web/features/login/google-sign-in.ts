// The way of "Sign in with Google": the pop-up goes to Google, returns to our own page, and hands over the result.
import type { GoogleRequest } from "#features/sign-in/contract.ts";
import {
  googleCallbackMessage,
  googleSignInChannel,
  googleStartResponse,
  type GoogleCallbackMessage,
} from "#features/sign-in/contract-google.ts";
import { postIdentity } from "#web/lib/id-token.ts";
import { googleFailure } from "./google-popup.ts";

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
