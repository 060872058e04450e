// The cursor of a list whose rows can move: it holds what the last row was sorted by, so the next page misses none of the rest.
import * as z from "zod/mini";
import { badRequest } from "#http/errors.ts";
import { isStorable } from "#http/read-body.ts";

/** A text that a list is sorted by. */
export const placeText = z.string().check(z.refine(isStorable));

export function cursorOf(place: readonly (boolean | number | string)[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** Throws HttpError 400 for a cursor that no list gave, or one of another sort. */
export function placeIn<Place>(cursor: string, schema: z.ZodMiniType<Place>): Place {
  const unknown = () => badRequest("validation_failed", "This cursor is unknown", "cursor");
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw unknown();
  }
  const parsed = schema.safeParse(read);
  if (!parsed.success) {
    throw unknown();
  }
  return parsed.data;
}
