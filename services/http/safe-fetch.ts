// Loads something from one of a few hosts, as a stranger who trusts nobody: neither the address nor the answer.
import { request, type IncomingMessage } from "node:http";
import { pipeline, type Duplex, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { type OpenConnection, RefusedAddress, untilAborted } from "#http/outgoing.ts";

export type FetchRules = {
  /** The hosts that may be called, also by a redirect: names in lower case. */
  readonly hosts: ReadonlySet<string>;
  /** Content types that are read, without parameters. */
  readonly types: readonly string[];
  /** Of the answer as it comes, and of the unpacked answer. */
  readonly maxBytes: number;
  /** Ends everything: look-up, connection, redirects and the answer to its last byte. */
  readonly signal: AbortSignal;
};

export type FetchRefusal =
  | "bad_address"
  | "host_not_allowed"
  | "address_not_public"
  | "too_many_redirects"
  | "wrong_status"
  | "wrong_type"
  | "too_large"
  | "timed_out"
  | "failed";

export type Fetched =
  | { readonly kind: "fetched"; readonly type: string; readonly bytes: Uint8Array }
  | { readonly kind: "refused"; readonly why: FetchRefusal };

/** GET of an address. Never rejects: whatever a stranger's server does is an answer. */
export type SafeFetch = (address: string, rules: FetchRules) => Promise<Fetched>;

const MAX_REDIRECTS = 3;
const MAX_HEADER_BYTES = 16_384;
const MAX_ADDRESS_LENGTH = 2_000;

class Refusal extends Error {
  override readonly name = "Refusal";
  readonly why: FetchRefusal;

  constructor(why: FetchRefusal) {
    super(why);
    this.why = why;
  }
}

/** Each redirect is checked like the first address. No cookies, no credentials, no referer are sent. */
export function createSafeFetch(open: OpenConnection): SafeFetch {
  return async (address, rules) => {
    try {
      return await untilAborted(follow(open, address, rules), rules.signal);
    } catch (error) {
      return { kind: "refused", why: reasonOf(error, rules.signal) };
    }
  };
}

function reasonOf(error: unknown, signal: AbortSignal): FetchRefusal {
  if (error instanceof Refusal) {
    return error.why;
  }
  if (signal.aborted) {
    return "timed_out";
  }
  return error instanceof RefusedAddress ? "address_not_public" : "failed";
}

async function follow(open: OpenConnection, address: string, rules: FetchRules): Promise<Fetched> {
  let target = allowed(address, undefined, rules);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const socket = await open(target.hostname, rules.signal);
    const end = (): void => void socket.destroy();
    rules.signal.addEventListener("abort", end, { once: true });
    try {
      const answer = await ask(socket, target, rules);
      const next = redirectOf(answer);
      if (next === null) {
        return { kind: "fetched", ...(await read(answer, rules)) };
      }
      target = allowed(next, target, rules);
    } finally {
      rules.signal.removeEventListener("abort", end);
      end();
    }
  }
  throw new Refusal("too_many_redirects");
}

/** The address if it may be called. */
function allowed(address: string, base: URL | undefined, { hosts }: FetchRules): URL {
  if (address.length > MAX_ADDRESS_LENGTH || !URL.canParse(address, base)) {
    throw new Refusal("bad_address");
  }
  const url = new URL(address, base);
  if (url.protocol !== "https:" || url.port !== "" || url.username !== "" || url.password !== "") {
    throw new Refusal("bad_address");
  }
  if (!hosts.has(url.hostname)) {
    throw new Refusal("host_not_allowed");
  }
  return url;
}

async function ask(
  socket: Duplex,
  url: URL,
  { types, signal }: FetchRules,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asked = request({
    createConnection: () => socket,
    method: "GET",
    path: `${url.pathname}${url.search}`,
    headers: {
      Host: url.hostname,
      Accept: types.join(", "),
      "Accept-Encoding": "gzip, br",
      "Accept-Language": "en-US,en;q=0.8",
      Connection: "close",
      // Some shops answer unknown programs with a riddle instead of the page.
      "User-Agent": "Mozilla/5.0 (compatible; ConsignmentLedger/1.0)",
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  });
  asked.on("response", resolve);
  asked.on("error", reject);
  asked.on("upgrade", (_answer, taken) => {
    taken.destroy();
    reject(new Refusal("wrong_status"));
  });
  // A connection can also end without an answer and without an error.
  asked.on("close", () => reject(new Error("The connection ended before the answer")));
  asked.end();
  return promise;
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | null {
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode);
  return isRedirect && headers.location !== undefined ? headers.location : null;
}

/** The answer's content, unpacked. */
async function read(
  answer: IncomingMessage,
  { types, maxBytes }: FetchRules,
): Promise<{ readonly type: string; readonly bytes: Uint8Array }> {
  if (answer.statusCode !== 200) {
    throw new Refusal("wrong_status");
  }
  const type = (answer.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (!types.includes(type)) {
    throw new Refusal("wrong_type");
  }
  if (Number(answer.headers["content-length"] ?? 0) > maxBytes) {
    throw new Refusal("too_large");
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of unpacked(answer, maxBytes)) {
    if (!(chunk instanceof Buffer)) {
      throw new Refusal("failed");
    }
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new Refusal("too_large");
    }
    chunks.push(chunk);
  }
  return { type, bytes: new Uint8Array(Buffer.concat(chunks)) };
}

/** Unpacks while it arrives, so that a small answer never becomes a large one in memory. */
function unpacked(answer: IncomingMessage, maxBytes: number): Readable {
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") {
    return answer;
  }
  const unpack = unpackers[encoding];
  if (unpack === undefined) {
    throw new Refusal("wrong_type");
  }
  let packed = 0;
  answer.on("data", (chunk: Buffer) => {
    packed += chunk.byteLength;
    if (packed > maxBytes) {
      answer.destroy(new Refusal("too_large"));
    }
  });
  return pipeline(answer, unpack(), () => undefined);
}

const unpackers: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
};
