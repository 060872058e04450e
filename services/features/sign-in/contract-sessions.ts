// Requests and answers about open sessions: a person's own, and those that an admin sees.
import * as z from "zod/mini";
import { uid } from "#ledger/fields.ts";

const openSession = z.object({
  id: z.string(),
  /** True for the session that asks. */
  isCurrent: z.boolean(),
  /** ISO 8601, like the others. */
  signedInAt: z.string(),
  lastUsedAt: z.string(),
  expiresAt: z.string(),
  /** The browser's User-Agent; null if it sent none. */
  userAgent: z.nullable(z.string()),
  /** The address from which it began; null if it is not known. */
  address: z.nullable(z.string()),
});
export type OpenSession = z.infer<typeof openSession>;

/** Open sessions, last used first, at most 100: `GET sessions` one's own, `GET /auth/users/{uid}/sessions` (admins) somebody's. */
export const sessionsResponse = z.object({ sessions: z.array(openSession) });
export type SessionsResponse = z.infer<typeof sessionsResponse>;

/** `DELETE sessions/{id}` ends one; `DELETE sessions` ends all, including this one ("sign out everywhere"). */
export const sessionParams = z.object({ id: z.uuid("This is not a session's id") });
export const sessionsEndedResponse = z.object({ ended: z.number() });

/** `/auth/users/{uid}/sessions` (admins) lists them; DELETE ends all, or with `/{id}` one. */
export const userSessionsParams = z.object({ uid });
export const userSessionParams = z.object({ uid, id: z.uuid("This is not a session's id") });
