// A failed call as screens see it: the server's stable code and sentence, or that there was no answer.
import * as z from "zod/mini";

const errorBody = z.object({
  error: z.string(),
  message: z.string(),
  details: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  current: z.optional(z.unknown()),
  requestId: z.optional(z.string()),
});

export type ErrorDetail = { readonly path: string; readonly message: string };

/** A refusal or failure. `status` 0 means that there was no answer, so it is unknown whether the call was carried out. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  /** The current state of the record, which the server sends with some 409 answers. */
  readonly current: unknown;
  readonly requestId: string | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    rest: {
      details?: readonly ErrorDetail[];
      current?: unknown;
      requestId?: string | undefined;
    } = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.details = rest.details ?? [];
    this.current = rest.current;
    this.requestId = rest.requestId;
  }

  /** True if the call may have been carried out anyway. Repeat it only with the same key. */
  get isUncertain(): boolean {
    return this.status === 0 || this.status >= 500;
  }

  /** The same read may succeed in a moment: there was no answer, or too much was asked for. A refusal would be refused again. */
  get isPassing(): boolean {
    return this.isUncertain || this.status === 429;
  }

  /** The page is older than the store that answered, so what it has read before may be outdated. */
  get isOfOlderPage(): boolean {
    return this.code === "unexpected_answer";
  }

  /** The server's sentence about one field, if there is one. */
  detailOf(path: string): string | undefined {
    return this.details.find((detail) => detail.path === path)?.message;
  }
}

/** Reads the error from an answer with status 400 or above. */
export async function errorOf(response: Response): Promise<ApiError> {
  const headerId = response.headers.get("X-Request-Id") ?? undefined;
  const body = errorBody.safeParse(await response.json().catch(() => undefined));
  if (!body.success) {
    return new ApiError(response.status, "unreadable_answer", "An error occurred", {
      requestId: headerId,
    });
  }
  const { error, message, details, current, requestId } = body.data;
  return new ApiError(response.status, error, message, {
    ...(details === undefined ? {} : { details }),
    ...(current === undefined ? {} : { current }),
    requestId: requestId ?? headerId,
  });
}

/** Turns anything thrown into an ApiError. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) {
    return error;
  }
  return error instanceof Error
    ? new ApiError(0, "client_error", error.message)
    : new ApiError(0, "client_error", "An error occurred");
}
