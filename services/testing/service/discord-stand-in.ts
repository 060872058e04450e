// A small stand-in for Discord: an authorize page that answers at once, a token endpoint that checks everything, and a user.
import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export type DiscordUser = {
  readonly id: string;
  readonly username: string;
  readonly global_name?: string | null;
  readonly email?: string | null;
  readonly verified?: boolean;
};

export type DiscordStandIn = {
  readonly settings: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly baseUrl: string;
  };
  /** Who is signed in at Discord. */
  user: DiscordUser;
  /** `denies`: the person presses "Cancel". `fails`: the API responds with 503. */
  mood: "agrees" | "denies" | "fails";
  readonly close: () => Promise<void>;
};

type Grant = { readonly challenge: string; readonly redirectUri: string };

/** Issued codes and tokens. */
type Given = { readonly codes: Map<string, Grant>; readonly accessTokens: Set<string> };

const clientId = "stand-in-110011001100";
const clientSecret = "a-secret-of-the-stand-in";

/** Listens on a free port of this machine. */
export async function startDiscord(): Promise<DiscordStandIn> {
  const given: Given = { codes: new Map(), accessTokens: new Set() };
  const server = createServer((request, response) => {
    void answer(standIn, given, request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("The stand-in listens on no port");
  }
  const standIn: DiscordStandIn = {
    settings: { clientId, clientSecret, baseUrl: `http://127.0.0.1:${address.port}` },
    user: { id: "900000000000000001", username: "somebody" },
    mood: "agrees",
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return standIn;
}

async function answer(
  standIn: DiscordStandIn,
  given: Given,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", standIn.settings.baseUrl);
  switch (`${request.method} ${url.pathname}`) {
    case "GET /oauth2/authorize":
      return authorize(standIn, given, url.searchParams, response);
    case "POST /api/v10/oauth2/token":
      return grant(standIn, given, new URLSearchParams(await text(request)), response);
    case "GET /api/v10/users/@me":
      return tellUser(standIn, given, request.headers.authorization ?? "", response);
    default:
      return json(response, 404, { message: "404: Not Found", code: 0 });
  }
}

function authorize(
  standIn: DiscordStandIn,
  given: Given,
  query: URLSearchParams,
  response: ServerResponse,
): void {
  const redirectUri = query.get("redirect_uri") ?? "";
  const isRight =
    query.get("client_id") === clientId &&
    query.get("response_type") === "code" &&
    query.get("scope") === "identify email" &&
    query.get("code_challenge_method") === "S256" &&
    new URL(redirectUri).pathname === "/api/auth/discord/callback";
  if (!isRight) {
    return json(response, 400, { message: "Bad request", query: query.toString() });
  }
  const back = new URL(redirectUri);
  back.searchParams.set("state", query.get("state") ?? "");
  if (standIn.mood === "denies") {
    back.searchParams.set("error", "access_denied");
    back.searchParams.set("error_description", "The resource owner denied the request");
  } else {
    const code = randomBytes(15).toString("base64url");
    given.codes.set(code, { challenge: query.get("code_challenge") ?? "", redirectUri });
    back.searchParams.set("code", code);
  }
  response.writeHead(302, { Location: back.href }).end();
}

function grant(
  standIn: DiscordStandIn,
  given: Given,
  body: URLSearchParams,
  response: ServerResponse,
): void {
  if (standIn.mood === "fails") {
    return json(response, 503, { message: "Service unavailable" });
  }
  const code = body.get("code") ?? "";
  const known = given.codes.get(code);
  given.codes.delete(code);
  const challenge = createHash("sha256")
    .update(body.get("code_verifier") ?? "")
    .digest("base64url");
  const isRight =
    body.get("client_id") === clientId &&
    body.get("client_secret") === clientSecret &&
    known?.challenge === challenge &&
    known.redirectUri === body.get("redirect_uri");
  if (!isRight) {
    return json(response, 400, { error: "invalid_grant" });
  }
  const accessToken = randomBytes(20).toString("base64url");
  given.accessTokens.add(accessToken);
  json(response, 200, {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: 604_800,
    scope: "identify email",
  });
}

function tellUser(
  standIn: DiscordStandIn,
  given: Given,
  authorization: string,
  response: ServerResponse,
): void {
  const isKnown = given.accessTokens.has(authorization.replace(/^Bearer /i, ""));
  json(response, isKnown ? 200 : 401, isKnown ? standIn.user : { message: "401: Unauthorized" });
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
