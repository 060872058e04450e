// An admin sees where somebody is signed in, and ends one session or all of them.
import { Hono } from "hono";
import { admin } from "#http/access.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { keepsAnswer } from "#http/keeps-answer.ts";
import { noBody, pathParams } from "#http/validate.ts";
import { endAllSessions, endSession, listSessions } from "#identity/session-list.ts";
import {
  sessionsEndedResponse,
  sessionsResponse,
  userSessionParams,
  userSessionsParams,
} from "#features/sign-in/contract-sessions.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import { refuse } from "#features/sign-in/refusal.ts";
import { requireKnownUser } from "#features/sign-in/require-known-user.ts";
import { viewSessions } from "#features/sign-in/session-view.ts";

const tag = "users";

/** Routes under `/auth/users/:uid/sessions`. */
export function userSessionRoutes(parts: SignInParts): Hono<AppEnv> {
  const { sql, clock, sessionLimits } = parts;
  const routes = new Hono<AppEnv>();
  routes.get(
    "/auth/users/:uid/sessions",
    admin,
    documented({ summary: "List a user's sessions", tag, answer: sessionsResponse }),
    pathParams(userSessionsParams),
    async (c) => {
      const { uid } = c.req.valid("param");
      await requireKnownUser(sql, uid);
      const sessions = await listSessions(sql, uid, clock(), sessionLimits);
      return c.json(viewSessions(sessions, c.var.person.sessionId));
    },
  );
  routes.delete(
    "/auth/users/:uid/sessions",
    admin,
    documented({
      summary: "Sign a user out everywhere",
      tag,
      answer: sessionsEndedResponse,
    }),
    pathParams(userSessionsParams),
    noBody,
    keepsAnswer,
    async (c) => {
      const { uid } = c.req.valid("param");
      await requireKnownUser(sql, uid);
      const ended = await sql.begin((transaction) => endAllSessions(transaction, uid, clock()));
      const byUid = c.var.person.uid;
      await c.var.security.note({ kind: "sessions-ended", outcome: "ok", about: { uid }, byUid });
      return c.json({ ended });
    },
  );
  routes.delete(
    "/auth/users/:uid/sessions/:id",
    admin,
    documented({ summary: "End a user's session", tag, answer: sessionsEndedResponse }),
    pathParams(userSessionParams),
    noBody,
    keepsAnswer,
    async (c) => {
      const { uid, id } = c.req.valid("param");
      if (!(await endSession(sql, uid, id, clock()))) {
        throw refuse("unknown_session");
      }
      const byUid = c.var.person.uid;
      await c.var.security.note({ kind: "session-ended", outcome: "ok", about: { uid }, byUid });
      return c.json({ ended: 1 });
    },
  );
  return routes;
}
