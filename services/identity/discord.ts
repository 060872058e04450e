// Sign-in with Discord: the address to send people to, and the person from the returned code.
import * as oauth from "openid-client";
import * as z from "zod/mini";
import type { BegunFlow, ReturnedFlow } from "#identity/oauth-flows.ts";
import {
  askProvider,
  insecureWhereLocal,
  type OAuthSettings,
  PROVIDER_TIMEOUT_SECONDS,
  ProviderRefusal,
} from "#identity/oauth-client.ts";
import type { ProviderPerson } from "#identity/provider-people.ts";

/** The issuer of Discord's people in the tables, whatever its configured address. */
export const DISCORD_ISSUER = "https://discord.com";
const CALLBACK = "/api/auth/discord/callback";

/** Both throw `ProviderRefusal`. `origin` is where the app is reached. */
export type Discord = {
  readonly clientId: string;
  readonly authorizeUrl: (origin: string, flow: BegunFlow) => string;
  readonly redeemCode: (
    origin: string,
    returned: { readonly code: string; readonly state: string },
    flow: ReturnedFlow,
  ) => Promise<ProviderPerson>;
};

/** The needed fields of Discord's user. `verified` is about the e-mail. */
const userSchema = z.object({
  id: z.string().check(z.regex(/^\d{1,20}$/)),
  username: z.string().check(z.maxLength(100)),
  global_name: z.nullish(z.string()),
  email: z.nullish(z.string()),
  verified: z.nullish(z.boolean()),
});

export function createDiscord({ clientId, clientSecret, baseUrl }: OAuthSettings): Discord {
  const config = new oauth.Configuration(
    {
      issuer: DISCORD_ISSUER,
      authorization_endpoint: `${baseUrl}/oauth2/authorize`,
      token_endpoint: `${baseUrl}/api/v10/oauth2/token`,
    },
    clientId,
    undefined,
    oauth.ClientSecretPost(clientSecret),
  );
  config.timeout = PROVIDER_TIMEOUT_SECONDS;
  for (const allow of insecureWhereLocal(baseUrl)) {
    allow(config);
  }
  return {
    clientId,
    authorizeUrl: (origin, { state, codeChallenge }) =>
      oauth.buildAuthorizationUrl(config, {
        redirect_uri: `${origin}${CALLBACK}`,
        scope: "identify email",
        code_challenge: codeChallenge,
        code_challenge_method: "S256",
        state,
      }).href,
    redeemCode: (origin, { code, state }, flow) =>
      askProvider("Discord", async () => {
        const address = new URL(CALLBACK, origin);
        address.search = new URLSearchParams({ code, state }).toString();
        const tokens = await oauth.authorizationCodeGrant(config, address, {
          pkceCodeVerifier: flow.codeVerifier,
          expectedState: state,
        });
        const response = await oauth.fetchProtectedResource(
          config,
          tokens.access_token,
          new URL(`${baseUrl}/api/v10/users/@me`),
          "GET",
        );
        if (!response.ok) {
          const kind = response.status >= 500 ? "down" : "denied";
          throw new ProviderRefusal(kind, `Discord answered ${response.status}`, undefined);
        }
        return personOf(userSchema.parse(await response.json()));
      }),
  };
}

function personOf(user: z.infer<typeof userSchema>): ProviderPerson {
  return {
    issuer: DISCORD_ISSUER,
    subject: user.id,
    email: user.email ?? null,
    emailVerified: user.verified === true,
    displayName: user.global_name ?? user.username,
    discord: { id: user.id, username: user.username },
  };
}
