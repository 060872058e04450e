// The calls for how the signed-in person signs in: email, password, linked accounts, sessions, and changing them.
import {
  accountResponse,
  emailVerifiedResponse,
  mailSentResponse,
  passwordLinkedResponse,
  providerAllowedResponse,
  providerUnlinkedResponse,
  type AccountResponse,
  type UnlinkableProvider,
} from "#features/sign-in/contract-account.ts";
import {
  sessionsEndedResponse,
  sessionsResponse,
  type SessionsResponse,
} from "#features/sign-in/contract-sessions.ts";
import { send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";

export function useAccount(): Read<AccountResponse> {
  return useRead("/identity/account", accountResponse);
}

export function useSessions(): Read<SessionsResponse> {
  return useRead("/identity/sessions", sessionsResponse);
}

/** Emails the link to /verify-email. Throws ApiError. */
export async function sendVerification(_: undefined, key: string): Promise<true> {
  const { sent } = await send({
    method: "POST",
    path: "/identity/verify-email",
    body: {},
    answer: mailSentResponse,
    key,
    // Somebody who has just signed up may close the page at once.
    outlivesPage: true,
  });
  return sent;
}

/** Returns the verified address. Throws ApiError. */
export async function confirmEmail(token: string, key: string): Promise<string> {
  const { email } = await send({
    method: "POST",
    path: "/identity/verify-email/confirm",
    body: { token },
    answer: emailVerifiedResponse,
    key,
  });
  return email;
}

/** Returns the email that the password signs in with. Throws ApiError. */
export async function linkPassword(
  body: { readonly password: string },
  key: string,
): Promise<string> {
  const { email } = await send({
    method: "POST",
    path: "/identity/link-password",
    body,
    answer: passwordLinkedResponse,
    key,
  });
  return email;
}

/** Throws ApiError. */
export async function unlinkProvider(provider: UnlinkableProvider, key: string): Promise<true> {
  const path = `/identity/providers/${provider}`;
  return (await send({ method: "DELETE", path, answer: providerUnlinkedResponse, key })).unlinked;
}

/** Lets it link itself again. Throws ApiError. */
export async function allowProvider(provider: UnlinkableProvider, key: string): Promise<true> {
  const path = `/identity/providers/${provider}`;
  const answer = providerAllowedResponse;
  return (await send({ method: "POST", path, body: {}, answer, key })).allowed;
}

/** Ends one session. Throws ApiError. */
export async function endSession(id: string, key: string): Promise<void> {
  const path = `/identity/sessions/${id}`;
  await send({ method: "DELETE", path, answer: sessionsEndedResponse, key });
}

/** Ends every session, including this one. Throws ApiError. */
export async function endAllSessions(_: undefined, key: string): Promise<void> {
  await send({ method: "DELETE", path: "/identity/sessions", answer: sessionsEndedResponse, key });
}
