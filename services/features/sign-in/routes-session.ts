// Continuing and ending a session with its cookie, from our own pages only.
import { type Context, Hono } from "hono";
import { open } from "#http/access.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { sameOrigin } from "#http/same-origin.ts";
import { jsonBody } from "#http/validate.ts";
import { limitBySource, rememberBrowser } from "#features/sign-in/caller.ts";
import {
  emptyRequest,
  jwksResponse,
  refreshRequest,
  type SessionResponse,
  sessionResponse,
  signedOutResponse,
} from "#features/sign-in/contract.ts";
import {
  clearRefreshCookie,
  readRefreshCookie,
  writeRefreshCookie,
} from "#features/sign-in/cookie.ts";
import { issueIdToken } from "#identity/id-tokens.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import { refuse } from "#features/sign-in/refusal.ts";
import type { Session, SessionStart } from "#identity/sessions.ts";

const tag = "identity";

/** Sets the cookies, and responds with an ID token. Never under an idempotency key, because tokens must not be stored. */
async function answerSession(
  parts: SignInParts,
  c: Context<AppEnv>,
  session: Session,
  kind: "entered" | "refreshed",
): Promise<SessionResponse> {
  const { clock, cookies, keys } = parts;
  writeRefreshCookie(c, session.refreshToken, cookies);
  await rememberBrowser(parts, c, session.uid, { kind, by: session.sessionId });
  return { uid: session.uid, ...(await issueIdToken(keys, clock, session)) };
}

/**
 * A new session for a person whose credentials were just checked; `epoch` and `passwordHash` were read before that.
 * Throws HttpError 401 if all their sessions were ended or the password changed in between.
 */
export async function enterAs(
  parts: SignInParts,
  c: Context<AppEnv>,
  person: Omit<SessionStart, "userAgent" | "address">,
): Promise<SessionResponse> {
  const userAgent = c.req.header("User-Agent");
  const former = readRefreshCookie(c, parts.cookies);
  const session = await parts.sessions.start({
    ...person,
    userAgent,
    address: c.var.clientAddress,
  });
  if (session === undefined) {
    throw refuse("no_session");
  }
  // Its cookie is replaced, so nobody could end it later.
  const formerUid = former === undefined ? undefined : await parts.sessions.end(former);
  if (formerUid !== undefined) {
    const about = { uid: formerUid };
    await c.var.security.note({
      kind: "session-ended",
      outcome: "ok",
      about,
      detail: "new sign-in",
    });
  }
  return answerSession(parts, c, session, "entered");
}

/** Routes under `/identity` that use the session's cookie, and the keys with which others verify tokens. */
export function sessionRoutes(parts: SignInParts): Hono<AppEnv> {
  const { attempts, cookies, keys, origins, sessions } = parts;
  const routes = new Hono<AppEnv>();

  routes.post(
    "/identity/refresh",
    open,
    documented({
      summary: "Get a new ID token for the session's cookie",
      tag,
      answer: sessionResponse,
    }),
    sameOrigin(origins, "always"),
    jsonBody(refreshRequest),
    limitBySource(parts, attempts.refreshes),
    async (c) => {
      const cookie = readRefreshCookie(c, cookies);
      const use = c.req.valid("json").idle === true ? "idle" : "used";
      const session = cookie === undefined ? undefined : await sessions.refresh(cookie, use);
      if (session === undefined || "reusedOf" in session) {
        if (session !== undefined) {
          const about = { uid: session.reusedOf };
          await c.var.security.note({ kind: "token-reuse", outcome: "refused", about });
        }
        clearRefreshCookie(c, cookies);
        throw refuse("no_session");
      }
      return c.json(await answerSession(parts, c, session, "refreshed"));
    },
  );

  routes.post(
    "/identity/sign-out",
    open,
    documented({ summary: "End the session", tag, answer: signedOutResponse }),
    sameOrigin(origins, "always"),
    jsonBody(emptyRequest),
    limitBySource(parts, attempts.signOuts),
    async (c) => {
      const cookie = readRefreshCookie(c, cookies);
      const uid = cookie === undefined ? undefined : await sessions.end(cookie);
      if (uid !== undefined) {
        await c.var.security.note({ kind: "sign-out", outcome: "ok", about: { uid } });
      }
      clearRefreshCookie(c, cookies);
      return c.json({ signedOut: true });
    },
  );

  routes.get(
    "/identity/jwks",
    open,
    documented({
      summary: "Read the keys that ID tokens are signed with",
      tag,
      answer: jwksResponse,
    }),
    async (c) => {
      c.header("Cache-Control", "public, max-age=300");
      return c.json(await keys.jwks());
    },
  );

  return routes;
}
