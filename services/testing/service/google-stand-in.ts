// An OpenID provider on this machine that stands in for Google or another external issuer.
import { OAuth2Server } from "oauth2-mock-server";

export type GoogleUser = {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
};

export type GoogleStandIn = {
  readonly settings: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly baseUrl: string;
  };
  /** Who is signed in there. */
  user: GoogleUser;
  /** Extra claims of its next ID tokens, for example an `exp` in the past. */
  claims: Readonly<Record<string, unknown>>;
  /** The status of its token endpoint. */
  status: number;
  readonly jwksUrl: string;
  /** An ID token without a code. */
  readonly sign: (claims: Readonly<Record<string, unknown>>) => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Listens on a free port of this machine. */
export async function startGoogle(): Promise<GoogleStandIn> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate("RS256");
  await server.start(0, "localhost");
  const baseUrl = server.issuer.url ?? "";
  const standIn: GoogleStandIn = {
    settings: { clientId: "our-client-at-google", clientSecret: "a-secret-of-google", baseUrl },
    user: { sub: "100000000000000000001" },
    claims: {},
    status: 200,
    jwksUrl: `${baseUrl}/jwks`,
    sign: (claims) =>
      server.issuer.buildToken({
        scopesOrTransform: (_header, payload) => {
          Object.assign(payload, claims);
        },
      }),
    close: () => server.stop(),
  };
  server.service.on("beforeTokenSigning", (token: { payload: object }) => {
    Object.assign(token.payload, standIn.user, standIn.claims);
  });
  server.service.on("beforeResponse", (response: { statusCode: number; body: unknown }) => {
    if (standIn.status !== 200) {
      response.statusCode = standIn.status;
      response.body = { error: "temporarily_unavailable" };
    }
  });
  return standIn;
}
