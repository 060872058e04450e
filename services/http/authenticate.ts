// From the Authorization header to a person: verifies the token, and reads the person's standing and session for each request.
import type { MiddlewareHandler } from "hono";
import type { AppEnv, Caller } from "#http/env.ts";
import type { TokenVerifier, VerifiedToken } from "#identity/id-tokens.ts";
import type { FindStanding, Standing } from "#identity/standing.ts";

export type Authentication = {
  readonly verifyToken: TokenVerifier;
  readonly findStanding: FindStanding;
};

/** Gives each request its `caller`; nothing is verified until a route's access check calls it. */
export function authenticate(authentication: Authentication): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    let sent: Promise<Sent> | undefined;
    let asked: Promise<Caller> | undefined;
    const callerNow = async (): Promise<Caller> => {
      sent ??= readHeader(authentication, c.req.header("Authorization"));
      return whoIs(authentication, await sent);
    };
    c.set("caller", () => {
      asked ??= callerNow();
      return asked;
    });
    c.set("callerNow", callerNow);
    c.set("identified", () => asked);
    await next();
  };
}

/** A verified token, or why there is none. */
type Sent = { readonly token: VerifiedToken } | { readonly caller: Caller };

/** Who sends this Authorization header, with their current standing. */
export async function identify(
  authentication: Authentication,
  header: string | undefined,
): Promise<Caller> {
  return whoIs(authentication, await readHeader(authentication, header));
}

async function whoIs({ findStanding }: Authentication, sent: Sent): Promise<Caller> {
  return "caller" in sent ? sent.caller : callerOf(sent.token, await findStanding(sent.token));
}

async function readHeader(
  { verifyToken }: Authentication,
  header: string | undefined,
): Promise<Sent> {
  if (header === undefined) {
    return { caller: { kind: "nobody" } };
  }
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(header)?.[1];
  if (token === undefined) {
    return { caller: { kind: "refused", message: "The sign-in is not valid" } };
  }
  const verification = await verifyToken(token);
  return verification.kind === "refused" ? { caller: verification } : verification;
}

function callerOf(token: VerifiedToken, standing: Standing): Caller {
  if (standing.kind === "unknown") {
    return { kind: "newcomer", token };
  }
  if (standing.kind === "ended") {
    return { kind: "refused", message: "The sign-in has ended" };
  }
  if (standing.kind === "deactivated") {
    return {
      kind: "barred",
      code: "account_deactivated",
      message: "This account was deactivated",
    };
  }
  if (standing.kind === "one-factor") {
    return {
      kind: "barred",
      code: "provider_second_factor_required",
      message:
        "Sign in with a second factor at your provider, or with your email and password here",
    };
  }
  const { uid, role, sessionId, lacksFactor } = standing;
  const { subject, authenticatedAt, expiresAt: tokenExpiresAt } = token;
  const person = { uid, role, sessionId, lacksFactor, authenticatedAt, tokenExpiresAt };
  return { kind: "person", subject, person };
}
