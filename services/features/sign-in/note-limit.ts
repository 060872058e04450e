// Counts attempts that a limit has stopped in the security log, as what they were attempts of.
import { HttpError } from "#http/errors.ts";
import type { RequestNote, RequestSecurity } from "#http/request-security.ts";

/** Passes on whatever the work returns or throws. */
export async function orNoteLimit<Result>(
  security: RequestSecurity,
  attempt: Pick<RequestNote, "kind" | "about">,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) {
      security.count({ ...attempt, outcome: "limited" });
    }
    throw error;
  }
}
