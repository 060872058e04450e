// Tokens of an accepted outside issuer for the tests of who may make a call, and tokens that must be refused.
import { generateKeyPair, SignJWT } from "jose";
import type { Issuer } from "#identity/id-tokens.ts";

const ISSUER = "https://accounts.elsewhere.test";

type Claims = {
  readonly issuer?: string;
  readonly audience?: string;
  readonly subject?: string;
  /** Seconds from the test's clock on; may be negative. */
  readonly lifetime?: number;
  /** Signed with a key that the issuer does not have. */
  readonly isForged?: boolean;
};

export type OutsideTokens = {
  readonly issuer: Issuer;
  /** A token for the admin, with the given differences. */
  readonly token: (claims?: Claims) => Promise<string>;
  readonly unsigned: () => Promise<string>;
};

/** `now` is the test's clock. */
export async function outsideTokens(now: Date): Promise<OutsideTokens> {
  const ours = await generateKeyPair("ES256");
  const stranger = await generateKeyPair("ES256");
  const nowSeconds = Math.floor(now.getTime() / 1000);
  const token = (claims: Claims = {}): Promise<string> => {
    const { issuer = ISSUER, audience = "store", subject = "admin-outside" } = claims;
    return new SignJWT({ role: "admin" })
      .setProtectedHeader({ alg: "ES256", kid: "outside" })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt(nowSeconds - 600)
      .setExpirationTime(nowSeconds + (claims.lifetime ?? 600))
      .sign(claims.isForged === true ? stranger.privateKey : ours.privateKey);
  };
  return {
    issuer: {
      issuer: ISSUER,
      audience: "store",
      algorithms: ["ES256"],
      findKey: () => Promise.resolve(ours.publicKey),
      secondFactor: { amr: ["mfa"], acr: [] },
    },
    token,
    unsigned: async () => {
      const [, payload] = (await token()).split(".");
      return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")}.${payload}.`;
    },
  };
}
