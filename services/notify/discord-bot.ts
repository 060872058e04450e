// The store's bot at Discord: opens a person's direct messages and says something there. It tells apart what Discord's answers mean for one message.
import * as z from "zod/mini";
import type { Outcome } from "./outcome.ts";

export type DiscordBotSettings = {
  /** Never logged: it is the bot. */
  readonly token: string;
  /** https, except on this machine; without a slash at the end. */
  readonly baseUrl: string;
  readonly clock: () => Date;
  /** How long an answer may take. An attempt makes two calls at most, well within its lease. */
  readonly timeoutMs?: number;
  /** Stops waiting for answers. A message that was sent is uncertain then. */
  readonly ending?: AbortSignal;
};

export type DiscordMessage = {
  readonly content: string;
  /** At most 25 characters. Discord answers a repeated one with the first message. */
  readonly nonce: string;
};

export type DiscordBot = {
  /** The channel of a person's direct messages. */
  readonly open: (discordId: string) => Promise<{ kind: "opened"; channelId: string } | Outcome>;
  /** `restMs`: how long this channel takes no more messages. */
  readonly say: (
    channelId: string,
    message: DiscordMessage,
  ) => Promise<{ readonly outcome: Outcome; readonly restMs: number }>;
};

const TIMEOUT_MS = 10_000;
/** Discord asks bots to say who they are in this form. */
const USER_AGENT = "DiscordBot (https://github.com/consignment-ledger, 1.0)";
const SUPPRESS_EMBEDS = 4;

const answerSchema = z.object({
  id: z.optional(z.string().check(z.regex(/^\d{1,20}$/u))),
  code: z.optional(z.number()),
  retry_after: z.optional(z.number()),
  global: z.optional(z.boolean()),
});
type Body = z.infer<typeof answerSchema>;

type Answer = {
  readonly kind: "answered";
  readonly status: number;
  readonly headers: Headers;
  /** Empty where it is none of Discord's, such as a page of something in between. */
  readonly body: Body;
};

type Called = Answer | { readonly kind: "unanswered"; readonly wasSent: boolean };

function limitOf(timeoutMs: number, ending: AbortSignal | undefined): AbortSignal {
  return AbortSignal.any([
    AbortSignal.timeout(timeoutMs),
    ...(ending === undefined ? [] : [ending]),
  ]);
}

type Call = (path: string, body: unknown) => Promise<Called>;

/** Posts to Discord as the bot. */
function createCall({ token, baseUrl, timeoutMs = TIMEOUT_MS, ending }: DiscordBotSettings): Call {
  return async (path, body) => {
    let response: Response;
    try {
      response = await fetch(`${baseUrl}/api/v10${path}`, {
        method: "POST",
        headers: {
          Authorization: `Bot ${token}`,
          "Content-Type": "application/json",
          "User-Agent": USER_AGENT,
        },
        body: JSON.stringify(body),
        // The token goes nowhere else.
        redirect: "error",
        signal: limitOf(timeoutMs, ending),
      });
    } catch (error) {
      return { kind: "unanswered", wasSent: mayHaveBeenSent(error) };
    }
    const { status, headers } = response;
    return { kind: "answered", status, headers, body: await bodyOf(response) };
  };
}

