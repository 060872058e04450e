// ID tokens: made for the store's people, verified for every configured issuer, cached until they expire.
import { createHash } from "node:crypto";
import {
  createRemoteJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  SignJWT,
} from "jose";
import { ID_TOKEN_SECONDS, type SigningKeys } from "#identity/signing-keys.ts";

/** The embedded provider's own name in its tokens; the same wherever the app runs. */
export const EMBEDDED_ISSUER = "urn:consignment-ledger:identity";
export const EMBEDDED_AUDIENCE = "consignment-ledger";

const MAX_REMEMBERED = 10_000;
const CLOCK_TOLERANCE_SECONDS = 5;
/**
 * An own token from further in the future was made by a fast clock and would be valid far too long. Its browser gets
 * a new one with its cookie.
 */
export const ID_TOKENS_MAY_BE_AHEAD_SECONDS = ID_TOKEN_SECONDS;

/** An issuer whose tokens are accepted, and the conditions. Algorithms are pinned. */
export type Issuer = {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  readonly findKey: JWTVerifyGetKey;
  /** Which of an outside issuer's tokens count as a sign-in with a second factor; the sessions of our own know it. */
  readonly secondFactor: SecondFactorRule;
};

/** Always, or where the token has one of these authentication methods (RFC 8176) or classes. */
export type SecondFactorRule =
  | "always"
  | { readonly amr: readonly string[]; readonly acr: readonly string[] };

/** The contents of a valid token. Never a role: roles come from the log. */
export type VerifiedToken = {
  readonly issuer: string;
  readonly subject: string;
  /** 1970 if the issuer does not say, which is never recent. */
  readonly authenticatedAt: Date;
  readonly expiresAt: Date;
  readonly issuedAt: Date;
  /** The person's epoch of sessions when the token was made; 0 in tokens without one. */
  readonly epoch: number;
  /** The session that one of our own tokens belongs to; null in others, and in ours from before they had one. */
  readonly sessionId: string | null;
  /** The key that signed one of our own tokens; null in others. */
  readonly keyId: string | null;
  readonly claims: PersonClaims;
  /** Whether the sign-in had a second factor, as far as the issuer says. */
  readonly hasSecondFactor: boolean;
};

/** A token and the time from which it is accepted. */
type Dated = { readonly token: VerifiedToken; readonly goodFrom: number };

/** What an issuer says about the person, for a first profile. */
export type PersonClaims = {
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
};

/** The session that a token is made for. */
export type TokenSession = {
  readonly uid: string;
  readonly sessionId: string;
  /** When the person signed in. */
  readonly authenticatedAt: Date;
  readonly epoch: number;
};

type Refused = { readonly kind: "refused"; readonly message: string };

export type TokenVerification =
  | { readonly kind: "verified"; readonly token: VerifiedToken }
  | Refused;

export type TokenVerifier = (token: string) => Promise<TokenVerification>;

/** An outside issuer whose keys are read from its JWKS address. */
export function outsideIssuer(settings: {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  readonly jwksUrl: string;
  readonly secondFactor: SecondFactorRule;
}): Issuer {
  const { issuer, audience, algorithms, jwksUrl, secondFactor } = settings;
  const findKey = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: 5_000 });
  return { issuer, audience, algorithms, findKey, secondFactor };
}

/** The embedded provider as an issuer. */
export function embeddedIssuer(keys: SigningKeys): Issuer {
  return {
    issuer: EMBEDDED_ISSUER,
    audience: EMBEDDED_AUDIENCE,
    algorithms: ["ES256"],
    findKey: keys.find,
    // Nobody with a second factor gets a session of ours without the second step.
    secondFactor: "always",
  };
}

/** An ID token for one of the store's people, which ends with its session at the latest. */
export async function issueIdToken(
  keys: SigningKeys,
  clock: () => Date,
  { uid, sessionId, authenticatedAt, epoch }: TokenSession,
): Promise<{ idToken: string; expiresIn: number }> {
  // The clock is read once for both, so that the key fits the token even if the clock is set.
  const now = clock();
  const { kid, key } = await keys.current(now);
  const issuedAt = Math.floor(now.getTime() / 1000);
  const authTime = Math.floor(authenticatedAt.getTime() / 1000);
  const idToken = await new SignJWT({ auth_time: authTime, epoch, sid: sessionId })
    .setProtectedHeader({ alg: "ES256", kid, typ: "JWT" })
    .setIssuer(EMBEDDED_ISSUER)
    .setAudience(EMBEDDED_AUDIENCE)
    .setSubject(uid)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ID_TOKEN_SECONDS)
    .sign(key);
  return { idToken, expiresIn: ID_TOKEN_SECONDS };
}

/**
 * Verifies by issuer. A signature costs 0.1 ms of CPU, so the hash of a valid token is cached until it expires.
 * Throws only if an issuer's keys cannot be fetched.
 */
