// What browsers send and get for passkeys, and the codes of authenticator apps and recovery.
import * as z from "zod/mini";

/** A browser sends a few hundred characters, some authenticators a few thousand. */
const bytes = z.string().check(z.maxLength(20_000), z.regex(/^[\w-]*$/, "This is not base64url"));

/** The browser's answer when a passkey was made: `startRegistration` of `@simplewebauthn/browser`. */
export const newPasskeyAnswer = z.object({
  id: bytes,
  rawId: bytes,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.optional(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(10))),
  }),
});

/** The browser's answer when a passkey was used: `startAuthentication`. */
export const passkeyAnswer = z.object({
  id: bytes,
  rawId: bytes,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: z.optional(bytes),
  }),
});

/** What the browser passes to the authenticator, unchanged. */
export const passkeyOptionsResponse = z.object({ options: z.record(z.string(), z.unknown()) });

/** `POST passkey` (open): signs in with nothing else. `POST passkey/start {}` gives what the passkey signs. */
export const passkeySignInRequest = z.strictObject({ passkey: passkeyAnswer });

/** Of an authenticator app. Spaces between the digits do not matter. */
export const code = z.pipe(
  z.string().check(z.maxLength(20)),
  z.transform((typed: string) => typed.replaceAll(/\s/g, "")),
);

/** Empty, or with a token of a sign-in that waits for its second step. */
const token = z.string().check(z.minLength(1), z.maxLength(200));

/** `POST second-step/passkey` (open). */
export const secondStepPasskeyRequest = z.strictObject({ token });

/** `POST second-step` (open): responds with a session. */
export const secondStepRequest = z.union([
  z.strictObject({ token, code }),
  z.strictObject({ token, recoveryCode: z.string().check(z.maxLength(40)) }),
  z.strictObject({ token, passkey: passkeyAnswer }),
]);
export type SecondStepRequest = z.infer<typeof secondStepRequest>;
