// Reads request bodies: checks size, UTF-8 and JSON before any schema sees a value.
import { badRequest, HttpError } from "#http/errors.ts";

/** The largest body that a JSON call may have. */
export const MAX_BODY_BYTES = 1_048_576;

/** The same for a call that anyone may make, before anything is counted: signing in takes a few kB at most. */
export const MAX_OPEN_BODY_BYTES = 65_536;

/** How deep objects and lists may stand in each other: no call needs ten levels. */
const MAX_DEPTH = 64;

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads and parses a JSON body. An empty body reads as `{}`, so that the schema names what is missing.
 * Throws HttpError: 400 for another content type, invalid UTF-8, malformed or too deep JSON, and text that PostgreSQL
 * cannot store; 413 above the limit.
 */
export async function readJsonBody(request: Request, limit = MAX_BODY_BYTES): Promise<unknown> {
  const bytes = await readBytes(request, limit);
  if (bytes.byteLength === 0) {
    return {};
  }
  if (!isJson(request.headers.get("content-type"))) {
    throw badRequest("not_json", "Send the body as application/json");
  }
  refuseDeep(bytes);
  const text = decode(bytes);
  const value = parse(text);
  // NUL and lone surrogates can only be escapes here: the decoder and the parser refuse raw ones.
  if (text.includes("\\u")) {
    refuseUnstorableText(value);
  }
  return value;
}

/** True for the content types that carry JSON. A form on another site cannot send them. */
export function isJson(contentType: string | null): boolean {
  return contentType !== null && /^application\/json\s*(;|$)/i.test(contentType);
}

/** True for the content type that carries fields and files. */
export function isForm(contentType: string | null | undefined): boolean {
  return typeof contentType === "string" && /^multipart\/form-data\s*;/iu.test(contentType);
}

/** True for text that PostgreSQL stores and gives back unchanged. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** Reads at most `limit` bytes; 413 as soon as there are more, whatever Content-Length says. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  try {
    return await readAtMost(request, limit);
  } catch (error) {
    if (error instanceof HttpError) {
      throw error;
    }
    // The sender hung up: nobody will read this answer, and it is not a failure of the app.
    throw badRequest("incomplete_body", "The body ended early");
  }
}

async function readAtMost(request: Request, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (announced !== null) {
    refuseAbove(Number(announced), limit);
    // Node's parser reads exactly the announced length.
    const bytes = new Uint8Array(await request.arrayBuffer());
    refuseAbove(bytes.byteLength, limit);
    return bytes;
  }
  if (request.body === null) {
    return new Uint8Array();
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    refuseAbove(size, limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** 413 if this size is above the limit. */
export function refuseAbove(size: number, limit: number): void {
  if (size > limit) {
    throw new HttpError(413, "body_too_large", `The request is larger than ${limit} bytes`);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw badRequest("invalid_utf8", "The body is not valid UTF-8");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("malformed_json", "The body is not valid JSON");
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** 400 for a value that takes many times longer to parse and check than a flat one of its size. */
function refuseDeep(bytes: Uint8Array): void {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isInText) {
      if (byte === BACKSLASH) {
        at += 1;
      }
      isInText = byte !== QUOTE;
    } else if (byte === QUOTE) {
      isInText = true;
    } else if (OPENING.has(byte)) {
      depth += 1;
      if (depth > MAX_DEPTH) {
        throw badRequest("malformed_json", `The body is nested more than ${MAX_DEPTH} levels deep`);
      }
    } else if (CLOSING.has(byte)) {
      depth -= 1;
    }
  }
}

/** The value is not deep, so this may call itself. */
function refuseUnstorableText(value: unknown): void {
  if (typeof value === "string") {
    if (!isStorable(value)) {
      throw badRequest("invalid_text", "Text must not contain NUL or broken characters");
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, child] of Object.entries(value)) {
      refuseUnstorableText(key);
      refuseUnstorableText(child);
    }
  }
}
