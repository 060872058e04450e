// Open sessions as screens get them: a person's own on the profile, and somebody's for an admin.
import type { SessionsResponse } from "#features/sign-in/contract-sessions.ts";
import type { ListedSession } from "#identity/session-list.ts";

/** `currentId` is the session that asks; null if it is not one of ours. */
export function viewSessions(
  sessions: readonly ListedSession[],
  currentId: string | null,
): SessionsResponse {
  return {
    sessions: sessions.map((session) => ({
      id: session.id,
      isCurrent: session.id === currentId,
      signedInAt: session.signedInAt.toISOString(),
      lastUsedAt: session.lastUsedAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
      userAgent: session.userAgent,
      address: session.address,
    })),
  };
}
