// Sign-in with Google, or any OpenID provider in its place: the address to send people to, and the person from the
// returned code or credential.
import { createRemoteJWKSet, jwtVerify } from "jose";
import * as oauth from "openid-client";
import { claimsOf } from "#identity/id-tokens.ts";
import type { BegunFlow, ReturnedFlow } from "#identity/oauth-flows.ts";
import {
  askProvider,
  insecureWhereLocal,
  type OAuthSettings,
  PROVIDER_TIMEOUT_SECONDS,
  ProviderRefusal,
} from "#identity/oauth-client.ts";
import type { ProviderPerson } from "#identity/provider-people.ts";

/** The page that the pop-up returns to. */
export const GOOGLE_CALLBACK = "/google-callback";

export type GoogleReturn = { readonly code: string; readonly state: string; readonly iss?: string };

/** All throw `ProviderRefusal`. `origin` is where the app is reached. */
export type Google = {
  readonly issuer: string;
  readonly authorizeUrl: (origin: string, flow: BegunFlow) => Promise<string>;
  readonly redeemCode: (
    origin: string,
    returned: GoogleReturn,
    flow: ReturnedFlow,
  ) => Promise<ProviderPerson>;
  /** An ID token made by Google's own button for this flow. */
  readonly readCredential: (credential: string, flow: ReturnedFlow) => Promise<ProviderPerson>;
};

type Discovered = {
  readonly config: oauth.Configuration;
  readonly findKey: ReturnType<typeof createRemoteJWKSet>;
};

export function createGoogle(settings: OAuthSettings, clock: () => Date): Google {
  const { clientId, baseUrl } = settings;
  const discovered = discoverOnce(settings);
  return {
    issuer: baseUrl,
    authorizeUrl: (origin, { state, codeChallenge, nonce }) =>
      askProvider("Google", async () => {
        const { config } = await discovered();
        return oauth.buildAuthorizationUrl(config, {
          redirect_uri: `${origin}${GOOGLE_CALLBACK}`,
          scope: "openid email profile",
          code_challenge: codeChallenge,
          code_challenge_method: "S256",
          state,
          nonce,
          prompt: "select_account",
        }).href;
      }),
    redeemCode: (origin, returned, flow) =>
      askProvider("Google", async () => {
        const { config } = await discovered();
        const address = new URL(GOOGLE_CALLBACK, origin);
        address.search = new URLSearchParams({ ...returned }).toString();
        const tokens = await oauth.authorizationCodeGrant(config, address, {
          pkceCodeVerifier: flow.codeVerifier,
          expectedState: returned.state,
          expectedNonce: flow.nonce,
          idTokenExpected: true,
        });
        return personOf(baseUrl, tokens.claims());
      }),
    readCredential: (credential, flow) =>
      askProvider("Google", async () => {
        const { findKey } = await discovered();
        const { payload } = await jwtVerify(credential, findKey, {
          issuer: [baseUrl, baseUrl.replace(/^https:\/\//, "")],
          audience: clientId,
          algorithms: ["RS256"],
          requiredClaims: ["sub", "iat", "exp", "nonce"],
          currentDate: clock(),
        });
        if (payload["nonce"] !== flow.nonce) {
          throw new ProviderRefusal(
            "denied",
            "The credential was made for another sign-in",
            payload,
          );
        }
        return personOf(baseUrl, payload);
      }),
  };
}

/** Reads the provider's configuration when it is first needed; a failure is retried the next time. */
function discoverOnce({ clientId, clientSecret, baseUrl }: OAuthSettings) {
  let found: Promise<Discovered> | undefined;
  return (): Promise<Discovered> => {
    found ??= discover();
    return found;
  };

  async function discover(): Promise<Discovered> {
    try {
      const config = await oauth.discovery(
        new URL(baseUrl),
        clientId,
        undefined,
        oauth.ClientSecretPost(clientSecret),
        {
          timeout: PROVIDER_TIMEOUT_SECONDS,
          execute: [...insecureWhereLocal(baseUrl)],
        },
      );
      const { jwks_uri: jwks } = config.serverMetadata();
      if (jwks === undefined) {
        throw new ProviderRefusal("denied", "The provider publishes no keys", undefined);
      }
      return { config, findKey: createRemoteJWKSet(new URL(jwks)) };
    } catch (error) {
      found = undefined;
      throw error;
    }
  }
}

function personOf(
  issuer: string,
  payload: Parameters<typeof claimsOf>[0] | undefined,
): ProviderPerson {
  if (payload?.sub === undefined || payload.sub === "") {
    throw new ProviderRefusal("denied", "Google returned no person", payload);
  }
  const { email, emailVerified, name } = claimsOf(payload);
  return { issuer, subject: payload.sub, email, emailVerified, displayName: name };
}
