// Makes and uses passkeys with the browser's own dialog. The package is loaded with the first one.
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { passkeyOptionsResponse } from "#features/sign-in/contract-passkeys.ts";
import { ApiError } from "#web/lib/api-error.ts";
import { send } from "#web/lib/http.ts";
import { postIdentity } from "#web/lib/id-token.ts";
import { randomId } from "#web/lib/random-id.ts";

/** What a passkey signs for somebody who is not signed in yet. `start` is the call that gives it. Throws ApiError. */
export async function answerOfPasskey(start: string, body: object): Promise<unknown> {
  const response = await postIdentity(start, body);
  return use(passkeyOptionsResponse.parse(await response.json()).options);
}

/** The same for somebody who is signed in. Throws ApiError. */
export async function answerOfOwnPasskey(start: string): Promise<unknown> {
  return use(await optionsOf(start));
}

/** A new passkey for the signed-in person. Throws ApiError. */
export async function newPasskey(): Promise<unknown> {
  const options = await optionsOf("factors/passkey/start");
  const { startRegistration } = await import("@simplewebauthn/browser");
  // The server made them with the other half of this package.
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return startRegistration({ optionsJSON }).catch(refusal);
}

async function optionsOf(start: string): Promise<Record<string, unknown>> {
  const path = `/identity/${start}`;
  const answer = passkeyOptionsResponse;
  return (await send({ method: "POST", path, body: {}, answer, key: randomId() })).options;
}

async function use(options: Record<string, unknown>): Promise<unknown> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return startAuthentication({ optionsJSON }).catch(refusal);
}

/** The browser does not say whether the person canceled or has no passkey here. */
function refusal(error: unknown): never {
  const isKnown = error instanceof Error && error.name === "InvalidStateError";
  throw new ApiError(
    400,
    "passkey_unused",
    isKnown
      ? "This device has a passkey for your account already."
      : "No passkey was used. Try again, or use another way.",
  );
}
