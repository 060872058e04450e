// A form's errors by field: from the contract's own schema before sending, from the server's answer afterwards.
import type * as z from "zod/mini";
import type { ApiError } from "./api-error.ts";

/** Field name (or dotted path) to sentence. Only the first error of each field. */
export type FieldErrors = Readonly<Record<string, string>>;

export const noErrors: FieldErrors = {};

function byPath(found: readonly { path: string; message: string }[]): FieldErrors {
  return Object.fromEntries(found.toReversed().map(({ path, message }) => [path, message]));
}

/** The fields that `schema` refuses. If there are none, the request may be sent. */
export function errorsIn(schema: z.ZodMiniType, value: unknown): FieldErrors {
  const parsed = schema.safeParse(value);
  return parsed.success
    ? noErrors
    : byPath(
        parsed.error.issues.map((issue) => ({
          path: issue.path.join("."),
          message: issue.message,
        })),
      );
}

/** What the contract says to a text that is too long for its field; nothing else, because the text may not be complete. */
export function tooLongFor(field: z.ZodMiniType, text: string): string | undefined {
  return field.safeParse(text).error?.issues.find(({ code }) => code === "too_big")?.message;
}

/** The fields named in the server's answer. */
export function errorsFrom(error: ApiError | undefined): FieldErrors {
  return error === undefined ? noErrors : byPath(error.details);
}

export function hasErrors(errors: FieldErrors): boolean {
  return Object.keys(errors).length > 0;
}
