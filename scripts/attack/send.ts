// Sends requests as an attacker's program does: no address, header or body is corrected on this side.
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { connect } from "node:net";
import { connect as connectSecurely } from "node:tls";

/** Who a request comes from, or pretends to. */
export type Sender = { readonly token: string; readonly address: string };

export type Sent = {
  readonly as?: Sender | null;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** The address that our own proxy reports, where the store has one; by default the sender's. */
  readonly from?: string;
};

export type Reply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Until the answer was complete. */
  readonly ms: number;
};

/** `GET /api/…`, or another method: `POST /api/…`. */
export type Send = (call: string, sent?: Sent) => Promise<Reply>;

const TIMEOUT_MS = 30_000;

/** With `hasProxy`, each request names its address as the store's own proxy would. */
export function createSend(url: string, hasProxy: boolean): Send & { readonly close: () => void } {
  const isSecure = url.startsWith("https:");
  const { hostname, port, host, origin } = new URL(url);
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const send: Send = (call, sent = {}) => {
    const [method = "GET", path = "/"] = call.split(" ");
    const body = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
    const address = sent.from ?? sent.as?.address;
    const headers: Record<string, string> = {
      Host: host,
      Origin: origin,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) }),
      ...(sent.as ? { Authorization: `Bearer ${sent.as.token}` } : {}),
      ...(hasProxy && address !== undefined ? { "X-Forwarded-For": address } : {}),
      ...sent.headers,
    };
    // An empty value leaves the header out.
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));
    const options = { hostname, port, path, method, headers: given, agent, timeout: TIMEOUT_MS };
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const asked = (isSecure ? secureRequest : request)(options, (answer) => {
        read(answer, startedAt).then(resolve, reject);
      });
      asked.on("error", reject);
      asked.on("timeout", () => asked.destroy(new Error(`${call} was not answered in time`)));
      asked.end(body);
    });
  };
  return Object.assign(send, { close: () => agent.destroy() });
}

async function read(answer: IncomingMessage, startedAt: number): Promise<Reply> {
  let text = "";
  // A stream of events would never end.
  if (answer.headers["content-type"]?.startsWith("text/event-stream") === true) {
    answer.on("error", () => undefined);
    answer.destroy();
  } else {
    answer.setEncoding("utf8");
    for await (const piece of answer) {
      text += String(piece);
    }
  }
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    text,
    ms: performance.now() - startedAt,
  };
}

/** The parsed body; an empty object if it is none. */
export function bodyOf({ text }: Reply): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return Object.fromEntries(Object.entries(Object(parsed)));
  } catch {
    return {};
  }
}

/** A text of the body; empty if there is none. */
export function textIn(reply: Reply, name: string): string {
  const value = bodyOf(reply)[name];
  return typeof value === "string" ? value : "";
}

/** The store lets this address make no more accounts for now: an attack that needs one shows nothing. */
export class SignUpsUsedUp extends Error {}

/** Throws unless the store did what was asked: for what an attack needs to begin with. */
export async function done(asked: Promise<Reply>): Promise<Reply> {
  const reply = await asked;
  if (reply.status !== 200) {
    throw new Error(`the store answered ${reply.status}: ${reply.text.slice(0, 200)}`);
  }
  return reply;
}

/** Makes an account. Throws `SignUpsUsedUp` where the address may make no more. */
export async function signUp(
  send: Send,
  body: { readonly email: string; readonly password: string; readonly displayName: string },
  from: string,
): Promise<Reply> {
  const asked = await send("POST /api/identity/sign-up", { body, from });
  if (asked.status === 429) {
    throw new SignUpsUsedUp("this address has made too many accounts in an hour (--as-proxy)");
  }
  return done(Promise.resolve(asked));
}

/** Writes bytes to a connection of its own and returns what came back until it ended, or until `ms` are over. */
export async function sendBytes(url: string, bytes: string, ms: number): Promise<string> {
  const socket = openSocket(url);
  let answer = "";
  const ended = Promise.withResolvers<void>();
  socket.setEncoding("latin1");
  socket.on("data", (piece) => (answer += String(piece)));
  socket.on("close", () => ended.resolve());
  socket.on("error", () => ended.resolve());
  const timer = setTimeout(() => ended.resolve(), ms);
  socket.write(Buffer.from(bytes, "latin1"));
  await ended.promise;
  clearTimeout(timer);
  socket.destroy();
  return answer;
}

/** A connection without a request in it. */
export function openSocket(url: string) {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replaceAll(/^\[|\]$/g, "");
  return protocol === "https:"
    ? connectSecurely({ host, port: Number(port || 443), servername: host })
    : connect({ host, port: Number(port || 80) });
}