export function createTokenVerifier(issuers: readonly Issuer[], clock: () => Date): TokenVerifier {
  const byName = new Map(issuers.map((issuer) => [issuer.issuer, issuer]));
  const remembered = new Map<string, Dated>();

  return async (token) => {
    const digest = createHash("sha256").update(token).digest("base64url");
    const known = remembered.get(digest);
    if (known !== undefined) {
      if (known.token.expiresAt.getTime() + CLOCK_TOLERANCE_SECONDS * 1000 > clock().getTime()) {
        return answerFor(known, clock);
      }
      remembered.delete(digest);
    }
    const issuer = byName.get(issuerNamedBy(token) ?? "");
    if (issuer === undefined) {
      return { kind: "refused", message: "The sign-in is not valid" };
    }
    const verification = await verifyBy(issuer, token, clock);
    if (verification.kind === "refused") {
      return verification;
    }
    forgetOldest(remembered);
    remembered.set(digest, verification);
    return answerFor(verification, clock);
  };
}

/** A clock that was set back may be earlier than a token that was valid before. */
function answerFor({ token, goodFrom }: Dated, clock: () => Date): TokenVerification {
  return goodFrom > clock().getTime()
    ? { kind: "refused", message: "The sign-in is not valid" }
    : { kind: "verified", token };
}

async function verifyBy(
  issuer: Issuer,
  token: string,
  clock: () => Date,
): Promise<({ readonly kind: "verified" } & Dated) | Refused> {
  try {
    const { payload, protectedHeader } = await jwtVerify(
      token,
      (header, jws) => findKeyOf(issuer, header, jws),
      {
        issuer: issuer.issuer,
        audience: issuer.audience,
        algorithms: [...issuer.algorithms],
        requiredClaims: ["sub", "iat", "exp"],
        currentDate: clock(),
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      },
    );
    const { sub, exp, iat } = payload;
    if (sub === undefined || sub === "" || exp === undefined || iat === undefined) {
      return { kind: "refused", message: "The sign-in is not valid" };
    }
    const { auth_time: authTime, epoch, sid } = payload;
    const isOwn = issuer.issuer === EMBEDDED_ISSUER;
    // We never made such a token: somebody else has a key of ours.
    if (isOwn && exp - iat > ID_TOKEN_SECONDS) {
      return { kind: "refused", message: "The sign-in is not valid" };
    }
    return {
      kind: "verified",
      token: {
        issuer: issuer.issuer,
        subject: sub,
        authenticatedAt: new Date((typeof authTime === "number" ? authTime : 0) * 1000),
        expiresAt: new Date(exp * 1000),
        issuedAt: new Date(iat * 1000),
        epoch: typeof epoch === "number" ? epoch : 0,
        sessionId: isOwn && typeof sid === "string" ? sid : null,
        keyId: isOwn ? (protectedHeader.kid ?? "") : null,
        claims: claimsOf(payload),
        hasSecondFactor: saysSecondFactor(issuer, payload),
      },
      // An outside issuer's clock may be the right one.
      goodFrom: isOwn ? (iat - ID_TOKENS_MAY_BE_AHEAD_SECONDS) * 1000 : Number.NEGATIVE_INFINITY,
    };
  } catch (error) {
    if (error instanceof KeysUnavailable) {
      throw error;
    }
    const message =
      error instanceof errors.JWTExpired ? "The sign-in has expired" : "The sign-in is not valid";
    return { kind: "refused", message };
  }
}

/** What a payload says about its person. Only exactly `true` verifies an address. */
export function claimsOf(payload: JWTPayload): PersonClaims {
  const { email, email_verified: emailVerified, name } = payload;
  return {
    email: typeof email === "string" && email !== "" ? email : null,
    emailVerified: emailVerified === true,
    name: typeof name === "string" && name !== "" ? name : null,
  };
}

/** Firebase names the second factor in a claim of its own, which only Firebase can set. */
function saysSecondFactor({ issuer, secondFactor }: Issuer, payload: JWTPayload): boolean {
  if (secondFactor === "always") {
    return true;
  }
  const { amr, acr, firebase } = payload;
  const methods: readonly unknown[] = Array.isArray(amr) ? amr : [];
  return (
    secondFactor.amr.some((method) => methods.includes(method)) ||
    secondFactor.acr.some((name) => name === acr) ||
    (issuer.startsWith("https://securetoken.google.com/") &&
      firebase instanceof Object &&
      typeof Reflect.get(firebase, "sign_in_second_factor") === "string")
  );
}

/** The token may be valid, but the issuer's keys could not be fetched. */
class KeysUnavailable extends Error {}

async function findKeyOf(
  issuer: Issuer,
  ...[header, jws]: Parameters<JWTVerifyGetKey>
): Promise<Awaited<ReturnType<JWTVerifyGetKey>>> {
  try {
    return await issuer.findKey(header, jws);
  } catch (cause) {
    if (cause instanceof errors.JOSEError && !(cause instanceof errors.JWKSTimeout)) {
      throw cause;
    }
    throw new KeysUnavailable(`The keys of ${issuer.issuer} could not be read`, { cause });
  }
}

/** The issuer in the unverified payload; only used to choose which rules apply. */
function issuerNamedBy(token: string): string | undefined {
  try {
    const payload: unknown = JSON.parse(
      Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"),
    );
    const issuer = payload instanceof Object ? Reflect.get(payload, "iss") : undefined;
    return typeof issuer === "string" ? issuer : undefined;
  } catch {
    return undefined;
  }
}

function forgetOldest(remembered: Map<string, unknown>): void {
  if (remembered.size >= MAX_REMEMBERED) {
    const [oldest] = remembered.keys();
    if (oldest !== undefined) {
      remembered.delete(oldest);
    }
  }
}
