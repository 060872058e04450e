// What a failed call looks like to a screen: the server's stable code and sentence, or that nobody answered.
import * as z from "zod/mini";

const errorBody = z.object({
  error: z.string(),
  message: z.string(),
  details: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  current: z.optional(z.unknown()),
  requestId: z.optional(z.string()),
});

export type ErrorDetail = { readonly path: string; readonly message: string };

/** A refusal or failure. `status` 0 means that no answer came, so nobody knows whether the call was carried out. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  /** What the thing looks like now, where the server sends it with a 409. */
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

  /** True when the call may have been carried out all the same: repeat it with the same key only. */
  get isUncertain(): boolean {
    return this.status === 0 || this.status >= 500;
  }

  /** The sentence about one field, if the server said one. */
  detailOf(path: string): string | undefined {
    return this.details.find((detail) => detail.path === path)?.message;
  }
}

/** The error that an answer of 400 and above stands for. */
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

/** Anything thrown, as an ApiError: what is none already came from the network or from our own code. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) {
    return error;
  }
  return error instanceof Error
    ? new ApiError(0, "client_error", error.message)
    : new ApiError(0, "client_error", "An error occurred");
}
