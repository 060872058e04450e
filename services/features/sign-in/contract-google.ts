// What a sign-in with Google answers, and what its pop-up hands over. Loaded when somebody signs in that way.
import * as z from "zod/mini";

/**
 * `POST google/start {}`: the address for the pop-up. Open a blank pop-up in the click handler, then send it there.
 * Google sends it back to `/google-callback?code&state` (or `error&state`), which passes its parameters to the
 * opener over the BroadcastChannel `googleSignInChannel` and closes. The opener accepts only the message with its
 * own `state` and sends it to `POST google`.
 */
export const googleStartResponse = z.object({
  authorizeUrl: z.string(),
  state: z.string(),
  /** For Google's own button: the `nonce` of its credential. */
  nonce: z.string(),
});
export type GoogleStartResponse = z.infer<typeof googleStartResponse>;

export const googleSignInChannel = "google-sign-in";
/** The pop-up's message: the parameters of its address. */
export const googleCallbackMessage = z.object({
  state: z.string(),
  code: z.optional(z.string()),
  /** Who sent the code; passed on unchanged. */
  iss: z.optional(z.string()),
  error: z.optional(z.string()),
});
export type GoogleCallbackMessage = z.infer<typeof googleCallbackMessage>;
