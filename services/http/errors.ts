// Every refusal a client sees is made here: one shape, a stable code, a sentence for a person.
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { AppEnv } from "#http/env.ts";

export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 503;

/** One thing wrong with a request: where, and a sentence. */
export type ErrorDetail = { readonly path: string; readonly message: string };

/** The body of every answer of 400 and above. */
export type ErrorBody = {
  readonly error: string;
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
  /** What the thing looks like now, where the ledger said no because it changed. */
  readonly current?: Readonly<Record<string, unknown>>;
  /** Only on 500: names the log line. */
  readonly requestId?: string;
};

type ErrorExtras = {
  readonly details?: readonly ErrorDetail[];
  readonly current?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
};

/** Thrown anywhere below a route; becomes an answer in `answerError`. */
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

/** 400: what was sent cannot be understood or is not allowed. `path` names the field. */
export function badRequest(code: string, message: string, path?: string): HttpError {
  return new HttpError(
    400,
    code,
    message,
    path === undefined ? {} : { details: [{ path, message }] },
  );
}

/** 403: signed in, but this is somebody else's or an admin's. */
export function forbidden(message: string): HttpError {
  return new HttpError(403, "forbidden", message);
}

/** 404: it does not exist, or the caller may not know that it does. */
export function notFound(code: string, message: string): HttpError {
  return new HttpError(404, code, message);
}

/** For `app.onError`: known refusals as they are, anything else opaque, with the request's id, and logged. */
export function answerError(error: Error, c: Context<AppEnv>): Response {
  const known = asHttpError(error);
  if (known === undefined) {
    const requestId = c.get("requestId");
    c.get("log").error({ err: error, requestId }, "request failed");
    const body: ErrorBody = {
      error: "internal_error",
      message: `Something went wrong on our side. Please try again. (Request ${requestId})`,
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
  return undefined;
}
