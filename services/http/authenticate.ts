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
    let asked: Promise<Caller> | undefined;
    c.set("caller", () => {
      asked ??= identify(authentication, c.req.header("Authorization"));
      return asked;
    });
    c.set("identified", () => asked);
    await next();
  };
}

/** Who sends this Authorization header, with their current standing. */
export async function identify(
  { verifyToken, findStanding }: Authentication,
  header: string | undefined,
): Promise<Caller> {
  if (header === undefined) {
    return { kind: "nobody" };
  }
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(header)?.[1];
  if (token === undefined) {
    return { kind: "refused", message: "The sign-in is not valid" };
  }
  const verification = await verifyToken(token);
  if (verification.kind === "refused") {
    return verification;
  }
  return callerOf(verification.token, await findStanding(verification.token));
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
