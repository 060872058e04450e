// An admin sees where somebody is signed in, and ends one session or all of them.
import { Hono } from "hono";
import { admin } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { pathParams } from "#http/validate.ts";
import { endAllSessions, endSession, listSessions } from "#identity/session-list.ts";
import { userParams } from "#features/users/contract.ts";
import {
  userSessionParams,
  userSessionsEndedResponse,
} from "#features/users/contract-email-change.ts";
import { sessionsResponse } from "#features/sign-in/contract-sessions.ts";
import { viewSessions } from "#features/sign-in/session-view.ts";
import { refuse, requireUser } from "#features/users/user-desk.ts";

const tag = "users";

export function userSessionRoutes(deps: RouteDeps): Hono<AppEnv> {
  const { sql, clock, identity } = deps;
  const routes = new Hono<AppEnv>();
  routes.get(
    "/auth/users/:uid/sessions",
    admin,
    documented({ summary: "List a user's sessions", tag, answer: sessionsResponse }),
    pathParams(userParams),
    async (c) => {
      const { uid } = await requireUser(sql, c.req.valid("param").uid);
      const sessions = await listSessions(sql, uid, clock(), identity.parts.sessionLimits);
      return c.json(viewSessions(sessions, c.var.person.sessionId));
    },
  );
  routes.delete(
    "/auth/users/:uid/sessions",
    admin,
    documented({
      summary: "Sign a user out everywhere",
      tag,
      answer: userSessionsEndedResponse,
    }),
    pathParams(userParams),
    async (c) => {
      const { uid } = await requireUser(sql, c.req.valid("param").uid);
      const ended = await sql.begin((transaction) => endAllSessions(transaction, uid, clock()));
      const byUid = c.var.person.uid;
      await c.var.security.note({ kind: "sessions-ended", outcome: "ok", about: { uid }, byUid });
      return c.json({ ended });
    },
  );
  routes.delete(
    "/auth/users/:uid/sessions/:id",
    admin,
    documented({ summary: "End a user's session", tag, answer: userSessionsEndedResponse }),
    pathParams(userSessionParams),
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
