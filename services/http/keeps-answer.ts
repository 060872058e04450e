// For mutations that are not a single ledger command: a request repeated under its Idempotency-Key gets the first answer.
import type { Context, MiddlewareHandler } from "hono";
import { described } from "#http/described.ts";
import { idempotencyKey, keyReused, requestHash } from "#http/command.ts";
import type { AppEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";

/** Stands after the access and the body: `admin, documented(…), jsonBody(…), keepsAnswer`. */
export const keepsAnswer = described<MiddlewareHandler<AppEnv>>(
  async (c, next) => {
    const header = c.req.header("Idempotency-Key");
    if (header === undefined) {
      return next();
    }
    const { keptAnswers } = c.var;
    const scope = await scopeOf(c);
    await countKeyed(c, scope);
    const call = {
      scope,
      key: idempotencyKey(header),
      requestHash: requestHash(c.req.method, c.req.url, c.var.sentBody),
    };
    const state = await keptAnswers.begin(call);
    if (state.kind === "other-request") {
      throw keyReused();
    }
    if (state.kind === "running") {
      throw new HttpError(409, "still_running", "This is being done right now. Try again", {
        retryAfterSeconds: 1,
      });
    }
    if (state.kind === "answered") {
      const { status, body, position } = state.answer;
      return new Response(body, {
        status,
        headers: {
          "Content-Type": "application/json",
          "Idempotency-Replayed": "true",
          ...(position === null ? {} : { "Ledger-Position": String(position) }),
        },
      });
    }
    let isKept = false;
    try {
      await next();
      // Even if the caller disconnected before the end: their letter, for example, was sent.
      if (isDefinite(c.res.status) && c.var.isUnfinished !== true) {
        const position = c.res.headers.get("Ledger-Position");
        await keptAnswers.keep(call, {
          status: c.res.status,
          body: await c.res.clone().text(),
          position: position === null ? null : Number(position),
        });
        isKept = true;
      }
    } finally {
      if (!isKept) {
        await keptAnswers.release(call);
      }
    }
    return undefined;
  },
  { "x-keeps-answer": true },
);

/** As for the ledger's commands: each key is a row for a day, so those who are not admins may use only so many. */
async function countKeyed(c: Context<AppEnv>, scope: string): Promise<void> {
  const caller = await c.var.caller();
  if (caller.kind !== "person") {
    await c.var.countCommand(scope);
  } else if (caller.person.role !== "admin") {
    await c.var.countCommand(caller.person.uid);
  }
}

/** What was done, and what cannot be done. Anything else may turn out differently in the next try. */
function isDefinite(status: number): boolean {
  return (status >= 200 && status < 300) || status === 409;
}

/** That of the ledger's commands; a sign-in may have no profile yet. */
async function scopeOf(c: Context<AppEnv>): Promise<string> {
  const { commandScope } = c.var;
  if (commandScope !== undefined) {
    return commandScope;
  }
  const caller = await c.var.caller();
  if (caller.kind === "newcomer") {
    return `sign-in:${caller.token.subject}`;
  }
  return caller.kind === "person" ? `sign-in:${caller.subject}` : "nobody";
}