export function createDiscordBot(settings: DiscordBotSettings): DiscordBot {
  const { clock } = settings;
  const call = createCall(settings);
  /** Opening shares one limit among all people. */
  let opensFrom = 0;
  return {
    async open(discordId) {
      const restMs = opensFrom - clock().getTime();
      if (restMs > 0) {
        return { kind: "limited", scope: "person", forMs: restMs };
      }
      const answer = await call("/users/@me/channels", { recipient_id: discordId });
      if (answer.kind === "unanswered") {
        return { kind: "failed", why: answer.wasSent ? "no-answer" : "unreachable" };
      }
      const { status, headers, body } = answer;
      const channelId = body.id;
      if (status < 300 && channelId !== undefined) {
        opensFrom = clock().getTime() + restOf(headers);
        return { kind: "opened", channelId };
      }
      if (status === 429 && !isGlobal(answer)) {
        opensFrom = clock().getTime() + waitOf(answer);
      }
      return status === 400 || status === 404
        ? { kind: "refused", why: "unknown-account" }
        : refusalOf(answer);
    },
    async say(channelId, { content, nonce }) {
      const answer = await call(`/channels/${channelId}/messages`, {
        content,
        nonce,
        enforce_nonce: true,
        // Nobody is mentioned, whatever an item is called.
        allowed_mentions: { parse: [] },
        flags: SUPPRESS_EMBEDS,
      });
      if (answer.kind === "unanswered") {
        const outcome: Outcome = answer.wasSent
          ? { kind: "uncertain", why: "no-answer" }
          : { kind: "failed", why: "unreachable" };
        return { outcome, restMs: 0 };
      }
      const { status, headers, body } = answer;
      const restMs = restOf(headers);
      if (status < 300) {
        return { outcome: { kind: "sent" }, restMs };
      }
      if (status === 404 && body.code === UNKNOWN_CHANNEL) {
        return { outcome: { kind: "failed", why: "channel-gone" }, restMs: 0 };
      }
      // Something in between gave up waiting: Discord itself may have taken it.
      const outcome: Outcome =
        status === 502 || status === 504
          ? { kind: "uncertain", why: "server-error" }
          : refusalOf(answer);
      return { outcome, restMs: 0 };
    },
  };
}

const UNKNOWN_CHANNEL = 10_003;
const CLOSED = 50_007;
const NO_SHARED_SERVER = 50_278;

/** What an answer means that did not do what was asked. */
function refusalOf(answer: Answer): Outcome {
  const { status, body } = answer;
  if (status === 429) {
    const scope = isGlobal(answer) ? "channel" : "person";
    return { kind: "limited", scope, forMs: waitOf(answer) };
  }
  if (status === 401) {
    return { kind: "stopped", why: "bad-token" };
  }
  if (body.code === CLOSED) {
    return { kind: "refused", why: "closed" };
  }
  if (body.code === NO_SHARED_SERVER) {
    return { kind: "refused", why: "no-shared-server" };
  }
  return { kind: "failed", why: status >= 500 ? "server-error" : "rejected" };
}

/** A limit that is not Discord's own, of a guard before it, counts for everything. */
function isGlobal({ headers, body }: Answer): boolean {
  return (
    body.global === true ||
    headers.get("x-ratelimit-global") !== null ||
    body.retry_after === undefined
  );
}

const LONGEST_WAIT_SECONDS = 86_400;

function waitOf({ headers, body }: Answer): number {
  const header = Number(headers.get("retry-after") ?? Number.NaN);
  const seconds = Math.max(body.retry_after ?? 0, Number.isFinite(header) ? header : 0);
  return Math.ceil(Math.min(seconds === 0 ? 5 : seconds, LONGEST_WAIT_SECONDS) * 1_000);
}

/** How long a route takes nothing more after this answer: 0 while it has room. */
function restOf(headers: Headers): number {
  const after = Number(headers.get("x-ratelimit-reset-after") ?? Number.NaN);
  return headers.get("x-ratelimit-remaining") === "0" && Number.isFinite(after)
    ? Math.ceil(Math.min(after, LONGEST_WAIT_SECONDS) * 1_000)
    : 0;
}

const MOST_BYTES = 65_536;

/** The status says enough if the body cannot be read. */
async function bodyOf(response: Response): Promise<Body> {
  try {
    const length = Number(response.headers.get("content-length") ?? 0);
    if (length > MOST_BYTES) {
      await response.body?.cancel();
      return {};
    }
    const parsed = answerSchema.safeParse(await response.json());
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

/** Causes that mean that no connection was made, so nothing was sent. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

function mayHaveBeenSent(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code: unknown = Object(cause).code;
  return !(typeof code === "string" && NEVER_SENT.has(code));
}
