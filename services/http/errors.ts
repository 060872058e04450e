// Makes every refusal a client sees: one shape, a stable code, a sentence for a person.
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { AppEnv } from "#http/env.ts";
import { isCanceled } from "#ledger/log/failure.ts";
import { UnreadableStream } from "#ledger/log/unreadable-stream.ts";

export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 503;

/** One problem of a request: where it is, and a sentence. */
export type ErrorDetail = { readonly path: string; readonly message: string };

/** The body of every answer with status 400 and above. */
export type ErrorBody = {
  readonly error: string;
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
  /** The current state, if the ledger refused because something had changed. */
  readonly current?: Readonly<Record<string, unknown>>;
  /** Only on 500: the id in the log line. */
  readonly requestId?: string;
};

type ErrorExtras = {
  readonly details?: readonly ErrorDetail[];
  readonly current?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
};

/** Thrown anywhere in a route; `answerError` turns it into an answer. */
export class HttpError extends Error {
  readonly status: ErrorStatus;
  readonly code: string;
  readonly extras: ErrorExtras;

  constructor(status: ErrorStatus, code: string, message: string, extras: ErrorExtras = {}) {
    super(message);
    this.name = "HttpError";
    this.status = status;
    this.code = code;
    this.extras = extras;
  }
}

/** 400: the request is malformed or not allowed. `path` names the field. */
export function badRequest(code: string, message: string, path?: string): HttpError {
  return new HttpError(
    400,
    code,
    message,
    path === undefined ? {} : { details: [{ path, message }] },
  );
}

/** 403: signed in, but this belongs to somebody else or is only for admins. */
export function forbidden(message: string): HttpError {
  return new HttpError(403, "forbidden", message);
}

/** 404: it does not exist, or the caller may not know that it exists. */
export function notFound(code: string, message: string): HttpError {
  return new HttpError(404, code, message);
}

/**
 * For `app.onError`: answers known refusals unchanged; anything else is logged and answered with only the request's
 * id. A canceled statement is logged too: the store may be busy, or the statement may always be slow.
 */
export function answerError(error: Error, c: Context<AppEnv>): Response {
  const requestId = c.get("requestId");
  if (isCanceled(error)) {
    c.get("log").error({ err: error, requestId }, "a statement took too long and was canceled");
  }
  if (error instanceof UnreadableStream) {
    c.get("log").error({ err: error }, "a command was refused, because a stream cannot be read");
  }
  const known = asHttpError(error);
  if (known === undefined) {
    c.get("log").error({ err: error, requestId }, "request failed");
    const body: ErrorBody = {
      error: "internal_error",
      message: `Something went wrong on our side. Try again. (Request ${requestId})`,
      requestId,
    };
    return c.json(body, 500);
  }
  const { details, current, retryAfterSeconds } = known.extras;
  if (retryAfterSeconds !== undefined) {
    c.header("Retry-After", String(retryAfterSeconds));
  }
  if (known.status === 401) {
    c.header("WWW-Authenticate", "Bearer");
  }
  const body: ErrorBody = {
    error: known.code,
    message: known.message,
    ...(details === undefined ? {} : { details }),
    ...(current === undefined ? {} : { current }),
  };
  return c.json(body, known.status);
}

/** For `app.notFound` below `/api`. */
export function answerUnknownRoute(c: Context<AppEnv>): Response {
  const body: ErrorBody = { error: "unknown_route", message: "There is no such call." };
  return c.json(body, 404);
}

function asHttpError(error: Error): HttpError | undefined {
  if (error instanceof HttpError) {
    return error;
  }
  if (error instanceof HTTPException && error.status === 400) {
    return new HttpError(400, "malformed_request", error.message);
  }
  if (error instanceof UnreadableStream) {
    return new HttpError(
      503,
      "stream_unreadable",
      "This cannot be changed now, because an earlier entry cannot be read. The store has to repair it first",
      { retryAfterSeconds: 60 },
    );
  }
  if (isCanceled(error)) {
    return new HttpError(
      503,
      "database_busy",
      "The database is busy right now, so this took too long. Try again in a moment.",
      { retryAfterSeconds: 5 },
    );
  }
  return undefined;
}
