// The calls for how the signed-in person signs in: email, password, linked accounts, sessions, and changing them.
import {
  accountAnswer,
  emailVerifiedAnswer,
  mailSentAnswer,
  passwordLinkedAnswer,
  sessionsAnswer,
  sessionsEndedAnswer,
  type AccountAnswer,
  type SessionsAnswer,
} from "#features/sign-in/contract.ts";
import { send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";

export function useAccount(): Read<AccountAnswer> {
  return useRead("/identity/account", accountAnswer);
}

export function useSessions(): Read<SessionsAnswer> {
  return useRead("/identity/sessions", sessionsAnswer);
}

/** Emails the link to /verify-email. Throws ApiError. */
export async function sendVerification(_: undefined, key: string): Promise<true> {
  const path = "/identity/verify-email";
  return (await send({ method: "POST", path, body: {}, answer: mailSentAnswer, key })).sent;
}

/** Returns the verified address. Throws ApiError. */
export async function confirmEmail(token: string, key: string): Promise<string> {
  const { email } = await send({
    method: "POST",
    path: "/identity/verify-email/confirm",
    body: { token },
    answer: emailVerifiedAnswer,
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
    answer: passwordLinkedAnswer,
    key,
  });
  return email;
}

/** Ends one session. Throws ApiError. */
export async function endSession(id: string, key: string): Promise<void> {
  const path = `/identity/sessions/${id}`;
  await send({ method: "DELETE", path, answer: sessionsEndedAnswer, key });
}

/** Ends every session, including this one. Throws ApiError. */
export async function endAllSessions(_: undefined, key: string): Promise<void> {
  await send({ method: "DELETE", path: "/identity/sessions", answer: sessionsEndedAnswer, key });
}
