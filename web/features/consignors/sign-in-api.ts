// The calls about how somebody else signs in: their open sessions, and a change of email that waits.
import {
  sessionsEndedResponse,
  sessionsResponse,
  type SessionsResponse,
} from "#features/sign-in/contract-sessions.ts";
import {
  emailChangeResponse,
  type EmailChangeResponse,
} from "#features/users/contract-email-change.ts";
import { send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";

export function useUserSessions(uid: string): Read<SessionsResponse> {
  return useRead(`/auth/users/${uid}/sessions`, sessionsResponse);
}

export function useEmailChange(uid: string): Read<EmailChangeResponse> {
  return useRead(`/auth/users/${uid}/email-change`, emailChangeResponse);
}

/** Throws ApiError. */
export async function endUserSession(
  { uid, id }: { readonly uid: string; readonly id: string },
  key: string,
): Promise<void> {
  const path = `/auth/users/${uid}/sessions/${id}`;
  await send({ method: "DELETE", path, answer: sessionsEndedResponse, key });
}

/** Throws ApiError. */
export async function endUserSessions(uid: string, key: string): Promise<void> {
  const path = `/auth/users/${uid}/sessions`;
  await send({ method: "DELETE", path, answer: sessionsEndedResponse, key });
}

/** Throws ApiError. */
export async function takeEmailChangeBack(uid: string, key: string): Promise<void> {
  const path = `/auth/users/${uid}/email-change`;
  await send({ method: "DELETE", path, answer: emailChangeResponse, key });
}
