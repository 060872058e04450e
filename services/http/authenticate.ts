// From the Authorization header to a person: verifies the token, and reads the person's standing for each request.
import type { MiddlewareHandler } from "hono";
import type { AppEnv, Caller } from "#http/env.ts";
import { EMBEDDED_ISSUER, type TokenVerifier } from "#identity/id-tokens.ts";
import type { FindStanding } from "#identity/standing.ts";

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
  const { issuer, subject, authenticatedAt, expiresAt, epoch } = verification.token;
  const standing = await findStanding(issuer, subject);
  if (standing !== undefined && issuer === EMBEDDED_ISSUER && epoch !== standing.sessionEpoch) {
    return { kind: "refused", message: "The sign-in has ended" };
  }
  if (standing === undefined) {
    return { kind: "newcomer", token: verification.token };
  }
  if (standing.isDeactivated) {
    return {
      kind: "barred",
      code: "account_deactivated",
      message: "This account was deactivated",
    };
  }
  return {
    kind: "person",
    subject,
    person: {
      uid: standing.uid,
      role: standing.role,
      authenticatedAt,
      tokenExpiresAt: expiresAt,
    },
  };
}
