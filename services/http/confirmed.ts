// For sensitive calls: whoever sends one must have signed in, or confirmed who they are, in the last ten minutes.
import type { Context, MiddlewareHandler } from "hono";
import { described } from "#http/described.ts";
import type { SignedInEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { isRehearsal } from "#http/rehearsal.ts";

type ConfirmableContext = Pick<Context<SignedInEnv>, "var" | "req">;

/**
 * Throws HttpError 403 `confirmation_required`, which the web app answers with one dialog before it sends the request
 * again under its key. A rehearsal does nothing, so it needs no confirmation.
 */
export async function requireConfirmed(c: ConfirmableContext): Promise<void> {
  const { isConfirmed, person } = c.var;
  if (!isRehearsal(c) && !(await isConfirmed(person))) {
    throw new HttpError(403, "confirmation_required", "Confirm who you are to do this");
  }
}

/** The same for a whole route, after its access: `admin, confirmed, documented(…)`. */
export const confirmed = described<MiddlewareHandler<SignedInEnv>>(
  async (c, next) => {
    await requireConfirmed(c);
    await next();
  },
  { "x-confirmation": true },
);
