// How the signed-in person gets in: the account's address, password, other ways in, sessions, and what changes them.
import {
  accountResponse,
  emailVerifiedResponse,
  mailSentResponse,
  passwordLinkedResponse,
  sessionsResponse,
  sessionsEndedResponse,
  type AccountResponse,
  type SessionsResponse,
} from "#features/sign-in/contract.ts";
import { send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";

export function useAccount(): Read<AccountResponse> {
  return useRead("/identity/account", accountResponse);
}

export function useSessions(): Read<SessionsResponse> {
  return useRead("/identity/sessions", sessionsResponse);
}

/** Mails the link to /verify-email. Throws ApiError. */
export async function sendVerification(_: undefined, key: string): Promise<true> {
  const path = "/identity/verify-email";
  return (await send({ method: "POST", path, body: {}, answer: mailSentResponse, key })).sent;
}

/** Answers the address that is verified now. Throws ApiError. */
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

/** Answers the address that the password signs in with. Throws ApiError. */
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

/** Ends one session. Throws ApiError. */
export async function endSession(id: string, key: string): Promise<void> {
  const path = `/identity/sessions/${id}`;
  await send({ method: "DELETE", path, answer: sessionsEndedResponse, key });
}

/** Ends every session, this one too. Throws ApiError. */
export async function endAllSessions(_: undefined, key: string): Promise<void> {
  await send({ method: "DELETE", path: "/identity/sessions", answer: sessionsEndedResponse, key });
}
