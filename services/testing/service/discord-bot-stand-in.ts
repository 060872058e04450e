// A small stand-in for Discord's side of a bot: direct messages that arrive, and everything that can go wrong with one.
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { json as readJson } from "node:stream/consumers";

/** What the next message meets. `cut`: it arrives, and the connection breaks before the answer. `silent`: no answer. */
export type Mood =
  | "takes"
  | "cut"
  | "silent"
  | "silent-and-takes"
  | "fails"
  | "gateway-fails"
  | "closed"
  | "no-shared-server"
  | "bad-token"
  | "unknown-channel"
  | { readonly waitSeconds: number; readonly isGlobal: boolean };

/** A message that a person can read. */
export type Arrived = {
  readonly discordId: string;
  readonly content: string;
  readonly nonce: string;
};

export type BotStandIn = {
  readonly token: string;
  readonly baseUrl: string;
  /** What each message meets; the first says how many came before. */
  mood: (count: number, discordId: string) => Mood;
  /** The same for opening somebody's messages. */
  openingMood: (discordId: string) => Mood | "unknown-person";
  /** Whether a repeated nonce makes no second message, as within a few minutes at Discord. */
  knowsNonces: boolean;
  readonly arrived: readonly Arrived[];
  /** Requests of each kind. */
  readonly counts: { opened: number; messages: number };
  readonly close: () => Promise<void>;
};

const token = "stand-in.bot-token.of-the-store";

type Inside = { readonly arrived: Arrived[] };

/** Listens on a free port of this machine. */
export async function startBotStandIn(): Promise<BotStandIn> {
  const inside: Inside = { arrived: [] };
  const server = createServer((request, response) => {
    void answer(standIn, inside, request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("The stand-in listens on no port");
  }
  const standIn: BotStandIn = {
    token,
    baseUrl: `http://127.0.0.1:${address.port}`,
    mood: () => "takes",
    openingMood: () => "takes",
    knowsNonces: true,
    arrived: inside.arrived,
    counts: { opened: 0, messages: 0 },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return standIn;
}

/** A person's channel is named after the person, so that the stand-in need not remember it. */
const CHANNEL_PREFIX = "77";

async function answer(
  standIn: BotStandIn,
  inside: Inside,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = Object(await readJson(request)) as Readonly<Record<string, unknown>>;
  if (request.headers.authorization !== `Bot ${token}`) {
    return json(response, 401, { message: "401: Unauthorized", code: 0 });
  }
  if (request.url === "/api/v10/users/@me/channels") {
    standIn.counts.opened += 1;
    const discordId = String(body["recipient_id"]);
    const mood = standIn.openingMood(discordId);
    return mood === "unknown-person"
      ? json(response, 400, { message: "Cannot send messages to this user", code: 50_033 })
      : meet(mood, response, () => json(response, 200, { id: `${CHANNEL_PREFIX}${discordId}` }));
  }
  const [, channelId = ""] =
    /^\/api\/v10\/channels\/(\d+)\/messages$/u.exec(request.url ?? "") ?? [];
  const discordId = channelId.slice(CHANNEL_PREFIX.length);
  const mood = standIn.mood(standIn.counts.messages, discordId);
  standIn.counts.messages += 1;
  meet(mood, response, () => {
    const nonce = String(body["nonce"]);
    const known = inside.arrived.some((each) => each.nonce === nonce);
    const isRepeated = known && standIn.knowsNonces && body["enforce_nonce"] === true;
    if (!isRepeated) {
      inside.arrived.push({ discordId, content: String(body["content"]), nonce });
    }
    if (mood === "cut") {
      response.destroy();
    } else if (mood !== "silent-and-takes") {
      json(response, 200, { id: "1200000000000000001", nonce });
    }
  });
}

function meet(mood: Mood, response: ServerResponse, take: () => void): void {
  if (typeof mood === "object") {
    response.setHeader("Retry-After", String(Math.ceil(mood.waitSeconds)));
    return json(response, 429, {
      message: "You are being rate limited.",
      retry_after: mood.waitSeconds,
      global: mood.isGlobal,
    });
  }
  switch (mood) {
    case "takes":
    case "cut":
    case "silent-and-takes":
      return take();
    case "silent":
      return;
    case "fails":
      return json(response, 500, { message: "500: Internal Server Error", code: 0 });
    case "gateway-fails":
      response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad gateway</h1>");
      return;
    case "closed":
      return json(response, 403, { message: "Cannot send messages to this user", code: 50_007 });
    case "no-shared-server":
      return json(response, 403, {
        message: "Cannot send messages to this user due to having no mutual guilds",
        code: 50_278,
      });
    case "bad-token":
      return json(response, 401, { message: "401: Unauthorized", code: 0 });
    case "unknown-channel":
      return json(response, 404, { message: "Unknown Channel", code: 10_003 });
    default:
      return mood satisfies never;
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
