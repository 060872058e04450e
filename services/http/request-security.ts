// Notes what a request did in the security log, with its address and browser. Refusals that no route notes are counted here.
import type { Context, MiddlewareHandler } from "hono";
import type { AppEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { routeOf } from "#http/metrics.ts";
import type { SecurityLog } from "#identity/security-log.ts";
import type { SecurityNote } from "#identity/security-slots.ts";

/** Everything but where it came from. */
export type RequestNote = Omit<SecurityNote, "origin">;

/** The security log for one request. */
export type RequestSecurity = {
  /** Written when it resolves; it never rejects. */
  readonly note: (note: RequestNote) => Promise<void>;
  /** The same for what may happen very often: written within a second. */
  readonly count: (note: RequestNote) => void;
};

/** Refusals that the app answers with a dialog: they ask somebody who may do it. */
const questions: ReadonlySet<string> = new Set([
  "confirmation_required",
  "recent_sign_in_required",
]);

/** Gives each request its `security`, and counts answers with 403 and 429. */
export function noteRefusals(log: SecurityLog): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    let isNoted = false;
    const complete = (note: RequestNote): SecurityNote => {
      isNoted = true;
      const origin = { address: c.var.clientAddress, userAgent: c.req.header("User-Agent") };
      return { ...note, origin };
    };
    const security: RequestSecurity = {
      note: (note) => log.note(complete(note)),
      count: (note) => log.count(complete(note)),
    };
    c.set("security", security);
    await next();
    const { status } = c.res;
    const code = c.error instanceof HttpError ? c.error.code : "";
    if ((status === 403 || status === 429) && !isNoted && !questions.has(code)) {
      security.count({
        kind: status === 403 ? "access-refused" : "too-many-requests",
        outcome: status === 403 ? "refused" : "limited",
        about: await aboutOf(c),
        detail: `${c.req.method} ${routeOf(c)} ${code}`,
      });
    }
  };
}

/** Only somebody whom the route has asked for: a flood of refusals must not be verified. */
async function aboutOf(c: Context<AppEnv>): Promise<SecurityNote["about"]> {
  const caller = await c.var.identified();
  return caller?.kind === "person" ? { uid: caller.person.uid } : "nobody";
}
