// One's own account: the ways to sign in, a backup password, and the open sessions.
import { Hono } from "hono";
import { signedIn } from "#http/access.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { jsonBody, noBody, pathParams } from "#http/validate.ts";
import { linkPasswordRequest } from "#features/sign-in/contract.ts";
import { accountResponse, passwordLinkedResponse } from "#features/sign-in/contract-account.ts";
import {
  sessionParams,
  sessionsEndedResponse,
  sessionsResponse,
} from "#features/sign-in/contract-sessions.ts";
import { viewSessions } from "#features/sign-in/session-view.ts";
import { clearRefreshCookie } from "#features/sign-in/cookie.ts";
import { DISCORD_ISSUER } from "#identity/discord.ts";
import { linkPassword, readOwnAccount } from "#identity/own-account.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import { refuseEasyPasswordOf } from "#features/sign-in/password-check.ts";
import { refuse } from "#features/sign-in/refusal.ts";
import { tellOwner } from "#http/send-letter.ts";
import { usableIssuers } from "#features/sign-in/routes-providers.ts";
import { isOnlyWayIn } from "#identity/unlinked-providers.ts";
import { endAllSessions, endSession, listSessions } from "#identity/session-list.ts";

const tag = "identity";
const RECENT_MS = 300_000;

/** Routes under `/identity` for signed-in people. */
export function accountRoutes(parts: SignInParts): Hono<AppEnv> {
  const { attempts, clock, google, passwords, sql } = parts;
  const routes = new Hono<AppEnv>();

  routes.get(
    "/identity/account",
    signedIn,
    documented({ summary: "Read how one signs in", tag, answer: accountResponse }),
    async (c) => {
      const { uid, authenticatedAt } = c.get("person");
      const account = await readOwnAccount(sql, uid);
      const { providers, unlinked, ...ways } = account;
      return c.json({
        uid,
        ...ways,
        providers: providers.map(({ issuer, linkedAt }) => ({
          provider: nameOf(issuer, google?.issuer),
          linkedAt: linkedAt.toISOString(),
          isOnlyWayIn: isOnlyWayIn(account, issuer, usableIssuers(parts)),
        })),
        unlinkedProviders: unlinked.map(({ issuer, unlinkedAt }) => ({
          provider: nameOf(issuer, google?.issuer),
          unlinkedAt: unlinkedAt.toISOString(),
        })),
        signedInAt: authenticatedAt.toISOString(),
      });
    },
  );

  routes.post(
    "/identity/link-password",
    signedIn,
    documented({
      summary: "Set a backup password, within 5 minutes of signing in",
      tag,
      answer: passwordLinkedResponse,
    }),
    jsonBody(linkPasswordRequest),
    async (c) => {
      const { uid, authenticatedAt } = c.get("person");
      const now = clock();
      // Neither long ago nor, because of a clock that was ahead, in the future.
      if (Math.abs(now.getTime() - authenticatedAt.getTime()) > RECENT_MS) {
        throw refuse("recent_sign_in_required");
      }
      await attempts.passwordLinks.consume(uid);
      const { password } = c.req.valid("json");
      await refuseEasyPasswordOf(sql, uid, password);
      const link = await linkPassword(sql, now, uid, () => passwords.hash(password));
      if (link.kind === "refused") {
        throw refuse(link.code);
      }
      await c.var.security.note({ kind: "password-set", outcome: "ok", about: { uid } });
      await tellOwner(parts, c, uid, "password-set");
      return c.json({ email: link.email });
    },
  );

  addSessions(routes, parts);
  return routes;
}

function addSessions(
  routes: Hono<AppEnv>,
  { clock, cookies, sessionLimits, sql }: SignInParts,
): void {
  routes.get(
    "/identity/sessions",
    signedIn,
    documented({ summary: "List one's sessions", tag, answer: sessionsResponse }),
    async (c) => {
      const { uid, sessionId } = c.get("person");
      const sessions = await listSessions(sql, uid, clock(), sessionLimits);
      return c.json(viewSessions(sessions, sessionId));
    },
  );

  routes.delete(
    "/identity/sessions",
    signedIn,
    documented({
      summary: "Sign out everywhere, including here",
      tag,
      answer: sessionsEndedResponse,
    }),
    noBody,
    async (c) => {
      const { uid } = c.get("person");
      const ended = await sql.begin((transaction) => endAllSessions(transaction, uid, clock()));
      await c.var.security.note({ kind: "sessions-ended", outcome: "ok", about: { uid } });
      clearRefreshCookie(c, cookies);
      return c.json({ ended });
    },
  );

  routes.delete(
    "/identity/sessions/:id",
    signedIn,
    documented({ summary: "End one of one's sessions", tag, answer: sessionsEndedResponse }),
    pathParams(sessionParams),
    noBody,
    async (c) => {
      const { uid } = c.get("person");
      if (!(await endSession(sql, uid, c.req.valid("param").id, clock()))) {
        throw refuse("unknown_session");
      }
      await c.var.security.note({ kind: "session-ended", outcome: "ok", about: { uid } });
      return c.json({ ended: 1 });
    },
  );
}

function nameOf(issuer: string, googleIssuer: string | undefined): string {
  if (issuer === DISCORD_ISSUER) {
    return "discord";
  }
  return issuer === googleIssuer ? "google" : issuer;
}
